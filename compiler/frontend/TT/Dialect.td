//===- Dialect.td - the tt dialect and the base class of its operations -------------------------------------------===//
#ifndef TAWA_TT_DIALECT_TD
#define TAWA_TT_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tawa::tt";
  let summary = "Triton's textual IR: programs over tiles, one program per CTA";
  let description = [{
    The input language of Tawa, as Triton 3.0 to 3.8 prints it. A kernel is a `tt.func`; each of its instances
    ("programs") computes on tiles: tensors of static shape that belong to the whole CTA and say nothing of threads.

    Two rules hold for every operation of the dialect (trait `TileSizes`):
      T1. every dimension of every tensor is a power of two or a multiple of 8 (tawa-split-tiles divides these);
      T2. no tensor has more than 1048576 elements.
    For an operation that works element by element the same trait checks that
      T3. all tensors among its operands and results have one shape.

    Tensors may carry an encoding: the compiler's later phases attach layouts there. No verifier looks at it except to
    demand that it survives where a type is derived from another.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Called by the parser for `tt.` names that are no registered operation; says what they are and why they are
    /// refused (UnsupportedOps.h).
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;

    void registerTypes();
  }];
}

def TT_TileSizes : NativeOpTrait<"TileSizes"> { let cppNamespace = "::tawa::tt::trait"; }

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, [TT_TileSizes] # traits>;

#endif
