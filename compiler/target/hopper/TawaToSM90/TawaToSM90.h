// Phase 8: from roles, arefs and laid-out tensors to per-thread machine operations. Passes.td says what holds before
// and after.
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
}
namespace scf {
class SCFDialect;
}
namespace func {
class FuncDialect;
}
namespace LLVM {
class LLVMDialect;
}
} // namespace mlir
namespace tawa::sm90 {
class SM90Dialect;
}

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/target/hopper/TawaToSM90/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/target/hopper/TawaToSM90/Passes.h.inc"

/// On a tensor-map parameter of a machine kernel: a dictionary of what TensorMapRecipe holds.
inline constexpr llvm::StringLiteral kTensorMapAttr = "sm90.tensor_map";
/// On a machine kernel: the bytes of global memory that each CTA has for itself while it runs; a parameter says where.
inline constexpr llvm::StringLiteral kScratchBytesAttr = "sm90.scratch_bytes";
} // namespace tawa
