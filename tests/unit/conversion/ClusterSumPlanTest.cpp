// Accesses and rounds of a sum over the CTAs of a program.
#include "compiler/target/hopper/TawaToSM90/ClusterSumPlan.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

TEST(ClusterSumPlan, ThreadsSendSixteenBytesAtATime) {
  ClusterSumPlan plan = planClusterSum(/*registers=*/64, /*elementBits=*/32, /*threads=*/128, /*split=*/2);
  EXPECT_EQ(plan.words, 4u);
  EXPECT_EQ(plan.vectors, 16u);
  EXPECT_EQ(plan.vectorBytes, 2048u);
  EXPECT_EQ(plan.roundBytes(), 64u * 4 * 128);
}

TEST(ClusterSumPlan, NarrowElementsShareWords) {
  ClusterSumPlan plan = planClusterSum(4, 16, 32, 2);
  EXPECT_EQ(plan.words, 2u);
  EXPECT_EQ(plan.vectors, 1u);
  EXPECT_EQ(plan.roundBytes(), 4u * 2 * 32);
}

TEST(ClusterSumPlan, AWordIsTheLeast) { EXPECT_EQ(planClusterSum(1, 8, 32, 2).words, 1u); }

TEST(ClusterSumPlan, RoundsHalveTheRanks) {
  EXPECT_EQ(planClusterSum(4, 32, 128, 1).rounds, 0u);
  EXPECT_EQ(planClusterSum(4, 32, 128, 2).rounds, 1u);
  EXPECT_EQ(planClusterSum(4, 32, 128, 3).rounds, 2u);
  EXPECT_EQ(planClusterSum(4, 32, 128, 8).rounds, 3u);
}

TEST(ClusterSumPlan, EachRoundHasItsOwnBufferAndBarrier) {
  ClusterSumPlan plan = planClusterSum(4, 32, 128, 4);
  plan.buffers = 1024;
  plan.barriers = 8192;
  EXPECT_EQ(plan.buffer(0), 1024u);
  EXPECT_EQ(plan.buffer(1), 1024u + plan.roundBytes());
  EXPECT_EQ(plan.full(1), 8200u);
  EXPECT_EQ(plan.barrierCount(), 2u);
}

TEST(ClusterSumPlan, RoundsShareABufferInRings) {
  ClusterSumPlan plan = planClusterSum(4, 32, 128, 4);
  plan.usesRings = true;
  plan.barriers = 8192;
  EXPECT_EQ(plan.buffer(1), plan.buffer(0));
  EXPECT_EQ(plan.full(1), 8200u);
  EXPECT_EQ(plan.empty(0), 8208u) << "after the full barriers of both rounds";
  EXPECT_EQ(plan.barrierCount(), 4u);
}

} // namespace
} // namespace tawa
