// Elements of 16 bits that are in a register already, as half of it.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tawa {

/// An element that is narrowed by itself after it was narrowed together with its neighbour (cvt_pack) is read from the
/// word of both. An operand of a product that is computed with again then takes one register for two elements, not
/// three, and half the conversions.
void readPackedHalves(mlir::func::FuncOp function);

} // namespace tawa
