#include "runtime/mesh/PlanText.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

namespace tawa::mesh {
namespace {

struct PlanTextTest : testing::Test {
  PlanTextTest() {
    plan.splits = {{{0}}, {{1}}};
    plan.waves = {1, 0};
    plan.loads = {{Movement::Broadcast, {1}, {0}, 2, 16, 524288, 2}, {Movement::PerCore, {}, {}, 3, 1, 32768, 2}};
    plan.stores = {{2, 65536}};
    plan.footprint = 700000;
    plan.estimate = {1234.4, 0, 0, 0, "mat"};
  }
  Machine machine = examples::grid(4, 8);
  TileProgram program = examples::gemm({.m = 1024, .n = 2048, .k = 1024});
  Plan plan;
};

TEST_F(PlanTextTest, PrintsTheNestOfACore) {
  EXPECT_EQ(str(plan, program, machine),
            "gemm on grid: 1234 cycles, mat bounds; 700000 bytes of each local memory\n"
            "parallel y in 0..4, x in 0..8\n"
            "  m = m_wave * 4 + y of 8\n"
            "  n = n_wave * 8 + x of 16\n"
            "  for n_wave in 0..2\n"
            "    for m_wave in 0..2\n"
            "      load a: 16 tiles of 128 x 64, 2 slots, 524288 bytes; broadcast along x on noc_h\n"
            "      for k in 0..16\n"
            "        use a\n"
            "        load b: 1 tile of 64 x 128, 2 slots, 32768 bytes; each core reads\n"
            "        tt.dot\n"
            "      store c: 128 x 128, 2 slots, 65536 bytes\n");
}

TEST_F(PlanTextTest, OneLine) {
  EXPECT_EQ(summary(plan, program, machine),
            "m = m_wave * 4 + y, n = n_wave * 8 + x; waves of n (2), m (2); a: broadcast along x on noc_h, 16 tiles at "
            "level 2; b: each core reads, 1 tile at level 3");
}

TEST_F(PlanTextTest, SaysWhichCoresHaveMoreWork) {
  program.indices[2].trips = TripCount{{{2, 0}, 2}, 1, 16};
  EXPECT_EQ(plan.iterationsOf(2, program, machine)[0], 2 * (2 + 10));
  std::string text = str(plan, program, machine);
  EXPECT_NE(text.find("  iterations of k: 24 to 48 on a core, 36.0 in the mean; most on (3, 0)\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("for k in 0..min(2 * m + 2, 16)\n"), std::string::npos) << text;
  plan.splits[0].turns = true;
  text = str(plan, program, machine);
  EXPECT_NE(text.find("  m = m_wave * 4 + y of 8, odd waves in reverse\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  iterations of k: 36 to 36 on a core, 36.0 in the mean\n"), std::string::npos) << text;
}

TEST_F(PlanTextTest, NestsIndicesOfSeveralDimensions) {
  plan.splits = {{{0, 1}}, {}};
  plan.waves = {0, 1};
  plan.loads[0] = {Movement::Wavefront, {0, 1}, {1, 0}, 0, 16, 0, 1};
  std::string text = str(plan, program, machine);
  EXPECT_NE(text.find("m = y * 8 + x of 8"), std::string::npos) << text;
  EXPECT_NE(text.find("wavefront along y on noc_v, then x on noc_h\n  for n_wave in 0..16"), std::string::npos) << text;
  program.indices[0].extent = 64;
  EXPECT_NE(str(plan, program, machine).find("m = (m_wave * 4 + y) * 8 + x of 64"), std::string::npos);
}

} // namespace
} // namespace tawa::mesh
