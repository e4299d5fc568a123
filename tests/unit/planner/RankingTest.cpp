#include "compiler/planner/model/Ranking.h"
#include "runtime/mesh/PlanText.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>

namespace tawa::mesh::planner {
namespace {

/// Candidates of one product: block shapes from 64 to 256.
std::vector<TileProgram> productsOf(int64_t m, int64_t n, int64_t k) {
  std::vector<TileProgram> programs;
  for (int64_t blockM : {64, 128, 256})
    for (int64_t blockN : {64, 128, 256})
      for (int64_t blockK : {32, 64, 128})
        programs.push_back(examples::gemm({m, n, k, blockM, blockN, blockK}));
  return programs;
}

size_t coresOf(const Plan &plan, int grid) { return plan.splits[grid].spatial.size(); }

TEST(RankingTest, ATallProductSpreadsItsLongSideOverAllCores) {
  Machine machine = examples::grid(8, 8);
  auto ranking = rankPlans(productsOf(16384, 256, 1024), machine);
  ASSERT_TRUE(ranking.isOk()) << ranking.status().message();
  const Plan &best = ranking->best.front().plan;
  EXPECT_EQ(coresOf(best, 0), 2u) << summary(best, productsOf(16384, 256, 1024)[ranking->best.front().program],
                                             machine);
  // The short input is shared over the array.
  EXPECT_EQ(best.loads[0].movement, Movement::PerCore);
  EXPECT_EQ(best.loads[1].along.size(), 2u);
}

TEST(RankingTest, ASquareProductSplitsBothSides) {
  auto ranking = rankPlans(productsOf(4096, 4096, 4096), examples::grid(8, 8));
  ASSERT_TRUE(ranking.isOk());
  for (const RankedPlan &ranked : ranking->best) {
    EXPECT_EQ(coresOf(ranked.plan, 0), 1u);
    EXPECT_EQ(coresOf(ranked.plan, 1), 1u);
    EXPECT_NE(ranked.plan.loads[0].movement, Movement::PerCore);
    EXPECT_NE(ranked.plan.loads[1].movement, Movement::PerCore);
  }
}

TEST(RankingTest, LeavingOutByBoundsKeepsTheBestPlans) {
  constexpr size_t kKept = 200;
  for (const Machine &machine : {examples::grid(4, 4), examples::ring(8), examples::mesh(2, 4)}) {
    auto programs = productsOf(1024, 768, 512);
    auto some = rankPlans(programs, machine, {.keep = kKept});
    auto all = rankPlans(programs, machine, {.keep = kKept, .exhaustive = true});
    ASSERT_TRUE(some.isOk() && all.isOk());
    ASSERT_EQ(some->best.size(), kKept);
    for (size_t i = 0; i < kKept; ++i) {
      EXPECT_EQ(some->best[i].plan.estimate.cycles, all->best[i].plan.estimate.cycles);
      EXPECT_EQ(summary(some->best[i].plan, programs[some->best[i].program], machine),
                summary(all->best[i].plan, programs[all->best[i].program], machine));
    }
    EXPECT_LT(some->estimated, all->estimated);
    EXPECT_EQ(all->pruned.of(PruneReason::BoundExceeded), 0);
  }
}

TEST(RankingTest, EveryPlanIsEstimatedOrCounted) {
  for (bool exhaustive : {false, true}) {
    auto ranking = rankPlans(productsOf(2048, 2048, 2048), examples::grid(4, 4), {.exhaustive = exhaustive});
    ASSERT_TRUE(ranking.isOk());
    EXPECT_EQ(ranking->plans, ranking->estimated + ranking->pruned.of(PruneReason::PlanTooLarge) +
                                  ranking->pruned.of(PruneReason::BoundExceeded));
    EXPECT_GT(ranking->pruned.of(PruneReason::PlanTooLarge), 0);
  }
}

/// m and n over one dimension of the array each, in two orders of two waves, or one of them over all cores in two
/// orders of tiling: 8 mappings.
TEST(RankingTest, CountsOneProductByHand) {
  TileProgram program = examples::gemm({.m = 2048, .n = 2048, .k = 1024});
  auto ranking = rankPlans({&program, 1}, examples::grid(8, 8), {.exhaustive = true});
  ASSERT_TRUE(ranking.isOk());
  EXPECT_EQ(ranking->mappings, 8);
  // Planes: three routes of each load; three levels of the one whose waves are outermost, and of the other.
  // Lines: one route of the load that is spread, eight of the other; two levels of each, since the other input as a
  // whole has 4 MB.
  int64_t planes = 4 * (3 * 3) * (3 * 3), lines = 4 * 2 * (8 * 2);
  EXPECT_EQ(ranking->plans, planes + lines);
}

TEST(RankingTest, FootprintsFitTheMemory) {
  Machine machine = examples::withLocalMemory(examples::grid(4, 4), 300 << 10);
  auto programs = productsOf(2048, 2048, 2048);
  auto ranking = rankPlans(programs, machine, {.keep = 1000});
  ASSERT_TRUE(ranking.isOk());
  for (const RankedPlan &ranked : ranking->best) {
    EXPECT_LE(ranked.plan.footprint, 300 << 10);
    EXPECT_EQ(ranked.plan.footprint, footprintOf(ranked.plan, programs[ranked.program]));
  }
  auto none = rankPlans(programs, examples::withLocalMemory(machine, 10 << 10));
  EXPECT_EQ(none.status().code(), StatusCode::NoValidCandidate);
}

TEST(RankingTest, EstimatesOfKeptPlansAreThoseOfTheSearch) {
  auto programs = productsOf(1024, 1024, 512);
  Machine machine = examples::grid(4, 4);
  auto ranking = rankPlans(programs, machine, {.keep = 10});
  ASSERT_TRUE(ranking.isOk());
  for (const RankedPlan &ranked : ranking->best) {
    auto estimate = estimatePlan(ranked.plan, programs[ranked.program], machine);
    ASSERT_TRUE(estimate.isOk());
    EXPECT_EQ(estimate->cycles, ranked.plan.estimate.cycles);
  }
  EXPECT_TRUE(std::ranges::is_sorted(ranking->best, {}, [](const RankedPlan &r) { return r.plan.estimate.cycles; }));
}

TEST(RankingTest, PlansThatTheModelCannotTellApartCountOnce) {
  auto programs = productsOf(1024, 1024, 512);
  Machine machine = examples::grid(4, 4);
  auto distinct = rankPlans(programs, machine, {.keep = 50});
  auto all = rankPlans(programs, machine, {.keep = 50, .distinct = false});
  ASSERT_TRUE(distinct.isOk() && all.isOk());
  auto cycles = [](const RankedPlan &ranked) { return ranked.plan.estimate.cycles; };
  EXPECT_EQ(std::ranges::adjacent_find(distinct->best, {}, cycles), distinct->best.end());
  EXPECT_NE(std::ranges::adjacent_find(all->best, {}, cycles), all->best.end());
  EXPECT_EQ(cycles(distinct->best[0]), cycles(all->best[0]));
  EXPECT_GT(cycles(distinct->best.back()), cycles(all->best.back()));
}

TEST(RankingTest, WithoutNetworksEachCoreReads) {
  auto ranking = rankPlans(productsOf(1024, 1024, 512), examples::withoutNetworks(examples::grid(4, 4)));
  ASSERT_TRUE(ranking.isOk());
  for (const RankedPlan &ranked : ranking->best)
    for (const LoadPlan &load : ranked.plan.loads)
      EXPECT_EQ(load.movement, Movement::PerCore);
}

/// Slow links make what travels over them dear: the best plan changes with the description.
TEST(RankingTest, FollowsTheMachine) {
  auto programs = productsOf(4096, 4096, 1024);
  Machine fast = examples::grid(4, 4), slow = fast;
  for (Network &network : slow.networks)
    network.bandwidth = 2;
  auto one = rankPlans(programs, fast, {.keep = 1}), other = rankPlans(programs, slow, {.keep = 1});
  ASSERT_TRUE(one.isOk() && other.isOk());
  auto stale = estimatePlan(one->best[0].plan, programs[one->best[0].program], slow);
  ASSERT_TRUE(stale.isOk());
  EXPECT_LT(other->best[0].plan.estimate.cycles, stale->cycles);
}

TEST(RankingTest, AttentionOnAGrid) {
  std::vector<TileProgram> programs;
  for (int64_t blockQ : {64, 128})
    for (int64_t blockK : {64, 128, 256})
      programs.push_back(examples::attention(
          {.heads = 64, .queries = 2048, .keys = 2048, .width = 32, .blockQ = blockQ, .blockK = blockK}));
  Machine machine = examples::grid(8, 8);
  auto best = rankPlans(programs, machine, {.keep = 1});
  auto reload = rankPlans(programs, machine, {.keep = 1, .only = Template::Reload});
  ASSERT_TRUE(best.isOk() && reload.isOk());
  EXPECT_LT(best->best[0].plan.estimate.cycles, reload->best[0].plan.estimate.cycles);
}

TEST(RankingTest, RanksALargeProductInLessThanTwoSeconds) {
  std::vector<TileProgram> programs = productsOf(4096, 4096, 4096);
  auto start = std::chrono::steady_clock::now();
  auto ranking = rankPlans(programs, examples::grid(8, 8));
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(ranking.isOk());
  std::cout << programs.size() << " block shapes, " << ranking->mappings << " mappings, " << ranking->plans
            << " plans, " << ranking->estimated << " estimated in " << time.count() << " s\n";
  EXPECT_LT(time.count(), 2);
}

} // namespace
} // namespace tawa::mesh::planner
