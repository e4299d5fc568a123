#include "compiler/planner/model/Choice.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa::mesh::planner {
namespace {

/// A plan that keeps its second load at `level`.
RankedPlan planOf(double cycles, int level, Movement movement = Movement::PerCore) {
  RankedPlan ranked;
  ranked.plan.splits = {{{0}}, {{1}}};
  ranked.plan.waves = {0, 1};
  ranked.plan.loads = {{movement, {}, {}, 3, 1, 16384, 2}, {Movement::PerCore, {}, {}, level, 1, 16384, 2}};
  ranked.plan.estimate.cycles = cycles;
  return ranked;
}

TEST(ChoiceTest, BeginsWithTheBestAndEnds) {
  std::vector<RankedPlan> ranked = {planOf(1000, 3), planOf(1010, 2), planOf(1020, 1)};
  PlanChoice choice(ranked);
  std::vector<size_t> order;
  for (std::optional<size_t> next = choice.next(); next; next = choice.next()) {
    order.push_back(*next);
    choice.learn(*next, ranked[*next].plan.estimate.cycles);
  }
  EXPECT_EQ(order.front(), 0u);
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2}));
}

/// Of plans that the model finds nearly equal, one that is unlike those known comes first.
TEST(ChoiceTest, PrefersWhatIsUnlikeWhatIsKnown) {
  std::vector<RankedPlan> ranked = {planOf(1000, 3), planOf(1001, 3), planOf(1010, 0, Movement::Broadcast)};
  PlanChoice choice(ranked);
  choice.learn(*choice.next(), 1000);
  EXPECT_EQ(choice.next(), 2u);
}

/// But not one that the model finds slower by more than its error.
TEST(ChoiceTest, KeepsToTheModelBeyondItsError) {
  std::vector<RankedPlan> ranked = {planOf(1000, 3), planOf(1001, 3), planOf(1100, 0, Movement::Broadcast)};
  PlanChoice choice(ranked);
  choice.learn(*choice.next(), 1000);
  EXPECT_EQ(choice.next(), 1u);
}

/// What was simulated corrects the estimates of similar plans.
TEST(ChoiceTest, LearnsFromErrors) {
  std::vector<RankedPlan> ranked = {planOf(1000, 3), planOf(1001, 3), planOf(1002, 3),
                                    planOf(1080, 0, Movement::Broadcast), planOf(1081, 0, Movement::Broadcast)};
  PlanChoice slower(ranked), faster(ranked);
  slower.learn(*slower.next(), 1200);
  EXPECT_EQ(slower.next(), 3u);
  faster.learn(*faster.next(), 900);
  EXPECT_LT(*faster.next(), 3u);
}

} // namespace
} // namespace tawa::mesh::planner
