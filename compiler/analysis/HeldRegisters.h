// HeldRegisters: what tiles take of each thread's registers at one place of a block.
#pragma once

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace tawa {

/// Registers of the tiles that are there when `op` runs and that later operations of its block read, without those
/// that can be computed late for no more than their operands. Its own results do not count.
int64_t registersHeldAt(mlir::Operation *op);

} // namespace tawa
