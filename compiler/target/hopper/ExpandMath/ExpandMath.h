// Expands the scalar functions of a machine-phase module into operations that both back ends lower (Passes.td has the
// details, README.md the functions and their error bounds).
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace tawa {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/target/hopper/ExpandMath/Passes.h.inc"

} // namespace tawa
