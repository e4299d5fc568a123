// Orders per-thread machine code by the pipes that it uses (Passes.td has the details).
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
}
} // namespace mlir
namespace tawa::sm90 {
class SM90Dialect;
}

namespace tawa {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

} // namespace tawa
