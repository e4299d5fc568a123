// Places tiles in shared memory by their lifetimes (no MLIR): tiles that never live at the same time share bytes.
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

/// Gives each tile, in order, the lowest aligned offset at which it meets no earlier one that lives at the same time.
/// Returns the bytes that all take together.
uint32_t placeTiles(llvm::MutableArrayRef<TileLifetime> tiles, uint32_t alignment);

} // namespace tawa
