// SumSlices: sums of products over which warps can divide K instead of columns.
//
// Of a product of few rows each warp of a role has some columns, so all of them read the whole operand A. If each has a
// slice of K instead, an element of A or B is read once; what warps summed is added up when the loop ends. That needs
// sums that a loop carries from product to product, and registers for all of them in every warp.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tawa {

/// A product that a sum grows by.
struct SummedProduct {
  tt::DotOp dot;
  llvm::SmallVector<mlir::Operation *, 2> scalings; ///< Multiplications of the product by other tiles, in their order.
  mlir::Operation *sum = nullptr;                   ///< What adds it; null where the dot does.
};

/// A sum that starts with zeros and to which a loop only adds products, scaled or not, each to what is there so far.
struct CarriedSum {
  mlir::scf::ForOp loop;
  mlir::BlockArgument carried;
  llvm::SmallVector<SummedProduct, 1> products;
};
/// Tiles of two dimensions, or batches of them.
std::optional<CarriedSum> findCarriedSum(mlir::scf::ForOp loop, mlir::BlockArgument carried);

/// Slices of K for `warps` warps that compute it on mma.sync; 1 where columns are as good.
int64_t slicesOf(const CarriedSum &sum, uint32_t warps);

/// Sums of all slices, before or after tawa-slice-sums made them of one: what goes through shared memory when a loop
/// of `root` ends. The largest, in bits.
int64_t slicedSumBits(mlir::Operation *root, uint32_t warps);

/// The largest operand B, in bytes, that threads unpack from words of several columns for a product of mma.sync whose
/// warps have columns: its neighbours along a column come from threads that have other words, through shared memory.
int64_t movedOperandBytes(mlir::Operation *root, uint32_t warps);

} // namespace tawa
