// ClusterSumPlan.cpp: accesses of up to 16 bytes, adjacent across threads.
#include "compiler/target/hopper/TawaToSM90/ClusterSumPlan.h"
#include "compiler/target/hopper/TawaToSM90/RingPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tawa {

static constexpr uint32_t kVectorWords = 4, kWordBytes = 4;

uint32_t ClusterSumPlan::full(uint32_t round) const { return barriers + round * kBarrierBytes; }

uint32_t ClusterSumPlan::empty(uint32_t round) const { return full(rounds + round); }

ClusterSumPlan planClusterSum(uint32_t registers, uint32_t elementBits, uint32_t threads, uint32_t split) {
  uint32_t words = llvm::divideCeil(registers * elementBits, 8 * kWordBytes);
  ClusterSumPlan plan;
  plan.words = std::min(words, kVectorWords);
  plan.vectorBytes = plan.words * kWordBytes * threads;
  plan.vectors = words / plan.words;
  plan.rounds = llvm::Log2_32_Ceil(split);
  return plan;
}

} // namespace tawa
