// TileDims: which dimensions of a kernel's tensors are the same one. Operations tie dimensions of their operands and
// results together:
//
//   %p = tt.broadcast %q : tensor<128x1x..> -> tensor<128x64x..>      rows of %p are those of %q
//   %d = tt.dot %a, %b, %c                                            rows of %d: of %a, %c; columns of %a: rows of %b
//   %x = tt.descriptor_load %desc[..]                                 dimensions of %x: of the descriptor's block
//
// All dimensions of a class have one size, and could have another size together. Not so where an operation computes
// across a dimension, or takes it apart: such a class is bound. Dimensions of size 1 belong to no class.
//
// Operations that several users share (a range, a constant) tie what is not related; tawa-retile gives each user its
// own before it asks.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include <map>

namespace tawa {

class TileDims {
public:
  static constexpr int kNone = -1; ///< The class of a dimension of size 1.

  explicit TileDims(tt::FuncOp func);

  /// The class of a dimension of a tensor, or of the blocks of a descriptor.
  int of(mlir::Value value, unsigned dim) const;
  /// Those of all dimensions.
  llvm::SmallVector<int> of(mlir::Value value) const;

  unsigned count() const { return static_cast<unsigned>(sizes.size()); }
  int64_t sizeOf(int cls) const { return sizes[cls]; }
  /// The operation because of which the class can have no other size; null where there is none.
  mlir::Operation *boundBy(int cls) const { return bound[cls]; }

private:
  using Dim = std::pair<void *, unsigned>; ///< Of an opaque value.

  void add(mlir::Operation *op);
  void addShape(mlir::Operation *op);
  void tie(mlir::Value a, unsigned dimOfA, mlir::Value b, unsigned dimOfB);
  void tieAll(mlir::Value a, mlir::Value b);
  void tieBlock(mlir::Value descriptor, mlir::Value tile);
  void tieReshaped(mlir::Operation *op, mlir::Value from, mlir::Value to);
  void tieJoined(mlir::Operation *op, mlir::ValueRange parts, mlir::Value joined);
  void tieDot(tt::DotOp dot);
  void tieElementwise(mlir::Operation *op);
  void bind(mlir::Operation *op, mlir::Value value, unsigned dim);
  void bindDims(mlir::Operation *op, mlir::Value value);
  void bindAll(mlir::Operation *op);
  void number(tt::FuncOp func);

  llvm::EquivalenceClasses<Dim> ties;
  std::vector<std::pair<Dim, mlir::Operation *>> boundDims;
  std::map<Dim, int> numbers;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::Operation *> bound;
};

/// The shape of a tensor, or of the blocks of a descriptor; empty for anything else.
llvm::ArrayRef<int64_t> tileShapeOf(mlir::Type type);

} // namespace tawa
