// PeakRegisters: what the tiles of a block take of each thread's registers at most, before layouts are known.
#pragma once

#include "mlir/IR/Operation.h"

namespace tawa {

/// The most registers of a thread, of `warps` warps, that tiles of floats take between two operations of a block, if
/// these run in the given order. Rows and columns of tiles count as in the layout of products' sums.
int64_t peakRegisters(llvm::ArrayRef<mlir::Operation *> order, uint32_t warps);

} // namespace tawa
