#include "compiler/planner/space/LoadSpace.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa::mesh::planner {
namespace {

constexpr int kY = 0, kX = 1;
constexpr int64_t kTile = 128 * 64 * 2; ///< Bytes of a tile of A.

/// A product of 16 x 16 blocks and 16 steps under a mapping.
struct Product {
  explicit Product(Mapping mapping, Machine machine = examples::grid(8, 8))
      : machine(std::move(machine)), mapping(std::move(mapping)), cores(this->machine),
        share(this->mapping, program, this->machine, cores), lines(findLines(this->machine, cores)) {}

  std::vector<NestLoop> nest(int load) const { return nestOf(mapping, share, program, program.loads()[load]); }
  Reuse reuse(int load) const {
    return analyzeReuse(program.loads()[load].step->access, nest(load), mapping, share, machine);
  }
  std::vector<Route> routes(int load) { return enumerateRoutes(reuse(load), lines, machine, pruned); }

  TileProgram program = examples::gemm({.m = 2048, .n = 2048, .k = 1024});
  Machine machine;
  Mapping mapping;
  CoreArray cores;
  GridShare share;
  std::vector<Line> lines;
  PruneCounts pruned;
};

const Mapping kPlane = {{{{kY}}, {{kX}}}, {0, 1}}; ///< m over y, n over x; two waves of each.
const Mapping kRows = {{{{kY, kX}}, {}}, {0, 1}};  ///< m over all cores.

TEST(ReuseTest, ATileIsTheSameAlongWhatItsAddressDoesNotNeed) {
  Product plane(kPlane), rows(kRows);
  EXPECT_EQ(plane.reuse(0).spatial, std::vector<int>{kX});
  EXPECT_EQ(plane.reuse(1).spatial, std::vector<int>{kY});
  EXPECT_TRUE(rows.reuse(0).spatial.empty());
  // Of the 64 cores that m is spread over, its 16 blocks keep two rows busy.
  EXPECT_EQ(rows.reuse(1).spatial, (std::vector<int>{kY, kX}));
  EXPECT_EQ(plane.reuse(0).temporal, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(plane.reuse(1).temporal, (std::vector<bool>{true, false, false}));
}

TEST(ReuseTest, NothingIsSharedWithIdleCores) {
  Product product({{{{kX}}, {{kY}}}, {0, 1}}, examples::grid(8, 32));
  EXPECT_EQ(product.share.activeAlong(kX), 16);
  product.program.indices[0].extent = 1;
  GridShare share(product.mapping, product.program, product.machine, product.cores);
  Reuse reuse =
      analyzeReuse(product.program.loads()[1].step->access, product.nest(1), product.mapping, share, product.machine);
  EXPECT_TRUE(reuse.spatial.empty());
}

TEST(RouteTest, OneDimensionIsBroadcastOrPassedOn) {
  Product product(kPlane);
  std::vector<Route> routes = product.routes(0);
  ASSERT_EQ(routes.size(), 3u);
  EXPECT_EQ(routes[0].movement, Movement::PerCore);
  EXPECT_EQ(routes[1].movement, Movement::Broadcast);
  EXPECT_EQ(routes[1].along, std::vector<int>{kX});
  EXPECT_EQ(product.machine.networks[routes[1].networks[0]].name, "noc_h");
  EXPECT_EQ(routes[2].movement, Movement::Wavefront);
  EXPECT_EQ(product.pruned.of(PruneReason::TileChanges), 1);
}

TEST(RouteTest, TwoDimensionsInBothOrders) {
  Product product(kRows);
  std::vector<Route> routes = product.routes(1);
  EXPECT_EQ(routes.size(), 8u);
  EXPECT_EQ(std::ranges::count(routes, Movement::RowsThenColumns, &Route::movement), 2);
  EXPECT_EQ(std::ranges::count(routes, Movement::Wavefront, &Route::movement), 3);
  EXPECT_EQ(product.routes(0).size(), 1u);
}

TEST(RouteTest, EachNetworkOfALineIsAChoice) {
  Product product({{{{0}}, {}}, {0, 1}}, examples::ring(8));
  EXPECT_EQ(product.routes(1).size(), 1u + 3 + 3);
}

TEST(RouteTest, NeedsNetworksThatMakeLines) {
  Product none(kPlane, examples::withoutNetworks(examples::grid(8, 8)));
  EXPECT_EQ(none.routes(0).size(), 1u);
  EXPECT_EQ(none.pruned.of(PruneReason::NoLine), 1);
  Product chains(kPlane, examples::withoutMulticast(examples::grid(8, 8)));
  std::vector<Route> routes = chains.routes(0);
  ASSERT_EQ(routes.size(), 2u);
  EXPECT_EQ(routes[1].movement, Movement::Wavefront);
  EXPECT_EQ(chains.pruned.of(PruneReason::NoMulticast), 1);
}

TEST(LevelTest, DependenceMultipliesTheFootprintAndIndependenceDoesNot) {
  Product product(kPlane);
  std::vector<NestLoop> nest = product.nest(0);
  Reuse reuse = product.reuse(0);
  // m, n, k of 2, 2 and 16 iterations; A needs m and k.
  EXPECT_EQ(levelAt(3, nest, reuse, kTile).bytes, 2 * kTile);
  EXPECT_EQ(levelAt(2, nest, reuse, kTile).bytes, 2 * 16 * kTile);
  EXPECT_EQ(levelAt(1, nest, reuse, kTile).bytes, 2 * 16 * kTile);
  Level outside = levelAt(0, nest, reuse, kTile);
  EXPECT_EQ(outside.tiles, 2 * 16);
  EXPECT_EQ(outside.slots, 1);
  EXPECT_EQ(outside.bytes, 32 * kTile);
}

TEST(LevelTest, EqualLevelsCountOnce) {
  Product product(kPlane);
  std::vector<Level> a = enumerateLevels(product.nest(0), product.reuse(0), kTile, 1 << 30, product.pruned);
  ASSERT_EQ(a.size(), 3u);
  EXPECT_EQ(a[1].level, 1);
  EXPECT_EQ(a[2].level, 3);
  EXPECT_EQ(product.pruned.of(PruneReason::DominatedLevel), 1);
}

TEST(LevelTest, WhatDoesNotFitIsLeftOut) {
  Product product(kPlane);
  // 32 tiles take 512 KB, two slots of one tile 32 KB.
  std::vector<Level> levels = enumerateLevels(product.nest(0), product.reuse(0), kTile, 32 * kTile - 1, product.pruned);
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].level, 3);
  EXPECT_EQ(product.pruned.of(PruneReason::LoadTooLarge), 2);
}

