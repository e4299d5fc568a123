// The performance model: properties of every prediction, on a product whose numbers can be checked by hand.
#include "runtime/tuner/model/PerformanceModel.h"
#include "runtime/tuner/model/BlockTraffic.h"
#include "runtime/tuner/model/KernelNeeds.h"
#include "runtime/tuner/model/ProgramValues.h"
#include "runtime/tuner/model/TileWork.h"

#include "tests/unit/tuner/Summaries.h"

#include "gtest/gtest.h"

#include <cmath>
#include <utility>

using namespace tawa;
using namespace tawa::test;

namespace {

struct Case {
  int64_t m = 8192, n = 8192, k = 4096, tileM = 128, tileN = 256, tileK = 64;
  std::string config = "D=4";
  bool isWarm = false;

  bool areEqual = false;  ///< Known to the launch as equally long tiles.
  bool byElement = false; ///< Tiles are loaded one element at a time.

  WorkSummary summary() const {
    WorkSummary summary = product(tileM, tileN, tileK);
    summary.uniformTileWork = areEqual;
    for (WorkStep &load : summary.roles.front().steps.front().body)
      load.access.isByElement = byElement;
    return summary;
  }
  ProblemWork work() const {
    std::array<uint32_t, 3> grid{static_cast<uint32_t>((m + tileM - 1) / tileM),
                                 static_cast<uint32_t>((n + tileN - 1) / tileN), 1};
    KernelConfig asked = *KernelConfig::parse(config);
    uint32_t ctas = runningCtas(summary(), asked, h200(), grid), split = static_cast<uint32_t>(asked.split);
    return evaluateWork(summary(), productArguments(m, n, k), grid, ctas / split, split);
  }
  Prediction predict() const {
    WorkSummary asked = summary();
    return tawa::predict({asked, work(), *KernelConfig::parse(config), h200(), isWarm});
  }
  double seconds() const { return predict().seconds; }
};

TEST(ProblemWork, CountsBytesAndProducts) {
  ProblemWork work = Case{.m = 256, .n = 512, .k = 640}.work();
  ASSERT_EQ(work.classes.size(), 1u);
  ASSERT_EQ(work.waves.size(), 1u);
  EXPECT_EQ(work.tiles, 4);
  EXPECT_EQ(work.waves[0].tiles[0], 4);
  const WorkSegment &loads = work.classes[0].producer.at(1), &dots = work.classes[0].consumer.at(1);
  EXPECT_EQ(loads.trips, 10);
  EXPECT_EQ(loads.puts, 1);
  EXPECT_EQ(loads.loadBytes, (128 + 256) * 64 * 2);
  EXPECT_EQ(dots.wgmmaFlop[1], 2.0 * 128 * 256 * 64);
  EXPECT_EQ(dots.pipelinedDots, 1);
  EXPECT_EQ(work.classes[0].consumer[0].storeBytes, 128 * 256 * 2);
  // Two rows of blocks of a, two columns of b: each is loaded by two of the four tiles.
  EXPECT_EQ(work.waves[0].loadBytes, 4 * 10 * (128 + 256) * 64 * 2.0);
  EXPECT_EQ(work.waves[0].uniqueBytes, work.waves[0].loadBytes / 2);
  EXPECT_NEAR(work.fetchedInClustersOf(2), (128 + 256 / 2.0) / 384, 1e-9); // neighbours have the same columns
}

TEST(ProblemWork, NeighboursShareWhatTheyLoad) {
  ProblemWork work = Case{.m = 256, .n = 480, .tileN = 240}.work();
  EXPECT_EQ(work.fetchedInClustersOf(1), 1);
  EXPECT_NEAR(work.fetchedInClustersOf(2), (128 + 240 / 2.0) / 368, 1e-9);
}

TEST(ProblemWork, ClustersShareAsTheirRowsCanBeCut) {
  ProblemWork column = Case{.m = 1024, .n = 480, .tileN = 240}.work();
  EXPECT_NEAR(column.fetchedInClustersOf(4), (128 + 240 / 4.0) / 368, 1e-9) << "60 rows of 128 bytes";
  EXPECT_NEAR(column.fetchedInClustersOf(8), (128 + 240 / 8.0) / 368, 1e-9);
  ProblemWork narrow = Case{.m = 1024, .n = 480, .tileN = 240, .tileK = 32}.work();
  EXPECT_NEAR(narrow.fetchedInClustersOf(4), (128 + 240 / 2.0) / 368, 1e-9) << "60 rows of 64 are no multiple of 8";
}

/// Programs in groups of two rows: with both numbers of them, those that differ in the lowest bit have columns in
/// common, those that differ in the others rows.
TEST(ProblemWork, ClustersShareInBothDirections) {
  WorkSummary summary = product(128, 256, 64, /*rows=*/2);
  auto add = [&](WorkValue::Op op, int32_t a, int32_t b, int64_t number = 0) {
    summary.values.push_back({op, a, b, -1, number});
    return static_cast<int32_t>(summary.values.size()) - 1;
  };
  using Op = WorkValue::Op;
  int32_t group = add(Op::Div, add(Op::Program, 0, -1), add(Op::Constant, -1, -1, 2));
  int32_t column = add(Op::Mul, group, add(Op::Constant, -1, -1, 256));
  int32_t induction = add(Op::Induction, -1, -1); // after what it is computed from
  for (RoleWork &role : summary.roles) {
    WorkStep &loop = role.steps.front();
    loop.induction = induction;
    for (WorkStep &load : loop.body)
      if (load.kind == WorkStep::Kind::Load)
        load.access.places = {load.access.argument == 0 ? load.access.places[0] : column, induction};
  }
  ProblemWork work = evaluateWork(summary, productArguments(256, 2048, 1024), {16, 1, 1}, 132);
  EXPECT_NEAR(work.fetchedInClustersOf(2), (128 + 256 / 2.0) / 384, 1e-9);
  EXPECT_NEAR(work.fetchedInClustersOf(4), (128 / 2.0 + 256 / 2.0) / 384, 1e-9);
  EXPECT_NEAR(work.fetchedInClustersOf(8), (128 / 4.0 + 256 / 2.0) / 384, 1e-9);
}

TEST(ProblemWork, NarrowRowsAreStoredLikeWholeOnes) {
  auto stored = [](int64_t rows, int64_t columns) {
    ProblemWork work = Case{.m = rows, .n = columns, .tileM = rows, .tileN = columns}.work();
    EXPECT_EQ(work.waves[0].storeBytes, rows * columns * 2);
    return work.classes[0].consumer[0].panelBytes;
  };
  EXPECT_EQ(stored(128, 64), 128 * 128);
  EXPECT_EQ(stored(128, 32), 128 * 128);
  EXPECT_EQ(stored(32, 128), 2 * 32 * 128 * 2) << "transposed: each warp has 16 columns";
}

TEST(ProblemWork, BlocksAtUnknownPlacesAreNoMoreThanTheTensor) {
  WorkSummary summary = product(128, 256, 64);
  for (WorkStep &load : summary.roles.front().steps.front().body)
    load.access.places.clear(); // as where a pointer is computed from what another load brings
  auto uniqueBytes = [&](const std::vector<ArgumentValue> &arguments) {
    return evaluateWork(summary, arguments, {2, 2, 1}, 132).waves[0].uniqueBytes;
  };
  EXPECT_EQ(uniqueBytes(productArguments(256, 512, 640)), (256 + 512) * 640 * 2);
  EXPECT_EQ(uniqueBytes(productArguments(4096, 4096, 640)), 4 * 10 * (128 + 256) * 64 * 2) << "they may all differ";
}

/// Program x has the iterations x + 1, x + 2 and x + 3 of the loop.
TEST(ProblemWork, ProgramsBesideEachOtherShareMostOfTheirWindows) {
  WorkSummary summary = product(64, 64, 64);
  auto add = [&](WorkValue::Op op, int32_t a, int32_t b, int64_t number = 0) {
    summary.values.push_back({op, a, b, -1, number});
    return static_cast<int32_t>(summary.values.size()) - 1;
  };
  using Op = WorkValue::Op;
  int32_t width = add(Op::Constant, -1, -1, 64);
  int32_t begin = add(Op::Add, add(Op::Mul, add(Op::Program, 0, -1), width), width);
  int32_t end = add(Op::Add, begin, add(Op::Constant, -1, -1, 192));
  for (RoleWork &role : summary.roles) {
    WorkStep &loop = role.steps.front();
    loop.lower = begin;
    loop.upper = end;
    loop.induction = add(Op::Induction, -1, -1); // after what it is computed from
    for (WorkStep &load : loop.body)
      if (load.kind == WorkStep::Kind::Load)
        load.access.places.back() = loop.induction;
  }
  ProblemWork work = evaluateWork(summary, productArguments(512, 512, 1024), {4, 1, 1}, 132);
  EXPECT_EQ(work.waves[0].loadBytes, 4 * 3 * 2 * 64 * 64 * 2);
  EXPECT_EQ(work.waves[0].uniqueBytes, (4 * 3 + 6) * 64 * 64 * 2) << "rows of their own, columns in common";
}

TEST(ProblemWork, IsTheSameOfTilesThatAreKnownAlready) {
  WorkSummary summary = product(128, 256, 64);
  std::vector<ArgumentValue> arguments = productArguments(3000, 8192, 4096 + 64);
  KnownTiles known;
  for (auto [concurrent, split] : {std::pair(132u, 1u), {66u, 2u}, {44u, 3u}, {264u, 1u}, {100u, 1u}}) {
    ProblemWork fresh = evaluateWork(summary, arguments, {24, 32, 1}, concurrent, split);
    ProblemWork work = evaluateWork(summary, arguments, {24, 32, 1}, concurrent, split, known);
    EXPECT_TRUE(work.doesTheSameAs(fresh));
    EXPECT_EQ(work.fetchedInClusters, fresh.fetchedInClusters);
    EXPECT_EQ(work.classes.front().consumer[1].trips, std::ceil(65.0 / split));
    EXPECT_EQ(known.tiles.size(), 24u * 32);
  }
}

/// Its loops end at a number from memory, or after so many blocks.
TEST(ProblemWork, LoopsThatMemoryEndsRunAsOftenAsTheTextAllows) {
  WorkSummary summary = product(128, 256, 64);
  auto add = [&](WorkValue value) {
    summary.values.push_back(value);
    return static_cast<int32_t>(summary.values.size()) - 1;
  };
  int32_t unknown = add({.op = WorkValue::Op::Unknown}),
          most = add({.op = WorkValue::Op::Constant, .number = 20L * 64});
  auto tripsUpTo = [&](int32_t end) {
    for (RoleWork &role : summary.roles)
      role.steps.front().upper = end;
    ProblemWork work = evaluateWork(summary, productArguments(256, 512, 640), {2, 2, 1}, 132);
    EXPECT_FALSE(work.isComplete);
    return work.classes.at(0).consumer.at(1).trips;
  };
  EXPECT_EQ(tripsUpTo(add({.op = WorkValue::Op::Min, .a = unknown, .b = most})), 20);
  EXPECT_EQ(tripsUpTo(add({.op = WorkValue::Op::Max, .a = unknown, .b = most})), tripsUpTo(unknown));
}

TEST(BlockTraffic, RowsThatBeginAnywhereTouchMoreLines) {
  auto traffic = [](int64_t columns, int64_t block) {
    WorkAccess access{0, {64, block}, {0, 1}, 2, 0, true, true};
    ArgumentValue tensor = matrix(4096, columns);
    int64_t places[] = {128, 0};
    return trafficOf(access, places, &tensor);
  };
  EXPECT_EQ(traffic(256, 64).lines, 64);
  EXPECT_EQ(traffic(256, 32).lines, 64); // half a line each
  EXPECT_EQ(traffic(256, 128).lines, 128);
  EXPECT_EQ(traffic(288, 64).lines, 64 * 1.5); // every other row begins in the middle of a line
  EXPECT_EQ(traffic(288, 32).lines, 64);
  EXPECT_EQ(traffic(264, 64).lines, 0);
  EXPECT_EQ(traffic(264, 64).brokenLines, 64 * 15 / 8.0); // seven of eight straddle
  EXPECT_EQ(traffic(264, 32).brokenLines, 64 * 11 / 8.0); // three
  EXPECT_EQ(traffic(264, 64).bytes, 64 * 128);
}

TEST(PerformanceModel, RowsThatDoNotBeginWithASectorTakeLonger) {
  Case even{.m = 4096, .n = 4096, .k = 256, .tileN = 128}, odd = even;
  odd.k = 264;
  EXPECT_GT(odd.seconds(), 1.2 * even.seconds());
}

TEST(PerformanceModel, ClustersAskForTheSecondLinesOfRowsOnce) {
  auto gain = [](int64_t k) { // programs side by side have the same columns
    Case alone{.m = 256, .n = 1024, .k = k, .tileM = 64, .config = "D=6 P=2 consumers=1"}, pairs = alone;
    pairs.config += " cluster=2";
    return alone.seconds() / pairs.seconds();
  };
  EXPECT_GT(gain(4104), 1.15) << "rows at odd multiples of 16 bytes";
  EXPECT_LT(gain(4096), 1.0);
}

TEST(PerformanceModel, ElementsThatAreLoadedOneByOneSetThePace) {
  auto predicted = [](const char *config) {
    return Case{.m = 128, .n = 8192, .config = config, .byElement = true}.predict();
  };
  EXPECT_EQ(predicted("D=4").bound, "loads");
  double each = 64.0 * 64 / (h200().clock * 4); // of a row or a column of the tile
  EXPECT_NEAR(predicted("D=4").seconds, (128 + 256) * each, 0.1 * (128 + 256) * each);
  EXPECT_LT(predicted("D=4 split=2").seconds, 0.6 * predicted("D=4").seconds);
}

TEST(Imbalance, DependsOnWhoGetsWhichTile) {
  auto expect = [](std::vector<double> lengths, uint32_t ctas, double dealt, double taken, double least) {
    Imbalance imbalance = imbalanceOf(std::move(lengths), ctas);
    EXPECT_DOUBLE_EQ(imbalance.dealt, dealt);
    EXPECT_DOUBLE_EQ(imbalance.taken, taken);
    EXPECT_DOUBLE_EQ(imbalance.least, least);
  };
  expect({2, 2, 2, 2}, 2, 1, 1, 1);
  expect({4, 3, 2, 1}, 2, 1.2, 1, 1);
  expect({3, 1, 3, 1}, 2, 1, 1, 1); // the first section is reversed
  expect({1, 4}, 2, 1.6, 1.6, 1.6);
  expect({1, 1, 1, 3}, 2, 4 / 3.0, 4 / 3.0, 1); // the longest comes last
  expect({1, 2}, 8, 16 / 3.0, 16 / 3.0, 16 / 3.0);
}

/// Two sections.
TEST(ProblemWork, UnevenTilesAreAllLookedAt) {
  std::vector<ArgumentValue> arguments = productArguments(128, 64L * 256, 4096);
  ProblemWork work = evaluateWork(unevenProduct(128, 256, 64), arguments, {1, 64, 1}, 4);
  EXPECT_TRUE(work.isUneven);
  EXPECT_EQ(work.waves.size(), 16u);
  EXPECT_EQ(work.classes.size(), 32u);
  EXPECT_DOUBLE_EQ(work.imbalance.dealt, 1); // the first section begins with its shortest
  EXPECT_FALSE(evaluateWork(product(128, 256, 64), arguments, {1, 64, 1}, 4).isUneven);
}

TEST(ProgramValues, QuotientsAreRoundedDownOrUp) {
  using Op = WorkValue::Op;
  WorkSummary summary;
  auto add = [&](Op op, int32_t a, int32_t b, int64_t number = 0) {
    summary.values.push_back({op, a, b, -1, number});
    return static_cast<int32_t>(summary.values.size()) - 1;
  };
  int32_t four = add(Op::Constant, -1, -1, 4), zero = add(Op::Constant, -1, -1, 0);
  std::vector<std::array<int32_t, 2>> quotients;
  for (int64_t number : {8, 9, -9})
    quotients.push_back({add(Op::Div, add(Op::Constant, -1, -1, number), four),
                         add(Op::CeilDiv, add(Op::Constant, -1, -1, number), four)});
  int32_t nothing = add(Op::CeilDiv, four, zero);
  std::array<uint32_t, 3> grid{1, 1, 1};
  ProgramValues values(summary, {}, grid);
  values.evaluate({0, 0, 0}, 0);
  std::vector<std::array<int64_t, 2>> found;
  found.reserve(quotients.size());
  for (auto [down, up] : quotients)
    found.push_back({values[down], values[up]});
  EXPECT_EQ(found, (std::vector<std::array<int64_t, 2>>{{2, 2}, {2, 3}, {-2, -2}}));
  EXPECT_FALSE(values.isKnown(nothing));
}

TEST(ProblemWork, CtasThatShareATileShareItsIterations) {
  ProblemWork whole = Case{.m = 256, .n = 512, .k = 640}.work();
  ProblemWork shared = Case{.m = 256, .n = 512, .k = 640, .config = "D=2 split=4"}.work();
  EXPECT_EQ(shared.classes[0].producer.at(1).trips, 3); // of 10
  EXPECT_EQ(shared.classes[0].consumer.at(1).trips, 3);
  EXPECT_EQ(shared.waves[0].tiles[0], 4);
  EXPECT_EQ(shared.waves[0].loadBytes, whole.waves[0].loadBytes); // of all CTAs of the tile
}

TEST(ProblemWork, WhatEightNeighboursLoadIsHandedOutOnce) {
  auto distinct = [](const char *config) { // programs side by side have the same columns
    return Case{.m = int64_t{16} * 64, .n = int64_t{2} * 256, .k = 640, .tileM = 64, .config = config}
        .work()
        .waves.at(0)
        .distinctBytes;
  };
  EXPECT_EQ(distinct("D=4 consumers=1"), 4 * (8 * 64 + 256) * 640 * 2);
  EXPECT_EQ(distinct("D=4 consumers=1 split=2"), 8 * (4 * 64 + 256) * 640 * 2) << "eight CTAs are four programs";
}

TEST(ProblemWork, AWaveHasAsManyClustersAsFitTheirGroups) {
  auto wavesOf = [](int64_t tiles, const char *config) {
    return Case{.m = tiles * 128, .n = 256, .k = 4096, .config = config}.work().waves.size();
  };
  for (auto [most, config] : {std::pair{66, "D=2 split=2"},
                              {39, "D=2 split=3"},
                              {30, "D=2 split=4"},
                              {15, "D=2 split=8"},
                              {120, "D=2 cluster=4"}}) {
    EXPECT_EQ(wavesOf(most, config), 1u) << config;
    EXPECT_EQ(wavesOf(most + 1, config), 2u) << config;
  }
}

TEST(PerformanceModel, SharingATilePaysWhereTilesAreFew) {
  Case few{.m = 64, .n = 1920, .k = 16384, .tileM = 64, .tileN = 64, .config = "D=4 consumers=1"}, shared = few;
  shared.config = "D=4 consumers=1 split=4";
  EXPECT_LT(shared.seconds(), 0.6 * few.seconds());
  Case many{.tileN = 128}, sharedMany{.tileN = 128, .config = "D=4 split=2"};
  EXPECT_GT(sharedMany.seconds(), many.seconds());
  few.k = shared.k = 128; // two iterations: adding up takes longer than what it saves
  EXPECT_GT(shared.seconds(), few.seconds());
}

TEST(PerformanceModel, FurtherGroupsBeginLater) {
  auto seconds = [](int64_t depth, const char *config) {
    return Case{.m = 64, .n = 8, .k = depth, .tileM = 64, .tileN = 8, .config = config}.seconds();
  };
  double each = seconds(64, "D=4 consumers=3") - seconds(64, "D=4 consumers=2");
  EXPECT_GT(each, 0.05e-6) << "and little to store, which they would do faster";
  EXPECT_LT(each, 0.3e-6);
}

TEST(PerformanceModel, SharedTilesFillTheLastRound) {
  auto seconds = [](int64_t rows, int64_t columns, int64_t depth, const char *more) {
    return Case{.m = rows * 128, .n = columns * 256, .k = depth, .config = std::string("D=4 persistent=1") + more}
        .seconds();
  };
  const char *stream = " stream=1";
  EXPECT_LT(seconds(12, 13, 32768, stream), 0.8 * seconds(12, 13, 32768, "")); // 156 tiles, 132 CTAs: 24 in five parts
  EXPECT_LT(seconds(6, 11, 8192, stream), 0.85 * seconds(6, 11, 8192, ""));    // 66
  EXPECT_EQ(seconds(12, 11, 8192, stream), seconds(12, 11, 8192, ""));         // as many as there are CTAs
  EXPECT_EQ(seconds(20, 13, 512, stream), seconds(20, 13, 512, ""));           // 260: the last 128 keep CTAs busy
  EXPECT_GT(seconds(12, 13, 512, stream), seconds(12, 13, 512, ""));           // parts take longer than what they save
}

TEST(PerformanceModel, TilesThatAreHandedOutAreTakenByWhoeverIsFree) {
  WorkSummary summary = unevenProduct(128, 256, 64);
  std::vector<ArgumentValue> arguments = productArguments(128, 64L * 256, 4096);
  ProblemWork work = evaluateWork(summary, arguments, {1, 64, 1}, 4);
  auto seconds = [&](const char *config) {
    Result<KernelConfig> parsed = KernelConfig::parse(config);
    return predict({summary, work, *parsed, h200()}).seconds;
  };
  work.imbalance = {.dealt = 1.5, .taken = 1.25};
  double once = h200().launchLatency + h200().loadLatency + h200().ctaLatency;
  double walked = seconds("D=4 consumers=1 persistent=1 raster=8"),
         handedOut = seconds("D=4 consumers=1 persistent=1 raster=8 dynamic=1");
  EXPECT_NEAR((handedOut - once) / (walked - once), 1.25 / 1.5, 1e-9);
  EXPECT_EQ(seconds("D=4 dynamic=1"), seconds("D=4")); // there is no loop over tiles
}

TEST(PerformanceModel, TheLongestOfFewUnevenTilesCountsHoweverTheyAreDealt) {
  WorkSummary summary = unevenProduct(128, 256, 64);
  ProblemWork work = evaluateWork(summary, productArguments(128, 32L * 256, 4096), {1, 32, 1}, 132);
  ASSERT_TRUE(work.isUneven);
  auto seconds = [&](const char *config) {
    Result<KernelConfig> parsed = KernelConfig::parse(config);
    return predict({summary, work, *parsed, h200()}).seconds;
  };
  EXPECT_NEAR(seconds("D=4 persistent=1") / seconds("D=4"), 1, 0.1);
}

TEST(PerformanceModel, CtasThatShareTilesReadALargeTensorMoreThanOnce) {
  Case narrow{.m = 64, .n = 4096, .k = 16384, .tileM = 8, .tileN = 64, .config = "D=4 consumers=1 split=2"},
      wide = narrow;
  wide.tileM = 64;
  EXPECT_GT(narrow.work().waves[0].againBytes[1], 0);
  EXPECT_EQ(wide.work().waves[0].againBytes[1], 0); // one tile per column
  double bytes = 4096.0 * 16384 * 2;
  EXPECT_GT(narrow.seconds(), 3 * bytes / h200().memoryRate); // loaded eight times, 44 % of seven of them from memory
  EXPECT_LT(wide.seconds(), 2 * bytes / h200().memoryRate);
}

TEST(PerformanceModel, DotsThatReadOneSlotAreWaitedForOnce) {
  Case usual{.tileN = 64, .config = "D=4"};
  WorkSummary one = usual.summary(), two = one;
  std::vector<WorkStep> &dots = two.roles[1].steps[0].body;
  dots[0].n = 32; // the same products, in two
  dots.push_back(dots[0]);
  KernelConfig config = *KernelConfig::parse(usual.config);
  auto seconds = [&](const WorkSummary &summary) {
    std::array<uint32_t, 3> grid{64, 128, 1};
    ProblemWork work = evaluateWork(summary, productArguments(8192, 8192, 4096), grid, 132);
    return predict({summary, work, config, h200(), false}).seconds;
  };
  EXPECT_NEAR(seconds(two) / seconds(one), 1, 0.03);
}

TEST(PerformanceModel, CtasWithOneTileEachGainNothingByWalking) {
  auto seconds = [](int64_t m, const char *config) {
    return Case{.m = m, .n = 4096, .k = 256, .config = config}.seconds();
  };
  EXPECT_EQ(seconds(1024, "D=4 P=2 persistent=1"), seconds(1024, "D=4 P=2")); // 128 tiles
  EXPECT_LT(seconds(8192, "D=4 P=2 persistent=1"), 0.9 * seconds(8192, "D=4 P=2"));
}

TEST(PerformanceModel, CtasOfOneWaveReadALargeTensorOnce) {
  Case wave{.m = 512, .n = 512, .k = 131072, .tileM = 64, .tileN = 64, .config = "D=6 P=2 consumers=1 split=2"};
  ASSERT_EQ(wave.work().waves.size(), 1u);
  EXPECT_GT(wave.work().waves[0].againBytes[1], 0);
  double bytes = 2 * 512.0 * 131072 * 2;
  EXPECT_LT(wave.seconds(), 3.7 * bytes / h200().memoryRate); // with 44 % of what is loaded again: 4.1
}

TEST(PerformanceModel, NeighboursGainByTheSameLargerTile) {
  constexpr int64_t kLong = 4096, kShort = 256;
  auto seconds = [](int64_t tileM, int64_t tileN, int64_t depth) {
    return Case{.m = int64_t{32} * 64 * 256 / tileN,
                .n = int64_t{32} * 64 * 256 / tileM,
                .k = depth,
                .tileM = tileM,
                .tileN = tileN,
                .config = "D=4 consumers=1"}
        .seconds();
  };
  EXPECT_GT(seconds(256, 64, kLong), 1.2 * seconds(64, 256, kLong));
  EXPECT_LT(seconds(256, 64, kShort), 1.2 * seconds(64, 256, kShort)) << "the launch itself";
}

/// Of a tile with 63 rows outside of the tensor.
TEST(PerformanceModel, RowsOutsideSlowTheLoadsOfAllCtasDown) {
  auto seconds = [](int64_t rows, int64_t tiles) {
    return Case{
        .m = rows, .n = 64 * tiles, .k = 4096, .tileM = 64, .tileN = 64, .config = "D=6 consumers=1", .isWarm = true}
        .seconds();
  };
  EXPECT_GT(seconds(1, 64), 1.4 * seconds(1, 16));
  EXPECT_LT(seconds(64, 64), 1.1 * seconds(64, 16));
  EXPECT_LT(seconds(1, 128), 1.4 * seconds(1, 86)); // of 65 % of the multiprocessors and more, alike
}

TEST(PerformanceModel, CtasThatAreNotStartedLeaveTheirPower) {
  Case asGrown{.k = 2048, .config = "D=4 persistent=1"}, even = asGrown; // 2048 tiles
  even.areEqual = true;
  EXPECT_EQ(asGrown.work().waves.front().tiles[0], 132);
  EXPECT_EQ(even.work().waves.front().tiles[0], 128);
  EXPECT_EQ(even.work().waves.back().tiles[0], 128);
  EXPECT_LT(even.seconds(), 0.995 * asGrown.seconds());
  EXPECT_GT(even.seconds(), 0.97 * asGrown.seconds());
  even.config = "D=4"; // the hardware starts them all
  EXPECT_EQ(even.work().waves.front().tiles[0], 132);
}

TEST(PerformanceModel, SmallCtasShareAMultiprocessor) {
  WorkSummary small = product(64, 64, 64), large = product(128, 256, 64);
  EXPECT_EQ(residentCtas(large, *KernelConfig::parse("D=4"), h200()), 1u);
  EXPECT_EQ(residentCtas(small, *KernelConfig::parse("D=4 consumers=1"), h200()), 2u); // by registers
  EXPECT_EQ(residentCtas(small, *KernelConfig::parse("D=8 consumers=1"), h200()), 1u); // by shared memory
  for (RoleWork &role : small.roles)                                                   // the sums of two products
    for (WorkStep &step : role.steps.front().body)
      if (step.kind == WorkStep::Kind::Dot) {
        role.steps.front().body.push_back(step);
        break;
      }
  EXPECT_EQ(residentCtas(small, *KernelConfig::parse("D=4 consumers=1 persistent=1"), h200()), 1u);
}

// As ptxas does for 16 and 32 rows of tests/kernels/gemm/w4a16.mlir: 104 and 154 registers, 95 and 136 of 64 columns.
TEST(PerformanceModel, ProductsOfMmaSyncKeepSumsAndRowsInRegisters) {
  auto resident = [](int64_t m, int64_t n, int64_t slices) {
    WorkSummary summary = product(m, n, 128);
    summary.roles[1].steps.front().body.front().isWgmma = false;
    summary.slicedBytes = {slices == 1 ? 0 : 4 * slices * m * n};
    return residentCtas(summary, *KernelConfig::parse("D=2 consumers=1"), h200());
  };
  EXPECT_EQ(resident(16, 128, 2), 2u);
  EXPECT_EQ(resident(16, 64, 4), 2u);
  EXPECT_EQ(resident(32, 128, 2), 1u);
  EXPECT_EQ(resident(32, 64, 4), 1u);
  EXPECT_EQ(resident(16, 64, 1), 2u);
}

TEST(PerformanceModel, OperandsOfAChainPassThroughSharedMemory) {
  WorkSummary summary = product(64, 64, 64);
  auto seconds = [&](bool inRegisters) {
    WorkStep &dot = summary.roles[1].steps.front().body.front();
    dot.isPipelined = false;
    dot.isComputed = true;
    dot.aInRegisters = inRegisters;
    ProblemWork work = evaluateWork(summary, productArguments(64, 64, 64000), {1, 1, 1}, 132);
    return predict({summary, work, *KernelConfig::parse("D=4 consumers=1"), h200(), false}).seconds;
  };
  EXPECT_NEAR((seconds(false) - seconds(true)) * h200().clock / 1000, 900, 150) << "clocks an iteration";
}

TEST(PerformanceModel, OperandsThatThreadsMakeForMmaSyncTakeTimeWhateverTheColumns) {
  WorkSummary summary = product(16, 64, 128);
  auto clocks = [&](bool isComputed) {
    WorkStep &dot = summary.roles[1].steps.front().body.front();
    dot.isPipelined = dot.isWgmma = false;
    dot.isComputed = isComputed;
    ProblemWork work = evaluateWork(summary, productArguments(16, 64, 128000), {1, 1, 1}, 132);
    double seconds = predict({summary, work, *KernelConfig::parse("D=4 consumers=1"), h200(), false}).seconds;
    return seconds * h200().clock / 1000; // of an iteration
  };
  EXPECT_NEAR(clocks(true) - clocks(false), 190, 60) << "loads hide a part";
}

TEST(PerformanceModel, WaitsForResultsLeaveTheUnitsToOtherCtas) {
  WorkSummary summary = product(64, 64, 16, /*rows=*/1); // all load the same, and little
  WorkStep &dot = summary.roles[1].steps.front().body.front();
  dot.isPipelined = false;
  dot.isComputed = true; // an exchange in each iteration
  auto seconds = [&](uint32_t ctas) {
    ProblemWork work = evaluateWork(summary, productArguments(64, 64, 1600), {ctas, 1, 1}, 2 * 132);
    return predict({summary, work, *KernelConfig::parse("D=2 consumers=1"), h200()}).seconds;
  };
  EXPECT_LT(seconds(264), 1.2 * seconds(132));
  EXPECT_GT(seconds(264 * 4), 1.5 * seconds(132)) << "more than are beside each other";
}

TEST(PerformanceModel, ConsumersThatLoadSomethingTakeAsLongAsALoad) {
  WorkSummary summary = product(64, 64, 64);
  auto clocks = [&] {
    ProblemWork work = evaluateWork(summary, productArguments(64, 64, 64000), {1, 1, 1}, 132);
    return predict({summary, work, *KernelConfig::parse("D=4 consumers=1"), h200(), false}).seconds * h200().clock /
           1000;
  };
  EXPECT_LT(clocks(), 600) << "an iteration of products alone";
  WorkStep scale = summary.roles[0].steps.front().body.front();
  scale.access.ring = -1;
  scale.access.block = {1, 64};
  std::vector<WorkStep> &body = summary.roles[1].steps.front().body;
  body.insert(body.begin(), scale);
  EXPECT_NEAR(clocks(), 900, 50);
  body.back().bits = 8; // its scales are in L1
  EXPECT_LT(clocks(), 700);
}

TEST(ProblemWork, WhatLiesOutsideDoesNotMove) {
  ProblemWork work = Case{.m = 100, .n = 256, .k = 64}.work();
  const WorkSegment &loads = work.classes[0].producer.at(1);
  EXPECT_EQ(loads.loadBytes, (100 + 256) * 64 * 2);
  EXPECT_EQ(loads.absentRows, 28);
  EXPECT_EQ(work.classes[0].consumer[0].storeBytes, 100 * 256 * 2);
  ProblemWork edges = Case{.m = 200, .n = 300, .k = 64}.work();
  EXPECT_EQ(edges.classes.size(), 4u); // inside, two edges, the corner
}

TEST(ProblemWork, WavesBetweenSampledOnesAreCounted) {
  ProblemWork work = Case{.m = 65536, .n = 65536, .k = 64}.work();
  double waves = 0, tiles = 0;
  for (const TileWave &wave : work.waves) {
    waves += wave.count;
    for (double count : wave.tiles)
      tiles += wave.count * count;
  }
  EXPECT_EQ(waves, (512 * 256 + 131) / 132);
  EXPECT_EQ(tiles, work.tiles);
  EXPECT_LE(work.waves.size(), 12u);
}

TEST(PerformanceModel, LongProductsRunNearTheRateThatPowerAllows) {
  double flop = 2.0 * 8192 * 8192 * 16384;
  double rate = flop / Case{.k = 16384, .config = "D=4 persistent=1"}.seconds();
  EXPECT_GT(rate, 700e12);
  EXPECT_LT(rate, 850e12);
}

TEST(PerformanceModel, WorkTakesTime) {
  EXPECT_GT(Case{.k = 8192}.seconds(), 1.8 * Case{.k = 4096}.seconds());
  EXPECT_GT(Case{.m = 16384}.seconds(), 1.8 * Case{.m = 8192}.seconds());
  EXPECT_GT(Case{}.seconds(), 0);
}

TEST(PerformanceModel, SchedulesAreWorthWhatTheyAreMeantFor) {
  // Epilogues beside other loads and products.
  EXPECT_LT((Case{.k = 256, .config = "D=4 persistent=1"}).seconds(), 0.9 * (Case{.k = 256}).seconds());
  EXPECT_LT((Case{.k = 256, .tileN = 128, .config = "D=6 P=2 persistent=1 schedule=pingpong"}).seconds(),
            (Case{.k = 256, .tileN = 128, .config = "D=6 P=2 persistent=1"}).seconds());
  // Rings hide latency; where two groups wait for each other, a second dot in flight does.
  EXPECT_LT(Case{.config = "D=4"}.seconds(), Case{.config = "D=1"}.seconds());
  EXPECT_LT((Case{.tileN = 128, .config = "D=6 P=2 persistent=1 schedule=pingpong"}).seconds(),
            (Case{.tileN = 128, .config = "D=6 P=1 persistent=1 schedule=pingpong"}).seconds());
}

TEST(PerformanceModel, ResultsBeyondL2AreStoredAtThePaceOfMemory) {
  Case few{.k = 1024, .tileM = 256, .tileN = 192, .config = "D=3 persistent=1 epilogue=1"}, many = few;
  many.config = "D=3 persistent=1 epilogue=4"; // all of a tile waits in shared memory
  EXPECT_GT(few.seconds(), many.seconds() + 2e-6);
  few.m = many.m = 1024; // results of 16 MiB
  EXPECT_EQ(few.seconds(), many.seconds());
}

TEST(PerformanceModel, ManySumsAThreadTakeLonger) {
  Case few{.k = 16384, .tileM = 256, .tileN = 128}, many = few;
  many.tileN = 144;
  double share = many.predict().products / few.predict().products;
  EXPECT_GT(share, 1.02) << "the same products in 57 instead of 64 columns of tiles";
}

TEST(PerformanceModel, GroupsThatAllReadAllRowsTakeLonger) {
  Case whole{.k = 16384, .tileM = 192, .tileN = 128};
  WorkSummary inThree = whole.summary();
  splitRows(inThree, 3);
  Prediction split = predict({inThree, whole.work(), *KernelConfig::parse(whole.config), h200(), false});
  EXPECT_NEAR(split.products / whole.predict().products, 1.03, 1e-3);
}

TEST(PerformanceModel, TilesDoNotOverlapWhereWhatTheyKeepHasOneSlot) {
  Case walked{.k = 1024, .config = "D=3 persistent=1"};
  KernelConfig config = *KernelConfig::parse(walked.config);
  auto keeping = [&](int64_t bytes) {
    WorkSummary summary = walked.summary();
    summary.rings.push_back({bytes, /*repeats=*/false});
    return summary;
  };
  WorkSummary small = keeping(1024), large = keeping(32768);
  EXPECT_FALSE(sharedNeed(small, config, h200()).outerHaveOneSlot);
  EXPECT_TRUE(sharedNeed(large, config, h200()).outerHaveOneSlot);
  double overlapping = predict({small, walked.work(), config, h200(), false}).seconds;
  EXPECT_GT(predict({large, walked.work(), config, h200(), false}).seconds, 1.05 * overlapping);
}

TEST(PerformanceModel, ClustersAskForFewerSecondLines) {
  Case odd{.k = 8200, .tileN = 128, .config = "D=6"}; // rows at odd multiples of 16 bytes
  auto loads = [&](const char *config) {
    odd.config = config;
    return odd.predict().loads;
  };
  // A CTA receives all rows of its tile, and asks for 3 and 5 of 4 and 8; second lines of two count 0.7, of four 0.85.
  double alone = loads("D=6"), two = loads("D=6 cluster=2"), four = loads("D=6 cluster=4");
  EXPECT_NEAR(two / alone, (1 + 0.7 * 0.75) / 2, 0.04);
  EXPECT_NEAR(four / alone, (1 + 0.85 * 0.625) / 2, 0.04);
}

TEST(PerformanceModel, RowsOfHalfALineTakeLonger) {
  Case half{.k = 16384, .tileK = 32, .config = "D=6"}, whole = half;
  whole.tileK = 64;
  EXPECT_GT(half.predict().products, 1.03 * whole.predict().products);
}

TEST(PerformanceModel, FewRowsWantSmallTiles) {
  Case large{.m = 16, .n = 4096, .k = 14336}, small = large;
  small.tileM = 64;
  small.tileN = 64;
  small.config = "D=8 consumers=1";
  EXPECT_LT(small.seconds(), 0.6 * large.seconds()); // measured: 52 against 132 us
  EXPECT_STREQ(large.predict().bound, "products");
  EXPECT_STREQ(small.predict().bound, "loads");
}

TEST(PerformanceModel, TheLastWaveCounts) {
  // 132 tiles in one wave, 133 in two.
  double one = (Case{.m = 128L * 132, .n = 256}).seconds(), two = (Case{.m = 128L * 133, .n = 256}).seconds();
  EXPECT_GT(two, 1.5 * one);
}

TEST(PerformanceModel, WhatIsInL2AlreadyIsFaster) {
  Case cold{.m = 16, .n = 4096, .k = 4096, .tileM = 64, .tileN = 64, .config = "D=8 consumers=1"}, warm = cold;
  warm.isWarm = true;
  EXPECT_LT(warm.seconds(), cold.seconds());
}

TEST(PerformanceModel, FasterHardwareIsFaster) {
  Case one;
  WorkSummary summary = one.summary();
  ProblemWork work = one.work();
  KernelConfig config;
  HardwareDescription hardware = h200();
  double before = predict({summary, work, config, hardware}).seconds;
  hardware.clock *= 1.2;
  hardware.powerTensor16 *= 1.5;
  EXPECT_LT(predict({summary, work, config, hardware}).seconds, before);
}

} // namespace
