// Plans the exchange of partial sums between the CTAs of a program, as numbers (no MLIR): a buffer and an mbarrier for
// each round. In round i the ranks that are odd multiples of 2^i send their part to the even multiple below.
#pragma once

#include <cstdint>

namespace tawa {

struct ClusterSumPlan {
  uint32_t words = 0;       ///< Of one access.
  uint32_t vectors = 0;     ///< Accesses of one thread.
  uint32_t vectorBytes = 0; ///< One access of all threads.
  uint32_t rounds = 0;
  uint32_t buffers = 0, barriers = 0; ///< Byte offsets of round 0.

  uint32_t roundBytes() const { return vectors * vectorBytes; }
  uint32_t buffer(uint32_t round) const { return buffers + round * roundBytes(); }
  uint32_t barrier(uint32_t round) const;
};

/// Without offsets: each of `threads` threads adds `registers` elements with those of `split` CTAs.
ClusterSumPlan planClusterSum(uint32_t registers, uint32_t elementBits, uint32_t threads, uint32_t split);

} // namespace tawa
