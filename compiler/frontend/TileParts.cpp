// Numbers and positions of the parts of a tile.
#include "compiler/frontend/TileParts.h"

using namespace mlir;

namespace tawa {

size_t TileParts::count() const {
  size_t parts = 1;
  for (unsigned dim = 0; dim < whole.getRank(); ++dim)
    parts *= along(dim);
  return parts;
}

RankedTensorType TileParts::type() const { return whole.clone(llvm::map_to_vector(whole.getShape(), partExtent)); }

SmallVector<int64_t> TileParts::position(size_t part) const {
  SmallVector<int64_t> found(whole.getRank());
  for (unsigned dim = whole.getRank(); dim-- > 0; part /= along(dim))
    found[dim] = static_cast<int64_t>(part) % along(dim);
  return found;
}

size_t TileParts::at(ArrayRef<int64_t> position) const {
  size_t part = 0;
  for (auto [dim, number] : llvm::enumerate(position))
    part = part * along(dim) + number;
  return part;
}

SmallVector<int64_t> TileParts::corner(size_t part) const {
  SmallVector<int64_t> found = position(part);
  for (auto [dim, number] : llvm::enumerate(found))
    number *= extent(dim);
  return found;
}

bool hasParts(RankedTensorType type) {
  return llvm::any_of(type.getShape(), [](int64_t extent) { return extent != partExtent(extent); });
}

/// Elements of the dimensions before each divided one, its extent, and so on.
static SmallVector<int64_t> dividedExtents(RankedTensorType type) {
  SmallVector<int64_t> extents;
  int64_t between = 1;
  for (int64_t extent : type.getShape()) {
    if (extent == partExtent(extent)) {
      between *= extent;
      continue;
    }
    extents.append({between, extent});
    between = 1;
  }
  extents.push_back(between);
  return extents;
}

bool haveSameParts(RankedTensorType one, RankedTensorType other) {
  return dividedExtents(one) == dividedExtents(other);
}

} // namespace tawa
