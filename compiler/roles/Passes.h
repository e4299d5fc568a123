// The passes that split a kernel into roles and pipeline them. Passes.td documents them.
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

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/roles/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/roles/Passes.h.inc"
} // namespace tawa
