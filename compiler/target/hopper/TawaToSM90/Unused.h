// Erases what the lowering computed for nobody.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tawa {

/// Erases operations without effects whose results are not read, and lets loops carry unchanged what only they read.
void eraseUnused(mlir::func::FuncOp function);

} // namespace tawa
