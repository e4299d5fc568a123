// Tries what stores can have, from all to nothing, until enough slots fit beside it.
#include "runtime/artifact/StoreRoom.h"

#include <algorithm>

namespace tawa {

static constexpr int64_t kOverlappingSlots = 2; // one is read, one is filled

bool canStageStores(const RingWork &ring, int64_t stagingBytes, bool outerHaveOneSlot) {
  bool hasOneSlot = !ring.repeats || (ring.isOuter && outerHaveOneSlot);
  return hasOneSlot && ring.transposedBytes == 0 && ring.slotBytes >= stagingBytes;
}

static int64_t bytesOf(std::span<const RingWork> rings, const SlotCounts &counts) {
  RingBytes bytes = ringBytes(rings, /*ofTransposedToo=*/true);
  return bytes.once + bytes.inner * counts.slots + bytes.outer * (counts.outerHaveOneSlot ? 1 : counts.slots);
}

StoreRoom chooseStoreRoom(std::span<const RingWork> rings, const StoreNeed &need, bool mayLend, int64_t room,
                          int64_t asked, int64_t least) {
  auto countsBeside = [&](int64_t bytes) { return slotCounts(rings, room - bytes, asked, least); };
  auto suits = [&](const StoreRoom &choice) {
    SlotCounts counts = countsBeside(choice.bytes);
    auto lends = [&](const RingWork &ring) { return canStageStores(ring, need.stagingBytes, counts.outerHaveOneSlot); };
    if (choice.inSlot && !std::ranges::any_of(rings, lends))
      return false;
    return asked != 0 ? bytesOf(rings, counts) <= room - choice.bytes
                      : counts.slots >= std::max(least, kOverlappingSlots);
  };
  const StoreRoom all{false, true, need.stagingBytes + need.scratchBytes};
  for (bool exchanges : {true, false})
    for (bool inSlot : {false, true}) {
      StoreRoom choice{inSlot, exchanges, (inSlot ? 0 : need.stagingBytes) + (exchanges ? need.scratchBytes : 0)};
      bool isChoice = (exchanges || need.scratchBytes != 0) && (!inSlot || (mayLend && need.stagingBytes != 0));
      if (isChoice && suits(choice))
        return choice;
    }
  return all;
}

} // namespace tawa
