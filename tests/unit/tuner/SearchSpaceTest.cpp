// The search space: all points are judged, those that remain are ranked, and the compiler's own refusals are kept.
#include "tests/unit/tuner/SpaceFixture.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

using namespace tawa;
using namespace tawa::test;

namespace {

TEST(Axes, AsManyCtasAreTriedAsAMultiprocessorMayBeAskedToHold) {
  std::vector<SpaceAxis> axes = defaultAxes(h200());
  auto ctas = std::ranges::find(axes, "ctas", &SpaceAxis::name);
  ASSERT_NE(ctas, axes.end());
  EXPECT_EQ(ctas->values, (std::vector{1, 2, 3, 4}));
}

TEST(Axes, RastersMakeRoundsOfAllMultiprocessorsWhole) {
  HardwareDescription hardware = h200();
  auto rasters = [&] {
    std::vector<SpaceAxis> axes = defaultAxes(hardware);
    return std::ranges::find(axes, "raster", &SpaceAxis::name)->values;
  };
  EXPECT_EQ(rasters(), (std::vector{0, 4, 8, 16, 2, 33}));
  hardware.multiprocessors = 148;
  EXPECT_EQ(rasters(), (std::vector{0, 4, 8, 16, 2, 37}));
  hardware.multiprocessors = 64; // the same value once
  EXPECT_EQ(rasters(), (std::vector{0, 4, 8, 16, 2}));
}

TEST_F(Space, EquallyLongTilesArePredictedOnAsManyCtasAsAreStarted) {
  auto seconds = [this](const char *config) { return judge(config).prediction.seconds; };
  double each = seconds("M=128 N=256 D=4"), resident = seconds("M=128 N=256 D=4 persistent=1"); // 2048 tiles
  areEqual = true;
  EXPECT_LT(seconds("M=128 N=256 D=4 persistent=1"), 0.995 * resident); // 128 CTAs of 132
  EXPECT_EQ(seconds("M=128 N=256 D=4"), each);
}

TEST_F(Space, LegalPointsComeFirstAndTheFastestFirst) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk()) << space.status().message();
  ASSERT_GT(space->legal, 100u);
  ASSERT_LT(space->legal, space->candidates.size());
  for (size_t i = 0; i < space->candidates.size(); ++i) {
    const Candidate &one = space->candidates[i];
    ASSERT_EQ(one.isLegal(), i < space->legal);
    ASSERT_EQ(one.reason.empty(), one.isLegal()) << one.config.str();
    ASSERT_EQ(one.prediction.seconds > 0, one.isLegal());
    if (i > 0 && one.isLegal()) {
      ASSERT_GE(one.prediction.seconds, space->candidates[i - 1].prediction.seconds * 0.998);
    }
  }
  EXPECT_EQ(questions, 13); // one per choice of M and N, three that ask for everything, four about the order of tiles
}

TEST_F(Space, AFirstChoiceIsThatOfTheWholeSpaceFromFewPoints) {
  for (int64_t rows : {64, 1000, 8192}) {
    arguments = productArguments(rows, 8192, 4096);
    input.arguments = arguments;
    input.axes = {};
    input.isFirstChoice = false;
    Result<SearchSpace> whole = enumerateSpace(input);
    input.isFirstChoice = true;
    Result<SearchSpace> few = enumerateSpace(input);
    ASSERT_TRUE(whole.isOk() && few.isOk());
    EXPECT_LT(few->legal * 5, whole->legal * 2);
    EXPECT_LT(few->candidates.front().prediction.seconds, 1.01 * whole->candidates.front().prediction.seconds);
    EXPECT_TRUE(few->isComplete);
    EXPECT_EQ(few->legal, few->candidates.size());
  }
}

TEST_F(Space, IsTheSameOnAnyNumberOfThreads) {
  Result<SearchSpace> one = enumerateSpace(input);
  input.threads = 4;
  Result<SearchSpace> four = enumerateSpace(input);
  ASSERT_TRUE(one.isOk() && four.isOk());
  ASSERT_EQ(one->candidates.size(), four->candidates.size());
  for (size_t i = 0; i < one->candidates.size(); ++i)
    ASSERT_EQ(one->candidates[i].config, four->candidates[i].config);
}