TEST(LoadSpaceTest, CombinesRoutesAndLevels) {
  Product product(kPlane);
  LoadSpace space = enumerateLoads(product.mapping, product.share, product.program, product.machine, product.lines, {});
  ASSERT_EQ(space.choices.size(), 2u);
  EXPECT_EQ(space.choices[0].size(), 9u);
  EXPECT_EQ(space.choices[1].size(), 9u);
  // A sum of 128 x 128 in f32, two slots of the same in f16.
  EXPECT_EQ(space.fixedBytes, 128 * 128 * 4 + 2 * 128 * 128 * 2);
  EXPECT_EQ(space.stores[0].slots, 2);
}

TEST(LoadSpaceTest, AttentionKeepsItsQueries) {
  TileProgram program = examples::attention({.heads = 8, .queries = 1024, .keys = 1024});
  Machine machine = examples::grid(8, 8);
  CoreArray cores(machine);
  Mapping mapping{{{{kY}}, {{kX}}}, {0, 1}};
  GridShare share(mapping, program, machine, cores);
  LoadSpace space = enumerateLoads(mapping, share, program, machine, findLines(machine, cores), {});
  // One wave: Q is loaded once, K and V once at most or per step; these are shared by the cores of a row.
  ASSERT_EQ(space.choices[0].size(), 1u);
  EXPECT_EQ(space.choices[0][0].slots, 1);
  EXPECT_EQ(space.choices[1].size(), 6u);
}

TEST(PruneReasonTest, EachHasAText) {
  for (size_t i = 0; i < kPruneReasons; ++i)
    EXPECT_GT(textOf(static_cast<PruneReason>(i)).size(), 20u);
}

} // namespace
} // namespace tawa::mesh::planner
