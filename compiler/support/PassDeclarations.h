// The includes and forward declarations that the generated Passes.h.inc of every folder needs.
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
}
namespace cf {
class ControlFlowDialect;
}
namespace scf {
class SCFDialect;
}
namespace ub {
class UBDialect;
}
} // namespace mlir
namespace tawa::ws {
class TawaDialect;
}