TEST_F(Space, SharedTilesAreListedWhereCtasWouldBeIdle) {
  auto listed = [this](uint32_t columns, int cluster) {
    input.grid = {columns, 1, 1};
    Result<SearchSpace> space = enumerateSpace(input);
    EXPECT_TRUE(space.isOk());
    auto streams = [cluster](const Candidate &one) {
      return one.isLegal() && one.config.stream != 0 && one.config.cluster == cluster;
    };
    for (const Candidate &one : space->candidates)
      if (streams(one)) {
        EXPECT_TRUE(one.config.persistent == 1 && one.config.schedule == Cooperative);
      }
    return std::ranges::count_if(space->candidates, streams);
  };
  for (int cluster : {1, 2}) {
    EXPECT_GT(listed(140, cluster), 0);
    EXPECT_EQ(listed(132 * 3, cluster), 0);
    EXPECT_EQ(listed(132 * 3 - 2, cluster), 0); // nearly full
  }
  EXPECT_GT(listed(132 * 3, 4), 0) << "clusters of four fill 120 multiprocessors";
  EXPECT_EQ(listed(120 * 3, 4), 0);
}

class Uneven : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    WorkSummary summary = isUneven ? unevenProduct(config.tile.at("M"), config.tile.at("N"), 64)
                                   : product(config.tile.at("M"), config.tile.at("N"), 64);
    summary.config = config;
    return summary;
  }

  bool isUneven = true;
};

TEST_F(Uneven, TilesThatCtasTakeOneByOneAreListedWhereTheyAreNotEquallyLong) {
  input.grid = {8, 64, 1};
  auto listed = [this] {
    Result<SearchSpace> space = enumerateSpace(input);
    EXPECT_TRUE(space.isOk());
    auto handsOut = [](const Candidate &one) { return one.config.dynamic != 0; };
    for (const Candidate &one : space->candidates)
      if (handsOut(one)) {
        EXPECT_TRUE(one.config.persistent == 1 && one.config.cluster == 1 && one.config.schedule == Cooperative &&
                    one.config.split == 1 && one.config.stream == 0)
            << one.config.str();
      }
    return std::ranges::count_if(space->candidates, handsOut);
  };
  EXPECT_GT(listed(), 0);
  isUneven = false;
  EXPECT_EQ(listed(), 0);
}

TEST_F(Space, ListsEveryLegalPointAndOneRowForWhatIsRefusedWhateverElseIsSet) {
  using K = KernelConfig;
  input.axes = {{"split", &K::split, {1, 2}},
                {"consumers", &K::consumerGroups, {1, 2, 3}},
                {"schedule", &K::schedule, {0, 1}},
                {"persistent", &K::persistent, {0, 1}},
                {"cluster", &K::cluster, {1, 2}},
                {"P", &K::mmaDepth, {1, 2}},
                {"epilogue", &K::epilogueStages, {2, 4}},
                {"D", &K::ringDepth, {2, 4}}};
  input.tileParameters = {{"N", {128, 256}}, {"M", {64, 128}}};
  std::vector<KernelConfig> points{{}};
  auto vary = [&points](const auto &values, auto set) {
    std::vector<KernelConfig> more;
    for (const KernelConfig &point : points)
      for (auto value : values) {
        more.push_back(point);
        set(more.back(), value);
      }
    points = more;
  };
  for (const auto &[name, values] : input.tileParameters)
    vary(values, [&](KernelConfig &point, int64_t value) { point.tile[name] = value; });
  for (const SpaceAxis &axis : input.axes)
    vary(axis.values, [&](KernelConfig &point, int value) { point.*axis.member = value; });
  auto legalOf = [](const SearchSpace &space) {
    std::set<std::string> found;
    for (size_t i = 0; i < space.legal; ++i)
      found.insert(space.candidates[i].config.str());
    return found;
  };
  Result<SearchSpace> listed = enumerateSpace(input), judged = judgeConfigs(input, points);
  ASSERT_TRUE(listed.isOk() && judged.isOk());
  EXPECT_EQ(points.size(), 4u * 2 * 3 * 128 / 2);
  EXPECT_EQ(legalOf(*listed), legalOf(*judged));
  EXPECT_GT(listed->legal, 50u);
  auto isOfRows = [](const Candidate &one) { return one.refusal == Refusal::Rows && one.config.consumerGroups == 3; };
  EXPECT_EQ(std::ranges::count_if(judged->candidates, isOfRows), 256);
  EXPECT_EQ(std::ranges::count_if(listed->candidates, isOfRows), 4 * 2); // for each tile and each split
}

