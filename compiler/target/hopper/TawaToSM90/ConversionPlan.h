// Plans how a tensor gets from one register layout to another, from the two maps alone (no MLIR here):
//   - registers are only renamed, where every thread already holds all that it needs;
//   - shuffles, where every warp does;
//   - scratch in shared memory otherwise, in a layout that both sides access in wide, conflict-free pieces.
#pragma once

#include "compiler/layouts/algebra/SharedAccessPlan.h"

namespace tawa {

/// Input bits that only replicate what the other bits reach. With all of them zero every element is held exactly once.
/// Warp bits are preferred as copies over lane bits, and those over register bits.
struct Copies {
  uint32_t registers = 0, lanes = 0, warps = 0;
};
Copies findCopies(const LinearLayout &layout);

/// The images of the bits of one input dimension as packed coordinates, in the order of the layout's outputs.
std::vector<uint32_t> packedBases(const LinearLayout &layout, const char *in);
/// XOR of the bases of the set bits of `index`.
uint32_t combineBases(const std::vector<uint32_t> &bases, uint32_t index);

/// Where a thread of the result finds its elements within its own warp. All three are linear in (register, lane, warp)
/// of the result; each list has one entry per bit.
struct WarpLocalPlan {
  struct Source {
    uint32_t reg = 0, lane = 0;
  };
  std::vector<Source> registers, lanes, warps;

  /// True when no lane needs another lane's registers.
  bool staysInThread() const;
  /// Offsets on the source register that depend on the thread: a basis of them, and for each bit of lane and warp which
  /// of them it adds.
  std::vector<uint32_t> selectors;
  std::vector<uint32_t> laneSelect, warpSelect;

  Source ofRegister(uint32_t index) const;

  /// For each selector, masks of lane and warp bits that add it where an odd number of them is set.
  std::vector<std::pair<uint32_t, uint32_t>> selectorMasks() const;
  /// The number of consecutive result registers with a common source lane, limited to those that share a 32-bit word.
  unsigned registersPerShuffle(unsigned elementBits) const;
  size_t countShuffles(unsigned elementBits) const;
  /// The lowest register of the result with the same elements as this one, as far as zero bases tell.
  uint32_t originalOf(uint32_t index) const;
};
/// None when some element is in another warp.
std::optional<WarpLocalPlan> planWarpLocal(const LinearLayout &from, const LinearLayout &to);

struct ScratchPlan {
  LinearLayout layout; ///< offset -> coordinates
  SharedAccessPlan write, read;
  uint32_t bytes = 0;
};
/// The scratch layout found cheapest for writing `from` and reading `to`. Elements have 8, 16, 32 or 64 bits.
ScratchPlan planScratch(const LinearLayout &from, const LinearLayout &to, unsigned elementBits, bool hasStmatrix);

/// Both layouts without a register bit that has the same meaning in both: the conversion is then done in two rounds.
struct HalvedConversion {
  LinearLayout from, to;
  unsigned fromBit = 0, toBit = 0; ///< The register bits taken away.
};
std::optional<HalvedConversion> halve(const LinearLayout &from, const LinearLayout &to);

} // namespace tawa
