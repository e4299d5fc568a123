// TilePlacement.cpp: first fit, in program order.
#include "compiler/target/hopper/TawaToSM90/TilePlacement.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tawa {

/// The lowest aligned offset at which the tile meets none of those placed before it.
static uint32_t lowestOffset(const TileLifetime &tile, llvm::ArrayRef<TileLifetime> placed, uint32_t alignment) {
  uint32_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const TileLifetime &other : placed) {
      bool apart = offset + tile.bytes <= other.offset || other.offset + other.bytes <= offset;
      if (apart || !tile.overlaps(other))
        continue;
      offset = llvm::alignTo(other.offset + other.bytes, alignment);
      moved = true;
    }
  }
  return offset;
}

uint32_t placeTiles(llvm::MutableArrayRef<TileLifetime> tiles, uint32_t alignment) {
  uint32_t bytes = 0;
  for (size_t index = 0; index < tiles.size(); ++index) {
    tiles[index].offset = lowestOffset(tiles[index], tiles.take_front(index), alignment);
    bytes = std::max(bytes, tiles[index].offset + tiles[index].bytes);
  }
  return bytes;
}

} // namespace tawa