TEST_F(Space, TopHoldsNoMoreThanAFewOfAKind) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  std::vector<Candidate> top = selectTop(*space, 12, 2);
  ASSERT_EQ(top.size(), 12u);
  EXPECT_EQ(top[0].config, space->candidates[0].config);
  std::map<std::string, int> families;
  for (Candidate &one : top) {
    one.config.ringDepth = one.config.mmaDepth = one.config.epilogueStages = 1;
    EXPECT_LE(++families[one.config.str()], 2);
  }
}

TEST_F(Space, TopHoldsSeveralShapesOfProducts) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  std::vector<Candidate> top = selectTop(*space, 12);
  ASSERT_EQ(top.size(), 12u);
  std::map<std::pair<size_t, int>, int> shapes;
  for (const Candidate &one : top)
    ++shapes[std::pair(one.shape, one.config.schedule)];
  EXPECT_GE(shapes.size(), 2u);
  input.tileParameters = {{"N", {256}}, {"M", {128}}}; // and where there are no others, more of the same
  space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  EXPECT_GT(selectTop(*space, 12).size(), 5u);
}

TEST(Selection, WhatIsUnlikeTheChosenOnesComesBeforeMoreOfTheSame) {
  SearchSpace space;
  auto add = [&space](size_t shape, int depth, double seconds) {
    Candidate candidate;
    candidate.config.ringDepth = depth;
    candidate.config.tile["SHAPE"] = static_cast<int64_t>(shape);
    candidate.shape = shape;
    candidate.prediction.seconds = seconds;
    space.candidates.push_back(candidate);
    ++space.legal;
  };
  for (int depth : {6, 5, 4, 3, 2})
    add(1, depth, 10 + 0.1 * (6 - depth));
  add(2, 4, 11);
  add(3, 4, 13);
  std::vector<size_t> shapes;
  for (const Candidate &one : selectTop(space, 6, 5))
    shapes.push_back(one.shape);
  EXPECT_EQ(shapes, (std::vector<size_t>{1, 2, 1, 1, 3, 1}));
  EXPECT_EQ(selectTop(space, 7, 3).size(), 5u); // at most three that differ in depths only
}

/// The compiler refuses one tile, and says that no kernel of this text is persistent.
class Reluctant : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    if (config.tile.at("M") == 256)
      return Status(StatusCode::Unsupported, "k.mlir:3:1: error: too large");
    Result<WorkSummary> summary = Space::answer(config);
    if (config.split > 1)
      summary->notApplied = {{"split", "there is no sum"}, {"cluster", "of no account here"}};
    if (config.persistent && config.stream)
      summary->notApplied = {{"stream", "no tiles are walked"}, {"cluster", "of no account here"}};
    else if (config.persistent)
      summary->notApplied = {{"persistent", "programs see each other"}, {"cluster", "nothing is shared"}};
    else if (config.cluster > 1)
      summary->notApplied = {{"cluster", "nothing is shared"}};
    return summary;
  }
};

TEST_F(Reluctant, ReasonsOfTheCompilerAreKept) {
  EXPECT_EQ(reasonOf("M=128 N=256 persistent=1"), "not applied: persistent=1: programs see each other");
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=2"), "not applied: cluster=2: nothing is shared");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=2"), "not applied: split=2: there is no sum");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 stream=1"), "not applied: stream=1: no tiles are walked");
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  auto refused = std::ranges::count(space->candidates, Refusal::Compiler, &Candidate::refusal);
  EXPECT_EQ(refused, 2); // one row per choice of N, not one per point
  for (const Candidate &one : space->candidates)
    if (one.refusal == Refusal::Compiler) {
      EXPECT_EQ(one.reason, "k.mlir:3:1: error: too large");
    }
}

/// Neighbours have tiles in common in the order of the text, and none in another one.
class SharingInOrder : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    if (config.cluster > 1 && config.raster != 0)
      summary->notApplied = {{"cluster", "nothing is shared"}};
    return summary;
  }
};

TEST_F(SharingInOrder, ClustersAreTried) {
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=2"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=8"), "none: "); // 160 of 192 rows that four load
  EXPECT_EQ(reasonOf("M=128 N=64 cluster=8"),             // 136 of 144
            "no effect: cluster=8: programs load about as much as with 4");
  EXPECT_EQ(
      reasonOf("M=128 N=256 cluster=8 persistent=1"),
      "registers: cluster=8: a producer that walks tiles has too few registers to find what so many programs have "
      "in common");
}

