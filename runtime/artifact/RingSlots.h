// RingSlots: the number of slots of each ring of a configuration. The compiler (compiler/roles/SlotPlan) and the
// performance model share the rule; the latter applies it to configurations that are never compiled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tawa {

inline constexpr int64_t kMostSlots = 4; // that D=0 gives: more hide no more latency

/// Shared memory for barriers, alignment, and exchanges of reductions, in every kernel.
inline constexpr int64_t kSmallBuffers = 2048;

/// Cost and benefit of the slots of one ring.
struct RingWork {
  int64_t slotBytes = 0;            ///< As shared memory will hold it.
  bool repeats = false;             ///< In a loop; a ring that is filled once has one slot whatever D is.
  bool isOuter = false;             ///< In a loop around the one that fills another ring.
  int64_t usefulSlots = kMostSlots; ///< More hide no more of a load, as the products of a round do.
  int64_t transposedBytes = 0;      ///< Of the tiles of a slot that the matrix unit cannot read as they are loaded.
  bool operator==(const RingWork &) const = default;
};

/// The same rings in a kernel whose text is inside a loop over tiles.
std::vector<RingWork> ringsInTileLoop(std::span<const RingWork> rings);

/// Shared memory of rings.
struct RingBytes {
  int64_t once = 0;  ///< Of those with one slot whatever D is.
  int64_t inner = 0; ///< Of one slot of all others, but for
  int64_t outer = 0; ///< of one slot of those that are filled around others.
};
/// With another ring of as many slots for transposed tiles, or without: then all are transposed into one buffer.
RingBytes ringBytes(std::span<const RingWork> rings, bool ofTransposedToo);

struct SlotCounts {
  int64_t slots = 0;             ///< Of the rings with more than one; fewer than `least`: they do not fit.
  bool outerHaveOneSlot = false; ///< Of the others, those that are filled around them.
};

/// Where `asked` is 0, as many slots as are useful and fit `room` bytes, including those of transposed tiles, and at
/// least `least`, the dots in flight; else `asked`. Rings that are filled around others get one slot where these get
/// more slots in return, so that the number that is found, asked for, gives the same.
SlotCounts slotCounts(std::span<const RingWork> rings, int64_t room, int64_t asked, int64_t least);

/// Shared memory of a kernel of one role whose loops load tiles ahead through slots.
struct OwnSlots {
  int64_t slotBytes = 0, otherBytes = 0, sharedBytes = 0; ///< Of a slot; beside all slots; in all.
};
/// Slots of such a kernel; 0: no two fit, or fewer are asked for. Where `asked` is 0, as many as leave room for a
/// second CTA, and at least one more than dots in flight: these hold their slots, so that with as many nothing is
/// loaded ahead.
int64_t countOwnSlots(const OwnSlots &room, int64_t asked, int64_t inFlight);

/// What the CTAs of one program pass to each other to add up their parts.
struct SumExchange {
  int64_t roundBytes = 0, rounds = 0;
  bool mayUseRings = false; ///< The rings are empty by then, all of them.
};

/// Slots, and shared memory for parts of sums beside those of rings: buffers for each round where there is room, for
/// then no CTA waits for another's; else nothing, where one round fits the slots.
struct ExchangeFit {
  SlotCounts slots;
  int64_t besideBytes = 0;
  bool usesRings = false;
};
ExchangeFit fitExchange(std::span<const RingWork> rings, const SumExchange &sums, int64_t room, int64_t asked,
                        int64_t least);

/// Whether parts of sums may lie in the slots: those that are only filled by the loop over the parts, by loads.
bool canHoldSums(std::span<const RingWork> rings);

} // namespace tawa
