#include "runtime/jit/Grid.h"

#include "tests/unit/jit/TestDevice.h"

#include <gtest/gtest.h>

using namespace tawa;
using namespace tawa::test;
using Counts = std::array<uint32_t, 3>;

namespace {

KernelArtifact artifactWith(std::string expression) {
  KernelArtifact artifact;
  artifact.entry = "gemm";
  artifact.arguments = {tensorArgument("a", 2), integerArgument("M"), constantArgument("SPLIT", 3)};
  artifact.config.tile = {{"BLOCK_M", 64}};
  artifact.gridExpression = std::move(expression);
  return artifact;
}

Result<Counts> evaluated(const std::string &expression, int32_t m = 100) {
  std::vector<ArgumentValue> values = {tensorValue(256, {130, 40}), integerValue(m),
                                       integerValue(3, LogicalArgument::Kind::Constant)};
  return evaluateGrid(artifactWith(expression), values);
}

} // namespace

TEST(Grid, NamesAreTileParametersScalarsConstantsAndDimensions) {
  auto grid = evaluated("ceildiv(M, BLOCK_M) * SPLIT, ceildiv(dim(a, 0), BLOCK_M), dim(a, 1)");
  ASSERT_TRUE(grid) << grid.status().message();
  EXPECT_EQ(*grid, (Counts{6, 3, 40}));
}

TEST(Grid, MissingAxesAreOne) { EXPECT_EQ(*evaluated("M"), (Counts{100, 1, 1})); }

TEST(Grid, NegativeCountsAreEmpty) { EXPECT_EQ(*evaluated("M, 2", -5), (Counts{0, 2, 1})); }

TEST(Grid, ErrorsNameTheKernel) {
  for (const char *wrong : {"", "K", "dim(a, 2)", "dim(M, 0)", "a", "1, 1, 1, 1", "M * 100000000"}) {
    auto grid = evaluated(wrong);
    ASSERT_FALSE(grid) << wrong;
    EXPECT_NE(grid.status().message().find("grid of kernel 'gemm'"), std::string::npos) << grid.status().message();
  }
}

TEST(Grid, LimitsAndClusters) {
  KernelArtifact artifact = artifactWith("1");
  EXPECT_TRUE(checkGrid(artifact, {0x7fffffff, 0xffff, 0xffff}));
  EXPECT_FALSE(checkGrid(artifact, {0x80000000, 1, 1}));
  EXPECT_FALSE(checkGrid(artifact, {1, 0x10000, 1}));
  artifact.launch.cluster = {2, 1, 1};
  EXPECT_TRUE(checkGrid(artifact, {4, 1, 1}));
  EXPECT_FALSE(checkGrid(artifact, {5, 1, 1}));
}