/// A text that walks its tiles by as many programs as the launch asks for.
class WalkedByText : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    summary->retiled.walkers = "g0";
    return summary;
  }
};

TEST_F(WalkedByText, MultiprocessorsThatTheTextLeavesStayFree) {
  input.grid = {132, 1, 1};
  EXPECT_EQ(reasonOf("M=128 N=256 D=4"), "none: ");
  input.grid = {100, 1, 1};
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4"), "not applied: persistent=0: the text walks its tiles by 100 programs, and "
                                         "leaves the other multiprocessors alone");
}

/// Nothing is split into roles.
class Lone : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    WorkSummary summary;
    summary.config = config;
    summary.declined = "no loop";
    summary.roles = {{RoleKind::Main, 4, {}}};
    return summary;
  }
};

TEST_F(Lone, OnlyWhatMeansSomethingIsTried) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  EXPECT_EQ(space->candidates.size(), 6u * 4 * 2 + 5); // tiles, warps, persistent; and one row for each raster
  EXPECT_EQ(space->legal, 6u * 4 * 2);
  EXPECT_EQ(reasonOf("M=64 N=128 D=6"), "no effect: the kernel is one role: no loop");
}

/// How often its loops run is in memory.
class Unbounded : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    summary->values.push_back({WorkValue::Op::Unknown, -1, -1, -1, 0});
    for (RoleWork &role : summary->roles)
      role.steps.front().upper = static_cast<int32_t>(summary->values.size()) - 1;
    return summary;
  }
};

TEST_F(Unbounded, ItSaysThatItsTimesAreGuesses) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  EXPECT_FALSE(space->isComplete);
}

