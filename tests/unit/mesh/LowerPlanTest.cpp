#include "runtime/mesh/core/LowerPlan.h"
#include "tests/unit/mesh/GemmPlans.h"

#include <gtest/gtest.h>

namespace tawa::mesh {
namespace {

using namespace examples;

TEST(LowerPlanTest, PrintsABroadcastAndAHoistedLoad) {
  TileProgram program = gemm({.m = 256, .n = 512, .k = 256});
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), perCore(1, 8));
  Lowered lowered = lowerPlan(plan, program, grid(2, 2));
  ASSERT_TRUE(lowered.isOk()) << lowered.detail;
  EXPECT_EQ(lowered.program.str(), R"(gemm on y in 0..2 x in 0..2
  buffer a: 2 x 16384 bytes
  buffer b: 16 x 16384 bytes
  buffer c: 2 x 32768 bytes
  semaphore ready_a_x
  semaphore valid_a_x
  reader:
    reserve b 8
    for wave_n in 0..2
      for k in 0..4
        read b[4 * wave_n + k] <- b[64 * k, 128 * x + 256 * wave_n]
    for wave_n in 0..2
      for k in 0..4
        barrier reads of 1, -4 * wave_n + -1 * k + 7 under way
        push b 1
    for wave_n in 0..2
      for k in 0..4
        reserve a 1
        barrier writes of 0, 1 under way
        if x == 0
          read a[0] <- a[128 * y, 64 * k]
        if x != 0
          signal ready_a_x of core (y, 0)
        if x == 0
          await ready_a_x 1
        if x == 0
          barrier reads of 0, 0 under way
        if x != 0
          await valid_a_x 1
        if x == 0
          forward a[0] to line x
          signal valid_a_x of line x
        push a 1
    barrier writes of 0, 0 under way
  compute:
    for wave_n in 0..2
      for k in 0..4
        wait a 1
        wait b 4 * wave_n + k + 1
        compute tt.dot from a[0], b[4 * wave_n + k]
        pop a 1
      reserve c 1
      compute to c[0]
      push c 1
    pop b 8
  writer:
    for wave_n in 0..2
      wait c 1
      write c[128 * y, 128 * x + 256 * wave_n] <- c[0]
      barrier writes of 2, 0 under way
      pop c 1
)");
}

/// What remains of the compute thread on a ragged grid: cores without work take their neighbours' tiles and drop them.
TEST(LowerPlanTest, IdleCoresTakePartInWhatTheyShare) {
  TileProgram program = gemm({.m = 128, .n = 384, .k = 64});
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), perCore(3));
  Lowered lowered = lowerPlan(plan, program, grid(1, 4));
  ASSERT_TRUE(lowered.isOk()) << lowered.detail;
  std::string text = lowered.program.str();
  size_t compute = text.find("  compute:"), writer = text.find("  writer:");
  EXPECT_EQ(text.substr(compute, writer - compute), R"(  compute:
    if x < 3
      wait a 1
      wait b 1
      compute tt.dot from a[0], b[0]
    wait a 1
    pop a 1
    if x < 3
      pop b 1
      reserve c 1
      compute to c[0]
      push c 1
)");
}

TEST(LowerPlanTest, WavefrontPassesFromNeighbourToNeighbour) {
  TileProgram program = gemm({.m = 512, .n = 128, .k = 64});
  Plan plan = planOverRows(perCore(3), shared(Movement::Wavefront, {1, 0}, 3));
  Lowered lowered = lowerPlan(plan, program, grid(2, 2));
  ASSERT_TRUE(lowered.isOk()) << lowered.detail;
  std::string text = lowered.program.str();
  EXPECT_NE(text.find(R"(
    if y == 0 and x != 1
      forward b[0] to core (y, (x + 1) % 2)
      signal valid_b_x of core (y, (x + 1) % 2)
    if y != 1
      forward b[0] to core ((y + 1) % 2, x)
      signal valid_b_y of core ((y + 1) % 2, x)
)"),
            std::string::npos)
      << text;
}

/// A tile is popped after the last operator that reads it, and what loops inside may read, after them.
TEST(LowerPlanTest, SegmentsOfAttention) {
  TileProgram program = attention({.heads = 2, .queries = 512, .keys = 256});
  Plan plan;
  plan.splits = {{{0}}, {{1}}};
  plan.waves = {0, 1};
  plan.loads = {perCore(2), shared(Movement::Broadcast, {1}, 3), shared(Movement::Broadcast, {1}, 3)};
  plan.stores = {{1, 0}};
  Lowered lowered = lowerPlan(plan, program, grid(2, 2));
  ASSERT_TRUE(lowered.isOk()) << lowered.detail;
  std::string text = lowered.program.str();
  size_t compute = text.find("  compute:"), writer = text.find("  writer:");
  EXPECT_EQ(text.substr(compute, writer - compute), R"(  compute:
    for wave_q in 0..2
      wait q 1
      compute from q[0]
      for k in 0..2
        wait k 1
        compute tt.dot softmax from k[0]
        pop k 1
        wait v 1
        compute tt.dot from v[0]
        pop v 1
      reserve o 1
      compute to o[0]
      push o 1
      pop q 1
)");
}

struct Refusal {
  const char *what;
  PlanFault fault;
  void (*change)(Plan &);
};

class RefusedPlan : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedPlan, HasItsReason) {
  TileProgram program = gemm({.m = 384, .n = 512, .k = 256});
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), perCore(3));
  ASSERT_TRUE(lowerPlan(plan, program, grid(2, 2)).isOk());
  GetParam().change(plan);
  Lowered lowered = lowerPlan(plan, program, grid(2, 2));
  EXPECT_EQ(lowered.fault, GetParam().fault) << name(lowered.fault) << ": " << lowered.detail;
  EXPECT_FALSE(lowered.detail.empty());
}

INSTANTIATE_TEST_SUITE_P(
    LowerPlanTest, RefusedPlan,
    testing::Values(Refusal{"load", PlanFault::Counts, [](Plan &plan) { plan.loads.pop_back(); }},
                    Refusal{"wave", PlanFault::Counts, [](Plan &plan) { plan.waves = {0}; }},
                    Refusal{"twice", PlanFault::Split, [](Plan &plan) { plan.splits[0].spatial = {1}; }},
                    Refusal{"turns", PlanFault::Split, [](Plan &plan) { plan.splits[0].turns = true; }},
                    Refusal{"channels", PlanFault::Split, [](Plan &plan) { plan.splits[0].spatial = {2}; }},
                    Refusal{"level", PlanFault::Level, [](Plan &plan) { plan.loads[0].level = 4; }},
                    Refusal{"tiles", PlanFault::Tiles, [](Plan &plan) { plan.loads[1].tiles = 3; }},
                    Refusal{"slots", PlanFault::Slots, [](Plan &plan) { plan.stores[0].slots = 0; }},
                    Refusal{"along", PlanFault::Movement, [](Plan &plan) { plan.loads[0].along = {1, 0}; }},
                    Refusal{"across", PlanFault::Network, [](Plan &plan) { plan.loads[0].networks = {1}; }}),
    [](const auto &info) { return info.param.what; });

} // namespace
} // namespace tawa::mesh
