// Phase 8: lowers roles, arefs and laid-out tensors to per-thread machine operations. Passes.td has its pre- and
// postconditions.
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
} // namespace tawa
