// BlockAccess: the elements of one block of a strided tensor in memory as a tensor of pointers and a mask. Block
// pointers and tensor descriptors become plain loads, stores and atomics through it.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Builders.h"

namespace tawa {

/// A strided tensor in memory. Sizes and strides count elements and are i32 or i64, outermost dimension first.
struct StridedTensor {
  mlir::Value base; ///< Pointer to its first element.
  llvm::SmallVector<mlir::Value> shape, strides;
};

/// One dimension of a block.
struct BlockAxis {
  int64_t size = 1;     ///< Elements of the block along it.
  mlir::Value corner;   ///< Index of the first of them, i32 or i64; null: `indices` says all.
  mlir::Value indices;  ///< A tensor of `size` integers in place of consecutive ones.
  bool checked = true;  ///< Whether indices outside of the tensor are masked off.
  bool dropped = false; ///< The result does not have this dimension; its size is 1.
};

struct BlockAccess {
  mlir::Value pointers; ///< Of the block's shape, without the dropped dimensions.
  mlir::Value mask;     ///< Likewise; null where nothing is masked off.
};

/// The block's elements in `tensor`. The address of an element outside of the tensor is only formed, never accessed,
/// as long as its axis is checked.
BlockAccess accessBlock(mlir::OpBuilder &builder, mlir::Location loc, const StridedTensor &tensor,
                        llvm::ArrayRef<BlockAxis> axes);

} // namespace tawa
