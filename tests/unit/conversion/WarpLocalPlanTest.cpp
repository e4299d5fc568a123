// The shuffles of a conversion within a warp.
#include "compiler/target/hopper/TawaToSM90/ConversionPlan.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

/// A plan of as many register bits of the result; each entry is the source's {register, lane}.
WarpLocalPlan planOf(std::vector<WarpLocalPlan::Source> registers, std::vector<uint32_t> selectors = {}) {
  WarpLocalPlan plan;
  plan.registers = std::move(registers);
  plan.selectors = std::move(selectors);
  return plan;
}

TEST(WarpLocalPlan, OneShuffleForEachRegisterAndWord) {
  WarpLocalPlan plan = planOf({{0, 1}, {0, 2}});
  EXPECT_EQ(plan.countShuffles(32), 4u);
  EXPECT_EQ(plan.countShuffles(64), 8u);
}

TEST(WarpLocalPlan, NarrowElementsOfOneLaneShareAWord) {
  WarpLocalPlan plan = planOf({{1, 0}, {2, 0}, {0, 1}});
  EXPECT_EQ(plan.registersPerShuffle(8), 4u);
  EXPECT_EQ(plan.registersPerShuffle(16), 2u);
  EXPECT_EQ(plan.registersPerShuffle(32), 1u);
  EXPECT_EQ(plan.countShuffles(8), 2u);
  EXPECT_EQ(planOf({{0, 1}, {1, 0}}).registersPerShuffle(8), 1u) << "the lowest bit changes the lane";
}

TEST(WarpLocalPlan, EachSelectorDoublesThem) {
  EXPECT_EQ(planOf({{0, 1}}, {2}).countShuffles(32), 4u);
  EXPECT_EQ(planOf({{0, 1}}, {2, 4}).countShuffles(32), 8u);
}

TEST(WarpLocalPlan, CopiesAreMadeOnce) {
  WarpLocalPlan plan = planOf({{0, 0}, {0, 1}, {0, 0}});
  EXPECT_EQ(plan.countShuffles(32), 2u);
  EXPECT_EQ(plan.originalOf(7), 2u);
  EXPECT_EQ(plan.originalOf(5), 0u);
}

TEST(WarpLocalPlan, SelectorMasksAreTheTransposeOfSelections) {
  WarpLocalPlan plan = planOf({{0, 1}}, {2, 4});
  plan.laneSelect = {0b01, 0b11, 0b00};
  plan.warpSelect = {0b10};
  std::vector<std::pair<uint32_t, uint32_t>> expected = {{0b011, 0b0}, {0b010, 0b1}};
  EXPECT_EQ(plan.selectorMasks(), expected);
}

} // namespace
} // namespace tawa
