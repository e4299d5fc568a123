// Tiling: all that another choice of tile sizes changes in a kernel and in its launches.
//
// The kernel: types, constants and numbers of tiles (IterationSpace, TileNumbering). The launch: how many programs
// there are, and conditions under which tiles of the new sizes cover the same elements as those of the text. Elements
// outside of a mask or a descriptor's tensor may be covered or not; others must be covered by both, or by none.
#pragma once

#include "compiler/analysis/IterationSpace.h"
#include "compiler/analysis/TileNumbering.h"
#include "runtime/artifact/RetiledGrid.h"

namespace tawa {

class Tiling {
public:
  /// Operations with several uses tie what is unrelated (TileDims.h): give each use its own before.
  explicit Tiling(tt::FuncOp func);

  const IterationSpace &space() const { return found; }
  llvm::ArrayRef<TileNumbering> numberings() const { return numbered; }
  llvm::ArrayRef<TileCount> trips() const { return counted; }

  /// What a launch has to know for these sizes, one for each dimension.
  RetiledGrid launchFor(llvm::ArrayRef<int64_t> sizes);

private:
  /// An access: up to which element of a dimension it reaches memory.
  struct Bound {
    std::string expression;       ///< Of the launch; empty: as far as tiles reach.
    std::optional<TileForm> form; ///< The same, where known.
  };

  void closeShared();
  void closeInexpressible();
  std::string tiles(const TileCount &count, int64_t size) const;
  llvm::SmallVector<int64_t> ownSizes() const;
  std::string product(const TileNumbering &numbering, llvm::ArrayRef<int64_t> sizes) const;
  std::string elementsOfGrid(const TileNumbering &numbering) const;
  std::string end(size_t dimension, int64_t size);
  std::optional<TileForm> length(size_t dimension);
  const TileCount *countOf(size_t dimension) const;
  std::string print(const TileForm &form);

  Bound boundOf(mlir::Operation *access, size_t dimension);
  Bound boundOfBlock(mlir::Value descriptor, mlir::ValueRange indices, size_t dimension);
  Bound boundOfMask(mlir::Value mask, size_t dimension);
  Bound boundOfCompare(mlir::Operation *compare, size_t dimension);
  bool isConfined(mlir::Value pointer, int cls);
  bool isZeroOutside(mlir::Value operand, size_t dimension);

  bool shows(mlir::Operation *access, size_t dimension);
  bool isUnboundedSum(mlir::Operation *op, size_t dimension);
  void forEachAccess(size_t dimension, llvm::function_ref<void(mlir::Operation *)> call);
  void addAccesses(size_t dimension, int64_t size, RetiledGrid &launch);
  void addAccess(mlir::Operation *access, size_t dimension, int64_t size, RetiledGrid &launch);
  void addPrograms(const TileNumbering &numbering, llvm::ArrayRef<int64_t> sizes, RetiledGrid &launch);

  tt::FuncOp func;
  IterationSpace found;
  std::vector<TileNumbering> numbered;
  std::vector<TileCount> counted;
};

} // namespace tawa
