// What a distributed kernel does, read off its roles (runtime/artifact/WorkSummary.h says in which form).
//
// Scalars become expressions over arguments and program ids; what is read from memory or carried by a loop is unknown.
// Tensors become bytes, products and operations. Call it after phase "distributed" and before dots are pipelined.
#pragma once

#include "runtime/artifact/WorkSummary.h"

#include "mlir/IR/BuiltinOps.h"

namespace tawa {

/// Fills everything of the summary but what the grid is worked out from.
void summarizeWork(mlir::ModuleOp module, WorkSummary &summary);

} // namespace tawa
