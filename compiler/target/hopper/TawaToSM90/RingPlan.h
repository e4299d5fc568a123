// Shared-memory offsets of rings and their barriers, as numbers (no MLIR).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tawa {

inline constexpr uint32_t kBarrierBytes = 8;

/// Offsets of a ring: D slots, and (elsewhere) D full and D empty barriers.
struct RingPlan {
  uint32_t slots = 0;                     ///< Byte offset of slot 0.
  uint32_t slotBytes = 0;                 ///< Of tiles a multiple of 1024: swizzle patterns start at every slot.
  llvm::SmallVector<uint32_t> valueBytes; ///< Per payload value, without padding: what TMA will count.
  llvm::SmallVector<uint32_t> valueOffset;
  uint32_t full = 0, empty = 0; ///< Byte offsets of the barriers of slot 0.
  uint32_t depth = 0;

  uint32_t fullBarrier(uint32_t slot) const { return full + slot * kBarrierBytes; }
  uint32_t emptyBarrier(uint32_t slot) const { return empty + slot * kBarrierBytes; }
};

/// The depth to which the deepest rings of a kernel are reduced together to save `excess` bytes; 0 where no depth
/// suffices. Rings with a single put have one slot whatever the others have; none where all rings are such.
std::optional<uint32_t> fittingDepth(llvm::ArrayRef<RingPlan> rings, uint32_t excess);

} // namespace tawa
