// Computes the number of slots: as many as are useful, bounded by shared memory.
#include "runtime/artifact/RingSlots.h"

#include <algorithm>

namespace tawa {

std::vector<RingWork> ringsInTileLoop(std::span<const RingWork> rings) {
  std::vector<RingWork> inLoop(rings.begin(), rings.end());
  bool isAroundOthers = std::ranges::any_of(rings, &RingWork::repeats);
  for (RingWork &ring : inLoop) {
    ring.isOuter |= !ring.repeats && isAroundOthers;
    ring.repeats = true;
  }
  return inLoop;
}

RingBytes ringBytes(std::span<const RingWork> rings, bool ofTransposedToo) {
  RingBytes bytes;
  for (const RingWork &ring : rings) {
    int64_t &kind = !ring.repeats ? bytes.once : ring.isOuter ? bytes.outer : bytes.inner;
    kind += ring.slotBytes;
    (ofTransposedToo ? kind : bytes.once) += ring.transposedBytes;
  }
  return bytes;
}

/// For the loop with the largest need.
static int64_t usefulSlots(std::span<const RingWork> rings, int64_t least) {
  int64_t most = least;
  for (const RingWork &ring : rings)
    if (ring.repeats && !ring.isOuter)
      most = std::max(most, ring.usefulSlots);
  return most;
}

SlotCounts slotCounts(std::span<const RingWork> rings, int64_t room, int64_t asked, int64_t least) {
  int64_t most = asked != 0 ? asked : usefulSlots(rings, least);
  auto fitting = [most](int64_t bytes, int64_t slot) { return slot == 0 ? most : std::min(most, bytes / slot); };
  RingBytes bytes = ringBytes(rings, /*ofTransposedToo=*/true);
  room -= bytes.once;
  int64_t together = fitting(room, bytes.inner + bytes.outer), innerAlone = fitting(room - bytes.outer, bytes.inner);
  bool isApart = bytes.outer != 0 && innerAlone > together;
  if (asked != 0)
    return {asked, isApart};
  return {isApart ? innerAlone : together, isApart};
}

int64_t countOwnSlots(const OwnSlots &room, int64_t asked, int64_t inFlight) {
  constexpr int64_t least = 2, mostAsked = 8; // further ahead the state of barriers is not followed
  auto fits = [&](int64_t slots, int64_t bytes) { return room.otherBytes + slots * room.slotBytes <= bytes; };
  int64_t most = asked != 0 ? std::min(asked, mostAsked) : std::max(kMostSlots, inFlight + 1);
  int64_t slots = std::max(least, inFlight);
  if (room.slotBytes == 0 || most < slots || !fits(slots, room.sharedBytes))
    return 0;
  if (asked == 0 && slots == inFlight && fits(slots + 1, room.sharedBytes))
    ++slots;
  int64_t bytes = asked != 0 ? room.sharedBytes : room.sharedBytes / 2;
  while (slots < most && fits(slots + 1, bytes))
    ++slots;
  return slots;
}

bool canHoldSums(std::span<const RingWork> rings) {
  return !rings.empty() && std::ranges::all_of(rings, [](const RingWork &ring) {
    return ring.repeats && !ring.isOuter && ring.transposedBytes == 0;
  });
}

ExchangeFit fitExchange(std::span<const RingWork> rings, const SumExchange &sums, int64_t room, int64_t asked,
                        int64_t least) {
  SlotCounts whole = slotCounts(rings, room, asked, least);
  int64_t own = sums.roundBytes * sums.rounds, taken = whole.slots * ringBytes(rings, /*ofTransposedToo=*/true).inner;
  bool usesRings = sums.mayUseRings && taken + own > room && taken >= sums.roundBytes;
  if (usesRings)
    return {whole, 0, true};
  return {slotCounts(rings, room - own, asked, least), own, false};
}

} // namespace tawa
