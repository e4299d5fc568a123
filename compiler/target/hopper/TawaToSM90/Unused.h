// Erases computations of the lowering that have no use.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tawa {

/// Erases unused operations without effects, and makes loops carry values unchanged that only they read.
void eraseUnused(mlir::func::FuncOp function);

} // namespace tawa
