#include "tests/unit/mesh/Examples.h"

#include <gtest/gtest.h>

namespace tawa::mesh {
namespace {

TEST(TileProgramTest, PrintsItsNest) {
  EXPECT_EQ(examples::gemm({.m = 512, .n = 256, .k = 256}).str(), "gemm: m in 0..4 n in 0..2\n"
                                                                  "  for k in 0..4\n"
                                                                  "    load a[128 * m, 64 * k], 128 x 64\n"
                                                                  "    load b[64 * k, 128 * n], 64 x 128\n"
                                                                  "    tt.dot 128 x 128 x 64\n"
                                                                  "  store c[128 * m, 128 * n], 128 x 128\n");
}

TEST(TileProgramTest, ListsAccessesWithTheirLoops) {
  TileProgram program = examples::attention({.heads = 2, .queries = 256, .keys = 256});
  auto loads = program.loads();
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_TRUE(loads[0].loops.empty());
  EXPECT_EQ(loads[2].loops, std::vector<int>{2});
  EXPECT_EQ(program.stores().size(), 1u);
}

TEST(MachineTest, FindsItsMemories) {
  Machine machine = examples::grid(8, 8);
  EXPECT_EQ(machine.cores(), 64);
  EXPECT_EQ(machine.memories[machine.localMemory()].name, "l1");
  EXPECT_EQ(machine.memories[machine.globalMemory()].name, "dram");
}

TEST(PlanTest, CountsWavesOfASplitDimension) {
  TileProgram program = examples::gemm({.m = 2048, .n = 256, .k = 256});
  Machine machine = examples::grid(4, 8);
  Plan plan;
  plan.splits = {{{0}}, {{1}}};
  EXPECT_EQ(plan.waveExtent(0, program, machine), 4);
  EXPECT_EQ(plan.waveExtent(1, program, machine), 1);
}

} // namespace
} // namespace tawa::mesh
