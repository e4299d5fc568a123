// Summarizes the work of a distributed kernel from its roles (runtime/artifact/WorkSummary.h has the format).
//
// Scalars become expressions over arguments and program ids; loaded and loop-carried values are unknown. Tensors become
// bytes, products and operations. To be run after phase "distributed" and before dots are pipelined.
#pragma once

#include "runtime/artifact/WorkSummary.h"

#include "mlir/IR/BuiltinOps.h"

namespace tawa {

/// Fills everything of the summary but what the grid is worked out from.
void summarizeWork(mlir::ModuleOp module, WorkSummary &summary);

} // namespace tawa
