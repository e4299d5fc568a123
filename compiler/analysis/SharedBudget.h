// SharedBudget: what shared memory holds beside the slots of rings. The depth of rings is fitted to it
// (roles/SlotPlan), and the search for configurations counts with it (analysis/WorkSummary).
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "runtime/artifact/RingSlots.h"

namespace tawa {

inline constexpr int64_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes

/// Bytes of a tile in a slot.
int64_t slotBytes(mlir::RankedTensorType tile);

/// Shared memory that moves tensors between threads at the end: accesses through pointers, of tiles that meet an
/// accumulator or come from one, want other neighbours in a thread than it has. `travels` are loads that come in slots.
int64_t epilogueBytes(mlir::Operation *root, uint32_t warps, llvm::function_ref<bool(mlir::Operation *)> travels);

/// Where each warp stages what it stores by TMA, once per stage: panels of 16 rows and up to 128 bytes (TawaToSM90,
/// Stores.cpp).
int64_t panelBytes(mlir::Operation *root, uint32_t warps);

/// Where the parts of sums that CTAs share come in: a buffer for each round (TawaToSM90, ClusterSum.cpp).
int64_t sumBytes(tt::FuncOp func);

} // namespace tawa
