// TileStores: the tiles that TMA stores to global memory.
//
// A wgmma accumulator, or a tile computed from it elementwise, can be stored through swizzled panels that each warp
// stages for itself (compiler/layouts/algebra/StorePanels.cpp). TMA writes later than program order: nothing in the
// kernel may read the result.
#pragma once

#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/TmaCoordinates.h"
#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <utility>

namespace tawa {

/// The layout in which `warps` warps hold a tile of this shape that TMA stores: that of wgmma, and of its accumulator
/// transposed (tawa-transpose-dots) where the tile has fewer rows than a wgmma.
AccumulatorPlan planStoredAccumulator(int64_t rows, int64_t cols, uint32_t warps);

/// Whether `warps` warps hold `tile` in the layout of wgmma, transposed or not, in panels that TMA can store.
bool isStorableAccumulator(mlir::Value tile, uint32_t warps);

/// Whether an operation that may run after `store` reads what it wrote, or signals other programs that it is there, or
/// whether another operation of the kernel writes to the same tensor through pointers.
bool needsTextOrder(tt::FuncOp func, mlir::Operation *store, uint32_t warps);

/// What TMA stores in a kernel that is split into roles, and does not change while this is asked.
class TmaStores {
public:
  /// Whether TMA does this store, `warps` warps holding the tile.
  bool has(tt::DescriptorStoreOp store, uint32_t warps);
  /// The same for an addition to memory, whose order relative to others of its kind is not observable.
  bool has(tt::DescriptorReduceOp reduce, uint32_t warps);

private:
  template <typename Store> bool goesByTma(Store store, uint32_t warps);
  template <typename Store> bool findOut(Store store, uint32_t warps);

  std::optional<TmaCoordinates> coordinates; ///< Once a store has been asked for whose indices matter.
  llvm::DenseMap<std::pair<mlir::Operation *, uint32_t>, bool> known; ///< By store and warps.
};

} // namespace tawa
