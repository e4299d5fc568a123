// Plans the exchange of partial sums between the CTAs of a program, as numbers (no MLIR). In round i the ranks that are
// odd multiples of 2^i send their part to the even multiple below. Each round has an mbarrier and a buffer of its own,
// or all have one buffer in the slots of rings; then a second mbarrier tells the sender that the buffer is free.
#pragma once

#include <cstdint>

namespace tawa {

struct ClusterSumPlan {
  uint32_t words = 0;       ///< Of one access.
  uint32_t vectors = 0;     ///< Accesses of one thread.
  uint32_t vectorBytes = 0; ///< One access of all threads.
  uint32_t rounds = 0;
  uint32_t buffers = 0, barriers = 0; ///< Byte offsets of round 0.
  bool usesRings = false;

  uint32_t roundBytes() const { return vectors * vectorBytes; }
  uint32_t buffer(uint32_t round) const { return buffers + (usesRings ? 0 : round * roundBytes()); }
  uint32_t barrierCount() const { return usesRings ? 2 * rounds : rounds; }
  uint32_t full(uint32_t round) const;
  uint32_t empty(uint32_t round) const; ///< Of the sender; only where rings are used.
};

/// Without offsets: each of `threads` threads adds `registers` elements with those of `split` CTAs.
ClusterSumPlan planClusterSum(uint32_t registers, uint32_t elementBits, uint32_t threads, uint32_t split);

} // namespace tawa
