#include "compiler/planner/space/Mapping.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tawa::mesh::planner {
namespace {

bool coversOnce(const Mapping &mapping, const TileProgram &program, const Machine &machine) {
  return std::ranges::all_of(countVisits(mapping, program, machine), [](int64_t visits) { return visits == 1; });
}

/// A program of a grid alone.
TileProgram gridOf(std::vector<int64_t> extents) {
  TileProgram program;
  for (int64_t extent : extents)
    program.indices.push_back({"g" + std::to_string(program.indices.size()), extent});
  program.gridDims = static_cast<int>(extents.size());
  return program;
}

Machine arrayOf(std::vector<int64_t> sizes) {
  Machine machine;
  for (int64_t size : sizes) {
    machine.coreDims.push_back(static_cast<int>(machine.dims.size()));
    machine.dims.push_back({"d" + std::to_string(machine.dims.size()), size});
  }
  machine.memories = {{"local", machine.coreDims, 1 << 20, 64, 4}};
  return machine;
}

std::vector<int64_t> randomSizes(std::mt19937 &random, int64_t most, int64_t largest) {
  std::vector<int64_t> sizes(1 + random() % most);
  for (int64_t &size : sizes)
    size = 1 + static_cast<int64_t>(random() % largest);
  return sizes;
}

/// 8 x 3 tiles, whose loop has one iteration more in each row of them.
TileProgram triangle() {
  TileProgram program = gridOf({8, 3});
  program.indices.push_back({"k", 8, TripCount{{{1, 0}, 1}, 1, 8}});
  return program;
}

TEST(MappingTest, TurnsWhereLoopsAreNotEquallyLong) {
  Machine machine = arrayOf({4});
  int64_t turning = 0;
  for (const Mapping &mapping : enumerateMappings(triangle(), machine).mappings) {
    EXPECT_TRUE(coversOnce(mapping, triangle(), machine));
    EXPECT_FALSE(mapping.splits[1].turns);
    turning += mapping.splits[0].turns;
  }
  EXPECT_EQ(turning, 2); // two orders of waves
  for (const Mapping &mapping : enumerateMappings(gridOf({8, 3}), machine).mappings)
    EXPECT_FALSE(mapping.splits[0].turns);
  TileProgram ragged = triangle();
  ragged.indices[0].extent = 7;
  for (const Mapping &mapping : enumerateMappings(ragged, machine).mappings)
    EXPECT_FALSE(mapping.splits[0].turns);
}

TEST(MappingTest, CoversEachTileOnceOnRandomProgramsAndMachines) {
  std::mt19937 random(7);
  int64_t checked = 0;
  for (int round = 0; round < 60; ++round) {
    TileProgram program = gridOf(randomSizes(random, 3, 11));
    Machine machine = arrayOf(randomSizes(random, 3, 4));
    MappingSpace space = enumerateMappings(program, machine);
    EXPECT_FALSE(space.mappings.empty());
    for (const Mapping &mapping : space.mappings) {
      ASSERT_TRUE(coversOnce(mapping, program, machine)) << "round " << round;
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

/// What the model takes for the cores' waves is what walking over them gives.
TEST(MappingTest, WavesOfTheCoresAddUpToTheGrid) {
  std::mt19937 random(8);
  for (int round = 0; round < 60; ++round) {
    TileProgram program = gridOf(randomSizes(random, 3, 11));
    Machine machine = arrayOf(randomSizes(random, 3, 4));
    CoreArray cores(machine);
    int64_t tiles = 1;
    for (const Index &index : program.indices)
      tiles *= index.extent;
    for (const Mapping &mapping : enumerateMappings(program, machine).mappings) {
      GridShare share(mapping, program, machine, cores);
      int64_t sum = 0;
      for (int64_t core = 0; core < cores.count(); ++core) {
        int64_t own = 1;
        for (int grid = 0; grid < program.gridDims; ++grid)
          own *= share.waves(core, grid);
        EXPECT_EQ(share.isIdle(core), own == 0);
        sum += own;
      }
      ASSERT_EQ(sum, tiles) << "round " << round;
    }
  }
}

TEST(MappingTest, ADimensionSplitTwiceDoesNotCoverOnce) {
  EXPECT_FALSE(coversOnce({{{{0}}, {{0}}}, {0, 1}}, gridOf({4, 4}), arrayOf({4})));
  EXPECT_TRUE(coversOnce({{{{0}}, {}}, {0, 1}}, gridOf({4, 4}), arrayOf({4})));
}

TEST(MappingTest, CoresOutsideOfASplitIdle) {
  Machine machine = arrayOf({2, 2});
  EXPECT_TRUE(coversOnce({{{{0}}}, {0}}, gridOf({5}), machine));
  EXPECT_TRUE(coversOnce({{}, {}}, gridOf({}), machine));
}

/// Two dimensions of the machine over m, n and "none", in order: 12 ways, one of them twice; times two orders of waves.
TEST(MappingTest, CountsOfAProductOnAGrid) {
  TileProgram program = examples::gemm({.m = 2048, .n = 2048, .k = 1024});
  MappingSpace space = enumerateMappings(program, examples::grid(8, 8));
  EXPECT_EQ(space.considered, 22);
  EXPECT_EQ(space.pruned.of(PruneReason::IdleDimension), 10);
  // Where one of m and n has all cores, it has one wave, and there is nothing to order.
  EXPECT_EQ(space.pruned.of(PruneReason::SameMapping), 4);
  EXPECT_EQ(space.pruned.of(PruneReason::SymmetricMapping), 0);
  EXPECT_EQ(space.mappings.size(), 8u);
}

TEST(MappingTest, ExchangedDimensionsOfASymmetricMachineCountOnce) {
  TileProgram program = examples::gemm({.m = 2048, .n = 2048, .k = 1024});
  MappingSpace space = enumerateMappings(program, examples::symmetricGrid(8));
  EXPECT_EQ(space.pruned.of(PruneReason::SymmetricMapping), 4);
  EXPECT_EQ(space.mappings.size(), 4u);
}

TEST(MappingTest, DimensionsOfOneCoreAddNothing) {
  TileProgram program = gridOf({6, 6});
  EXPECT_EQ(enumerateMappings(program, arrayOf({1, 4, 1})).mappings.size(),
            enumerateMappings(program, arrayOf({4})).mappings.size());
}

TEST(MappingTest, TheOrderOfTilingDecidesWhoHasNeighbours) {
  TileProgram program = gridOf({8});
  Machine machine = arrayOf({2, 4});
  MappingSpace space = enumerateMappings(program, machine);
  ASSERT_EQ(space.mappings.size(), 2u);
  EXPECT_NE(space.mappings[0].splits[0].spatial, space.mappings[1].splits[0].spatial);
}

TEST(MappingTest, RaggedWavesLeaveTheLastCoresIdle) {
  Machine machine = arrayOf({4});
  GridShare share({{{{0}}}, {0}}, gridOf({6}), machine, CoreArray(machine));
  EXPECT_EQ(share.waves(0), 2);
  EXPECT_EQ(share.waves(1, 0), 2);
  EXPECT_EQ(share.waves(2, 0), 1);
  GridShare few({{{{0}}}, {0}}, gridOf({3}), machine, CoreArray(machine));
  EXPECT_TRUE(few.isIdle(3));
  EXPECT_EQ(few.activeAlong(0), 3);
}

} // namespace
} // namespace tawa::mesh::planner
