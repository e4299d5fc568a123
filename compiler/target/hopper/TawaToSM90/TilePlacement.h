// Places tiles in shared memory by their lifetimes (no MLIR): tiles with disjoint lifetimes share bytes.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace tawa {

/// A tile's place in time, as numbers of operations in program order, both inclusive, and in memory.
struct TileLifetime {
  unsigned begin = 0, end = 0;
  uint32_t bytes = 0, offset = 0;

  bool overlaps(const TileLifetime &other) const { return begin <= other.end && other.begin <= end; }
};

/// Gives each tile, in order, the lowest aligned offset that overlaps no earlier tile live at the same time. Returns
/// the total size.
uint32_t placeTiles(llvm::MutableArrayRef<TileLifetime> tiles, uint32_t alignment);

} // namespace tawa
