// TileStores: which tiles go to global memory by TMA.
//
// A wgmma accumulator, or what was computed from it element by element, has a way through swizzled panels that each
// warp stages for itself (compiler/layouts/algebra/StorePanels.cpp). TMA writes later than the text says: nothing of
// the kernel may look at the result.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa {

/// Whether `warps` warps hold `tile` as wgmma leaves it, in panels that TMA can store.
bool isStorableAccumulator(mlir::Value tile, uint32_t warps);

/// Whether something that may run after `store` reads what it wrote, or tells other programs that it is there, or
/// whether something else of the kernel writes to the same tensor through pointers.
bool needsTextOrder(tt::FuncOp func, mlir::Operation *store, uint32_t warps);

/// Whether TMA does this store in a kernel that is split into roles, `warps` warps holding the tile.
bool storesByTma(tt::DescriptorStoreOp store, uint32_t warps);
/// The same of an addition to memory, whose order among others of its kind does not show.
bool addsByTma(tt::DescriptorReduceOp reduce, uint32_t warps);

} // namespace tawa
