// MaskReader: conditions on the elements of a tile as comparisons of affine functions. Internal to
// compiler/planner/affinize.
#pragma once

#include "compiler/planner/affinize/Linear.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tawa {

/// mesh::TileMask with its starts not yet in coordinates of the grid.
struct LinearMask {
  struct Sum {
    std::vector<int64_t> steps;
    Linear start;
  };
  std::vector<Sum> negative;
};

/// A comparison as `polynomial` < 0; unsigned ones as if both sides were positive.
std::optional<raise::Polynomial> readComparison(mlir::arith::CmpIOp compare, raise::Affine &addresses);

class MaskReader {
public:
  MaskReader(raise::Affine &addresses, LinearReader &linear) : addresses(addresses), linear(linear) {}

  /// Of an i1 or a tensor of them; nothing where it is no conjunction of comparisons of affine functions.
  std::optional<LinearMask> read(mlir::Value mask);

private:
  /// Of each dimension of a part of the mask, that of the mask; -1: one element, which is repeated.
  using Dims = llvm::SmallVector<int, 4>;

  bool add(mlir::Value part, Dims dims, LinearMask &mask);
  bool addComparison(mlir::arith::CmpIOp compare, const Dims &dims, LinearMask &mask);
  bool addNegative(const raise::Polynomial &polynomial, const Dims &dims, LinearMask &mask);

  raise::Affine &addresses;
  LinearReader &linear;
  size_t rank = 0; ///< Of the mask that is being read.
};

} // namespace tawa
