//===- OpsProgram.td - functions and the place of a program in the grid -------------------------------------------===//
#ifndef TAWA_TT_OPS_PROGRAM_TD
#define TAWA_TT_OPS_PROGRAM_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "compiler/dialect/TT/Enums.td"
include "compiler/dialect/TT/Types.td"

def TT_FuncOp : TT_Op<"func", [IsolatedFromAbove, AffineScope, AutomaticAllocationScope, FunctionOpInterface]> {
  let summary = "a kernel";
  let description = [{
    The public function of a module is the kernel. Its arguments are what the launch passes, in order; a host tensor
    descriptor is printed as itself followed by its shape (i32) and strides (i64).

    C1. a kernel has a body and no results;
    C2. every argument is an integer, a float, a pointer or a tensor descriptor;
    C3. the body holds no operation of the dialect that this version refuses (UnsupportedOps.h), however it is spelled.

    ```mlir
    tt.func public @scale(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
      tt.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "end of a function";
  let description = [{
    C1. the values returned have the types of the function's results.
  }];
  let arguments = (ins Variadic<AnyType>:$srcs);
  let builders = [OpBuilder<(ins), [{ (void)$_builder; (void)$_state; }]>];
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

class TT_GridOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetProgramIdOp : TT_GridOp<"get_program_id"> {
  let summary = "position of this program in the grid";
  let description = "`%pid = tt.get_program_id x : i32`: the CTA index along one dimension of the grid.";
}

def TT_GetNumProgramsOp : TT_GridOp<"get_num_programs"> {
  let summary = "size of the grid";
  let description = "`%n = tt.get_num_programs x : i32`: the number of programs along one dimension of the grid.";
}

#endif