TEST(Grid, ResidentCtasWalkTheAxesTheyAreToldTo) {
  KernelArtifact artifact = artifactWith("1");
  EXPECT_EQ(*startedCtas(artifact, {500, 3, 2}, 132), (Counts{500, 3, 2}));
  artifact.launch.walked = {true, false, false};
  EXPECT_EQ(*startedCtas(artifact, {500, 1, 1}, 132), (Counts{132, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {100, 1, 1}, 132), (Counts{100, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {500, 3, 2}, 132), (Counts{22, 3, 2}));
  EXPECT_EQ(*startedCtas(artifact, {500, 200, 1}, 132), (Counts{1, 200, 1}));
  artifact.launch.walked = {false, true, true};
  EXPECT_EQ(*startedCtas(artifact, {2, 10, 20}, 132), (Counts{2, 66, 1}));
  EXPECT_FALSE(startedCtas(artifact, {1, 0xffff, 0xffff}, 132)); // tiles are numbered in 31 bits
  artifact.launch.walked = {true, false, false};
  artifact.launch.cluster = {4, 1, 1};
  EXPECT_EQ(*startedCtas(artifact, {500, 1, 1}, 131), (Counts{128, 1, 1})); // whole clusters
  EXPECT_EQ(*startedCtas(artifact, {500, 1, 1}, 3), (Counts{4, 1, 1}));
}

TEST(Grid, EquallyLongTilesNeedNoCtaThatHasOneLess) {
  KernelArtifact artifact = artifactWith("1");
  artifact.launch.walked = {true, false, false};
  EXPECT_EQ(*startedCtas(artifact, {2048, 1, 1}, 132), (Counts{132, 1, 1}));
  artifact.launch.uniformTileWork = true;
  EXPECT_EQ(*startedCtas(artifact, {2048, 1, 1}, 132), (Counts{128, 1, 1})); // 16 rounds
  EXPECT_EQ(*startedCtas(artifact, {264, 1, 1}, 132), (Counts{132, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {265, 1, 1}, 132), (Counts{132, 1, 1})); // 89 would do, which are too few
  EXPECT_EQ(*startedCtas(artifact, {100, 1, 1}, 132), (Counts{100, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {2048, 1, 1}, 3), (Counts{3, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {2048, 3, 1}, 132), (Counts{44, 3, 1})); // y is not walked
  artifact.launch.cluster = {4, 1, 1};
  EXPECT_EQ(*startedCtas(artifact, {2004, 1, 1}, 132), (Counts{128, 1, 1})); // 126 would do
  EXPECT_EQ(*startedCtas(artifact, {2004, 1, 1}, 131), (Counts{128, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {8, 1, 1}, 3), (Counts{4, 1, 1}));
  artifact.launch.walked = {};
  EXPECT_EQ(*startedCtas(artifact, {2004, 1, 1}, 132), (Counts{2004, 1, 1}));
}

TEST(Grid, CtasThatShareTilesAreAllStarted) {
  KernelArtifact artifact = artifactWith("1");
  artifact.launch.walked = {true, false, false};
  artifact.launch.uniformTileWork = artifact.launch.stream = true;
  EXPECT_EQ(*startedCtas(artifact, {2048, 1, 1}, 132), (Counts{132, 1, 1})); // 128 would do without
  EXPECT_EQ(*startedCtas(artifact, {5, 1, 1}, 132), (Counts{132, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {5, 3, 1}, 132), (Counts{44, 3, 1})); // y is not walked
}

TEST(Grid, SeveralCtasForEachProgram) {
  KernelArtifact artifact = artifactWith("1");
  artifact.launch.split = 3;
  artifact.launch.cluster = {3, 1, 1};
  EXPECT_TRUE(checkGrid(artifact, {5, 2, 1})); // whole clusters, whatever the grid
  EXPECT_EQ(*startedCtas(artifact, {5, 2, 1}, 132), (Counts{15, 2, 1}));
  EXPECT_FALSE(checkGrid(artifact, {0x7fffffff / 3 + 1, 1, 1}));
}

TEST(Grid, WholeClusters) {
  KernelArtifact artifact = artifactWith("1");
  artifact.launch.cluster = {4, 1, 1};
  EXPECT_FALSE(checkGrid(artifact, {5, 3, 1}));
  artifact.launch.paddedGrid = true;
  EXPECT_TRUE(checkGrid(artifact, {5, 3, 1}));
  EXPECT_EQ(*startedCtas(artifact, {5, 3, 1}, 132), (Counts{8, 3, 1}));
  EXPECT_EQ(*startedCtas(artifact, {8, 3, 1}, 132), (Counts{8, 3, 1}));
  artifact.launch.walked = {true, false, false};
  EXPECT_EQ(*startedCtas(artifact, {5, 1, 1}, 132), (Counts{8, 1, 1}));
  EXPECT_EQ(*startedCtas(artifact, {500, 1, 1}, 130), (Counts{128, 1, 1}));
}

TEST(Grid, TilesThatAKernelWalksByItself) {
  KernelArtifact artifact = artifactWith("1");
  artifact.launch.cluster = {2, 1, 1};
  artifact.launch.clusterDivides = {"(a0_shape0 / 2)", "a1"};
  auto check = [&](int32_t m) {
    std::vector<ArgumentValue> values = {tensorValue(256, {132, 40}), integerValue(m)};
    return checkClusterDivides(artifact, values);
  };
  EXPECT_TRUE(check(100));
  EXPECT_TRUE(check(0));
  Status odd = check(101);
  EXPECT_EQ(odd.code(), StatusCode::InvalidArgument);
  EXPECT_NE(odd.message().find("walks 101 tiles, no multiple of the cluster's 2"), std::string::npos) << odd.message();
}

TEST(Grid, CtasWalkTheTilesOnAsManyMultiprocessorsAsTheTextHasPrograms) {
  RetiledGrid retiled;
  EXPECT_EQ(walkersOf(retiled, {100, 1, 1}, {}), 0u);
  retiled.walkers = "g1";
  EXPECT_EQ(walkersOf(retiled, {7, 100, 1}, {}), 100u);
  EXPECT_EQ(residentOfWalkers(264, 132, 0), 264u);
  EXPECT_EQ(residentOfWalkers(264, 132, 132), 264u);
  EXPECT_EQ(residentOfWalkers(264, 132, 100), 200u);
}

TEST(Grid, RetiledKernelsStartOtherPrograms) {
  std::vector<ArgumentValue> values = {tensorValue(256, {130, 40}), integerValue(130)};
  RetiledGrid retiled;
  retiled.programs = {"g0 / max((a1 + 127) / 128, 1) * ((a1 + 63) / 64)", "", "ceildiv(g2 * 64, 128)"};
  retiled.zeros = {"g0 % max((a1 + 127) / 128, 1)", "min(a1, a0_shape0) - a1"};
  EXPECT_EQ(*retiledGrid(retiled, "gemm", {2, 7, 3}, values), (Counts{3, 7, 2}));
  EXPECT_EQ(*retiledGrid(retiled, "gemm", {6, 1, 1}, values), (Counts{9, 1, 1})); // three batches

  auto wrong = [&](const Counts &asked, const std::vector<ArgumentValue> &arguments, const char *why) {
    auto grid = retiledGrid(retiled, "gemm", asked, arguments);
    EXPECT_FALSE(grid) << why;
    EXPECT_NE(grid.status().message().find(why), std::string::npos) << grid.status().message();
    EXPECT_NE(grid.status().message().find("leave BLOCK_M"), std::string::npos) << grid.status().message();
  };
  wrong({3, 1, 1}, values, "for a grid of 3, 1, 1");
  wrong({2, 1, 1}, {tensorValue(256, {100, 40}), integerValue(130)}, "min(a1, a0_shape0) - a1 is -30");
  wrong({0x7fffffff, 1, 1}, {tensorValue(256, {0x7fffffff, 40}), integerValue(128)}, "it would be");
  wrong({2, 1, 1}, {tensorValue(256, {130, 40})}, "a1"); // which names nothing here
}
