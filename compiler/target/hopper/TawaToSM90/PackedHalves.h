// Reuses 16-bit elements that are already half of a register.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tawa {

/// An element narrowed separately after it was narrowed together with its neighbour (cvt_pack) is read from the word of
/// both. An operand of a product with other uses then takes one register for two elements, not three, and half the
/// conversions.
void readPackedHalves(mlir::func::FuncOp function);

} // namespace tawa
