// TileParts: a tile with extents that are not powers of two, in equal parts whose extents are.
//
//   tensor<128x192xf32>: three parts tensor<128x64xf32>, at columns 0, 64 and 128
//
// The extent of a part is the largest power of two that divides the tile's. Parts are numbered row by row, so
// operations that only add or drop dimensions of size 1 keep their numbers.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

namespace tawa {

/// The largest power of two that divides an extent.
inline int64_t partExtent(int64_t extent) { return extent & -extent; }

class TileParts {
public:
  explicit TileParts(mlir::RankedTensorType whole) : whole(whole) {}

  size_t count() const;
  /// Of each part.
  mlir::RankedTensorType type() const;
  bool isDivided(unsigned dim) const { return extent(dim) != whole.getDimSize(dim); }
  int64_t extent(unsigned dim) const { return partExtent(whole.getDimSize(dim)); }
  /// How many parts lie along a dimension.
  int64_t along(unsigned dim) const { return whole.getDimSize(dim) / extent(dim); }

  /// Of a part: how many lie before it along each dimension.
  llvm::SmallVector<int64_t> position(size_t part) const;
  size_t at(llvm::ArrayRef<int64_t> position) const;
  /// The first element of a part along each dimension.
  llvm::SmallVector<int64_t> corner(size_t part) const;

private:
  mlir::RankedTensorType whole;
};

/// Whether the tile has to be divided.
bool hasParts(mlir::RankedTensorType type);

/// Whether two tiles of as many elements have parts that hold the same of them, in order: with the same divided
/// extents, and as many elements between these.
bool haveSameParts(mlir::RankedTensorType one, mlir::RankedTensorType other);

} // namespace tawa
