// SharedBudget: the shared memory used besides the slots of rings. The depth of rings is fitted to it
// (roles/SlotPlan), and the search for configurations takes it into account (analysis/WorkSummary).
#pragma once

#include "compiler/analysis/TileStores.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/artifact/RingSlots.h"

namespace tawa {

inline constexpr int64_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes

/// Bytes of a tile in a slot.
int64_t slotBytes(mlir::RankedTensorType tile);

/// Shared memory for layout conversions at the end: accesses through pointers, of tiles combined with or derived from
/// an accumulator, need other neighbours per thread; sums of which warps have slices are added up. `isElsewhere` of
/// what needs none of it, such as loads that come in slots. `stores` of this kernel knows what TMA stores.
int64_t epilogueBytes(mlir::Operation *root, uint32_t warps, TmaStores &stores,
                      llvm::function_ref<bool(mlir::Operation *)> isElsewhere);

/// Of these, the sums of slices.
int64_t slicedSumBytes(mlir::Operation *root, uint32_t warps);

/// Where a role puts down operands B that it computes: wgmma reads them in shared memory.
int64_t computedOperandBytes(ws::WarpGroupOp role);

/// Bytes of operands that a consumer computes for wgmma from tiles of its own loop alone, which a converter can compute
/// instead (compiler/roles/ConvertedOperands.h).
int64_t convertedOperandBytes(ws::WarpGroupOp role);

/// Where the consumer groups of `warps` warps, each of which has some columns of a product's result, give each other
/// those of an operand A that is computed from it: in shared memory, each reads all columns.
int64_t exchangedOperandBytes(mlir::Operation *root, uint32_t warps);

/// Staging of each warp's TMA stores, once per stage: panels of 16 rows and up to 128 bytes (TawaToSM90, Stores.cpp).
int64_t panelBytes(mlir::Operation *root, uint32_t warps, TmaStores &stores);

/// Partial sums of other CTAs (TawaToSM90, ClusterSum.cpp), without saying where they may lie.
SumExchange sumExchange(tt::FuncOp func);

} // namespace tawa
