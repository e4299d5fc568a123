// Base classes and operand types shared by the sm90 operation files.
#ifndef TAWA_DIALECT_SM90_OPBASE_TD
#define TAWA_DIALECT_SM90_OPBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "compiler/target/hopper/SM90/Dialect.td"
include "compiler/target/hopper/SM90/Enums.td"
include "compiler/target/hopper/SM90/Interfaces.td"
include "compiler/target/hopper/SM90/Types.td"

// An operation without a memory-effect trait has unknown effects: nothing is moved across it, merged with it or
// removed. That is the default here; only operations that read no state are Pure.
class SM90_Op<string opMnemonic, list<Trait> traits = []> : Op<SM90_Dialect, opMnemonic, traits>;

def SM90_GlobalPointer : LLVM_PointerInAddressSpace<1>;
// Scalars that a load or store moves.
def SM90_Scalar : AnyTypeOf<[I8, I16, I32, I64, F16, BF16, F32, F64], "8 to 64-bit integer or float">;
def SM90_Word : AnyTypeOf<[I32, F32], "32-bit integer or float">;

class SM90_PredicatedOp<string opMnemonic, list<Trait> traits = []>
    : SM90_Op<opMnemonic, !listconcat([SM90_PredicatedInterface], traits)>;

#endif // TAWA_DIALECT_SM90_OPBASE_TD
