// TileStores: the tiles that TMA stores to global memory.
//
// A wgmma accumulator, or a tile computed from it elementwise, can be stored through swizzled panels that each warp
// stages for itself (compiler/layouts/algebra/StorePanels.cpp). TMA writes later than program order: nothing in the
// kernel may read the result.
#pragma once

#include "compiler/analysis/DotKind.h"
#include "compiler/frontend/TT/TT.h"

namespace tawa {

/// The layout in which `warps` warps hold a tile of this shape that TMA stores: that of wgmma, and of its accumulator
/// transposed (tawa-transpose-dots) where the tile has fewer rows than a wgmma.
AccumulatorPlan planStoredAccumulator(int64_t rows, int64_t cols, uint32_t warps);

/// Whether `warps` warps hold `tile` in the layout of wgmma, transposed or not, in panels that TMA can store.
bool isStorableAccumulator(mlir::Value tile, uint32_t warps);

/// Whether an operation that may run after `store` reads what it wrote, or signals other programs that it is there, or
/// whether another operation of the kernel writes to the same tensor through pointers.
bool needsTextOrder(tt::FuncOp func, mlir::Operation *store, uint32_t warps);

/// Whether TMA does this store in a kernel that is split into roles, `warps` warps holding the tile.
bool storesByTma(tt::DescriptorStoreOp store, uint32_t warps);
/// The same for an addition to memory, whose order relative to others of its kind is not observable.
bool addsByTma(tt::DescriptorReduceOp reduce, uint32_t warps);

} // namespace tawa
