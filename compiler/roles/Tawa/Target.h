// What the compiler knows of the GPU: the attribute `tawa.target` of the module. Passes, conversions and analyses ask
// moduleTarget() and hasFeature(), and state no limit, no rate and no architecture of a GPU themselves (the test
// `hardware-numbers` looks for such).
#pragma once

#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/artifact/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace tawa::ws {

void setTarget(mlir::ModuleOp module, const Target &target);

} // namespace tawa::ws

namespace tawa {

/// That of the innermost module around `op` (or `op` itself) that names one. A module that names none, because a pass
/// runs alone on it, is for the default description.
Target moduleTarget(mlir::Operation *op);
/// Whether code for it may use this.
bool hasFeature(mlir::Operation *op, Feature feature);

} // namespace tawa
