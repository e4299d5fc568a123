// Offsets of a ring's barriers, and the depth at which rings would fit.
#include "compiler/target/hopper/TawaToSM90/RingPlan.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

RingPlan ringOf(uint32_t depth, uint32_t slotBytes) {
  RingPlan ring;
  ring.depth = depth;
  ring.slotBytes = slotBytes;
  return ring;
}

TEST(RingPlan, BarriersFollowEachOther) {
  RingPlan ring = ringOf(3, 1024);
  ring.full = 4096;
  ring.empty = 4120;
  EXPECT_EQ(ring.fullBarrier(0), 4096u);
  EXPECT_EQ(ring.fullBarrier(2), 4112u);
  EXPECT_EQ(ring.emptyBarrier(0), ring.fullBarrier(3));
}

TEST(RingPlan, DeepestRingsLoseSlotsTogether) {
  RingPlan rings[] = {ringOf(4, 16384), ringOf(4, 8192), ringOf(1, 65536)};
  EXPECT_EQ(fittingDepth(rings, 1), 3u);
  EXPECT_EQ(fittingDepth(rings, 24576), 3u);
  EXPECT_EQ(fittingDepth(rings, 24577), 2u);
}

TEST(RingPlan, NoDepthFits) { EXPECT_EQ(fittingDepth(ringOf(2, 1024), 1 << 20), 0u); }

TEST(RingPlan, RingsOfOneSlotHaveNoneToLose) {
  EXPECT_EQ(fittingDepth(ringOf(1, 1024), 1), std::nullopt);
  EXPECT_EQ(fittingDepth({}, 1), std::nullopt);
}

} // namespace
} // namespace tawa
