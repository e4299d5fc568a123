// The provers as passes; Passes.td documents them.
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
}

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/roles/prover/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/roles/prover/Passes.h.inc"
} // namespace tawa