/// The text walks its tiles in groups of G rows, which a raster replaces.
class Ordered : public Space {
protected:
  Ordered() { input.tileParameters = {{"N", {128, 256}}, {"G", {8, 16}}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    WorkSummary summary = product(128, config.tile.at("N"), 64);
    if (swaps && config.raster == 8) // walks columns first
      for (WorkValue &value : summary.values)
        value.a = value.op == WorkValue::Op::Program ? 1 - value.a : value.a;
    int64_t group = config.raster ? config.raster : hasGroups ? config.tile.at("G") : 1;
    summary.values.push_back({WorkValue::Op::Constant, -1, -1, -1, group});
    summary.config = config;
    if (refuses && config.raster)
      summary.notApplied = {{"raster", "programs are not numbered"}};
    return summary;
  }
  std::vector<Candidate> withRaster() {
    Result<SearchSpace> space = enumerateSpace(input);
    EXPECT_TRUE(space.isOk());
    std::erase_if(space->candidates, [](const Candidate &one) { return one.config.raster == 0; });
    return space->candidates;
  }
  bool hasGroups = true, swaps = false, refuses = false;
};

TEST_F(Ordered, ARasterIsTriedWhereNoParameterIsOne) {
  std::vector<Candidate> orders = withRaster();
  ASSERT_EQ(orders.size(), 5u); // one row for each
  for (const Candidate &one : orders) {
    EXPECT_EQ(one.refusal, Refusal::NoEffect);
    EXPECT_EQ(one.reason, "the order of the tiles is what G says");
  }
  input.tileParameters.pop_back();
  hasGroups = false;
  orders = withRaster();
  EXPECT_EQ(std::ranges::count_if(orders, &Candidate::isLegal), 0); // product() takes its tiles in one order
  EXPECT_EQ(orders.front().reason, "at these sizes, tiles run beside the same others as with raster=0");
  swaps = true;
  EXPECT_GT(std::ranges::count_if(withRaster(), &Candidate::isLegal), 50);
  refuses = true;
  orders = withRaster();
  ASSERT_EQ(orders.size(), 5u);
  EXPECT_EQ(orders[0].refusal, Refusal::NotApplied);
  EXPECT_EQ(orders[0].reason, "raster: programs are not numbered");
}

TEST_F(Ordered, OnlyTheFastestTilesAreTriedInOtherOrders) {
  std::vector<int64_t> columns;
  for (int64_t n = 8; n <= 256; n += 8)
    columns.push_back(n);
  input.tileParameters = {{"N", columns}, {"G", {8, 16}}};
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  std::map<int64_t, double> best;
  std::set<int64_t> inOtherOrders;
  for (const Candidate &one : space->candidates) {
    if (one.isLegal())
      best.try_emplace(one.config.tile.at("N"), one.prediction.seconds);
    if (one.config.tile.at("G") == 16)
      inOtherOrders.insert(one.config.tile.at("N"));
  }
  EXPECT_EQ(best.size(), columns.size());
  ASSERT_EQ(inOtherOrders.size(), 16u);
  for (const auto &[columns, seconds] : best)
    for (int64_t fast : inOtherOrders)
      if (!inOtherOrders.contains(columns))
        EXPECT_GE(seconds, best[fast] * 0.998) << columns << " and " << fast;
}

TEST_F(Ordered, AParameterOrdersWhereRastersDoNotApplyToo) {
  input.tileParameters = {{"N", {64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 32, 48, 16, 8, 24}},
                          {"G", {8, 16}}};
  refuses = true;
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  std::set<int64_t> inOtherOrders;
  for (const Candidate &one : space->candidates)
    if (one.config.tile.contains("G") && one.config.tile.at("G") == 16)
      inOtherOrders.insert(one.config.tile.at("N"));
  EXPECT_EQ(inOtherOrders.size(), 16u); // of 18
}

/// Programs along x go round G rows of tiles.
class Grouped : public Space {
protected:
  Grouped() { input.tileParameters = {{"G", {64, 32, 128}}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override { return product(128, 128, 64, config.tile.at("G")); }
};

TEST_F(Grouped, OfTilesThatAreTheSameAtTheseSizesTheFirstOfTheTextIsListed) {
  auto reasons = [this] {
    Result<SearchSpace> space = enumerateSpace(input);
    EXPECT_TRUE(space.isOk());
    std::map<int64_t, std::string> found;
    for (const Candidate &one : space->candidates)
      if (std::string &reason = found[one.config.tile.at("G")]; one.config.raster == 0 && reason != "legal")
        reason = one.isLegal() ? "legal" : one.reason;
    return found;
  };
  const std::string same = "at these sizes, every program does what it does with "; // there are 64 rows of tiles
  using Reasons = std::map<int64_t, std::string>;
  EXPECT_EQ(reasons(), (Reasons{{32, "legal"}, {64, "legal"}, {128, same + "G=64"}}));
  input.tileParameters = {{"G", {128, 32, 64}}};
  EXPECT_EQ(reasons(), (Reasons{{32, "legal"}, {64, same + "G=128"}, {128, "legal"}}));
}

/// One consumer group alone has no room for the products of a tile of 128 rows.
class Wide : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    bool fits = config.tile.at("M") / config.consumerGroups <= 64;
    for (RoleWork &role : summary->roles)
      for (WorkStep &step : role.steps)
        for (WorkStep &inner : step.body)
          inner.isWgmma &= fits;
    return summary;
  }
};

TEST_F(Wide, TheCompilerIsAskedWithAsManyGroupsAsItTakes) {
  Prediction wide = judge("M=128 N=256 D=4 persistent=1").prediction;
  EXPECT_EQ(questions, 5); // with one group and with two, and three that ask for everything
  // NOLINTNEXTLINE(bugprone-parent-virtual-call): the kernel without what this fixture changes
  input.summarize = [this](const KernelConfig &config) { return Space::answer(config); };
  EXPECT_EQ(judge("M=128 N=256 D=4 persistent=1").prediction.seconds, wide.seconds);
}

TEST_F(Space, RulesOfTmaAreTheProblemOfEveryPoint) {
  input.summarize = [this](const KernelConfig &config) {
    Result<WorkSummary> summary = answer(config);
    summary->arguments[0].rank = summary->arguments[1].rank = 2; // descriptors
    summary->arguments[1].name = "b";
    return summary;
  };
  EXPECT_TRUE(enumerateSpace(input).isOk());
  arguments[1].strides[0] = 100;
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_FALSE(space.isOk());
  EXPECT_EQ(space.status().message(),
            "argument 'b': stride of dimension 0 is 100 elements of 2 bytes, TMA takes multiples of 16 bytes");
  arguments[1].strides[0] = 104;
  EXPECT_TRUE(enumerateSpace(input).isOk());
}

TEST_F(Space, AMissingGridIsTheProblemOfEveryPoint) {
  input.grid = {};
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_FALSE(space.isOk());
  EXPECT_NE(space.status().message().find("tawa.grid"), std::string::npos);
}

} // namespace
