// The sm90 dialect: Hopper's machine instructions as MLIR operations, one per PTX instruction, written for one thread.
// README.md tells what a module of this phase looks like and how the two back ends read it.
#ifndef TAWA_DIALECT_SM90_DIALECT_TD
#define TAWA_DIALECT_SM90_DIALECT_TD

include "mlir/IR/OpBase.td"

def SM90_Dialect : Dialect {
  let name = "sm90";
  let cppNamespace = "::tawa::sm90";
  let summary = "machine instructions of Hopper, per thread";
  let description = [{
    Each operation means what the PTX ISA (8.3) says about the instruction it is named after. The module of this phase
    holds `func.func` kernels over `arith`, `scf`, `cf`, scalar `llvm` and `sm90`; there are no tensors and no vectors.

    A kernel carries the attributes of Attributes.def; `sm90.kernel`, `sm90.threads` and `sm90.shared_bytes` it has to.

    A kernel's arguments are `!sm90.tensormap`, i8 to i64, f16, bf16, f32, f64 and `!llvm.ptr<1>`; it returns nothing.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1; // Attributes.def
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = "void registerTypes();";
}

#endif // TAWA_DIALECT_SM90_DIALECT_TD
