//===- OpsProgram.td - functions and the place of a program in the grid -------------------------------------------===//
#ifndef TAWA_TT_OPS_PROGRAM_TD
#define TAWA_TT_OPS_PROGRAM_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "compiler/frontend/TT/Enums.td"
include "compiler/frontend/TT/OpsMemory.td"

def TT_FuncOp : TT_Op<"func", [IsolatedFromAbove, AffineScope, AutomaticAllocationScope, FunctionOpInterface]> {
  let summary = "a kernel, or a function that it calls";
  let description = [{
    The public function of a module is the kernel; private ones are called by it (`tt.call`). Its arguments are what the launch passes, in order; a host tensor
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
  let assemblyFormat = "custom<EnumValue>($axis) attr-dict `:` type($result)";
}

def TT_GetProgramIdOp : TT_GridOp<"get_program_id"> {
  let summary = "position of this program in the grid";
  let description = "`%pid = tt.get_program_id x : i32`: the CTA index along one dimension of the grid.";
}

def TT_GetNumProgramsOp : TT_GridOp<"get_num_programs"> {
  let summary = "size of the grid";
  let description = "`%n = tt.get_num_programs x : i32`: the number of programs along one dimension of the grid.";
}

def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a function of this module";
  let description = [{
    `%r = tt.call @f(%x, %n) : (tensor<64xf32>, i32) -> tensor<64xf32>`

    C1. the callee is a `tt.func` of the module, with these operand and result types.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$srcs, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = "$callee `(` $srcs `)` attr-dict `:` functional-type($srcs, results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return (*this)->getAttrOfType<::mlir::SymbolRefAttr>("callee");
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getSrcs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getSrcsMutable(); }
  }];
}

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "print values";
  let description = [{
    `tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<64xi32>`

    Each element is printed on a line of its own after the program's place in the grid, the element's indices and the
    prefix. `isSigned` says of each operand how its integers are to be read; it is absent in Triton 3.0 and 3.1, where
    they are signed.

    C1. isSigned is absent or has one number for each operand.
  }];
  let arguments = (ins StrAttr:$prefix, DefaultValuedAttr<BoolAttr, "false">:$hex, Variadic<TT_Value>:$args,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "stop where a condition is false";
  let description = [{
    `tt.assert %c, "index out of range" : tensor<64xi1>`: where an element is false, the program ends with the message.
    Triton 3.0 and 3.1 print file, function and line after the message; they become part of it.
  }];
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` custom<AssertMessage>($message) attr-dict `:` type($condition)";
  let hasCanonicalizer = 1;
}

def TT_DebugBarrierOp
    : TT_Op<"debug_barrier", [MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>]> {
  let summary = "wait for all threads of the program";
  let description = [{
    `tt.debug_barrier`: accesses to memory before it are seen by all threads of the program after it. Triton writes
    `gpu.barrier`, which the pre-lexer turns into this.
  }];
  let assemblyFormat = "attr-dict";
}

#endif
