// The search space: every rule refuses with its numbers, the remaining points are ranked, and the compiler's own
// refusals are kept.
#include "runtime/tuner/space/SearchSpace.h"
#include "runtime/tuner/model/KernelNeeds.h"

#include "tests/unit/tuner/Summaries.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <span>

using namespace tawa;
using namespace tawa::test;

namespace {

/// A kernel with tile parameters M and N, and blocks of 64 along the third direction.
class Space : public testing::Test {
protected:
  Space() {
    input.tileParameters = {{"N", {128, 256}}, {"M", {64, 128, 256}}};
    input.hardware = h200();
    input.arguments = arguments;
    input.grid = {64, 32, 1};
    input.summarize = [this](const KernelConfig &config) -> Result<WorkSummary> {
      ++questions;
      return answer(config);
    };
  }

  virtual Result<WorkSummary> answer(const KernelConfig &config) {
    WorkSummary summary = product(config.tile.at("M"), config.tile.at("N"), 64);
    summary.config = config;
    summary.uniformTileWork = areEqual;
    return summary;
  }

  Candidate judge(const std::string &text) {
    Result<KernelConfig> config = KernelConfig::parse(text);
    EXPECT_TRUE(config.isOk()) << config.status().message();
    // parse() itself refuses P > D; the search gets there by its axes.
    Result<SearchSpace> space = judgeConfigs(input, std::span(&*config, 1));
    EXPECT_TRUE(space.isOk()) << space.status().message();
    return space->candidates.at(0);
  }
  std::string reasonOf(const std::string &text) {
    Candidate candidate = judge(text);
    return std::string(refusalName(candidate.refusal)) + ": " + candidate.reason;
  }

  std::vector<ArgumentValue> arguments = productArguments(8192, 8192, 4096);
  SpaceInput input;
  bool areEqual = false; ///< Known to the launch as equally long tiles.
  std::atomic<int> questions{0};
};

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
    Result<SearchSpace> whole = enumerateSpace(input);
    input.axes = firstChoiceAxes(input.hardware);
    Result<SearchSpace> few = enumerateSpace(input);
    ASSERT_TRUE(whole.isOk() && few.isOk());
    EXPECT_LT(few->legal * 5, whole->legal * 2);
    EXPECT_LT(few->candidates.front().prediction.seconds, 1.01 * whole->candidates.front().prediction.seconds);
    EXPECT_TRUE(few->isComplete);
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

TEST_F(Space, EveryRuleSaysWhy) {
  EXPECT_EQ(reasonOf("M=128 N=256 D=4"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=5"),
            "shared memory: 5 slots of 49152 bytes and 34816 beside them are 280576 bytes of shared memory, a CTA has "
            "232448");
  EXPECT_EQ(reasonOf("M=64 N=128 consumers=2"),
            "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
  EXPECT_EQ(reasonOf("M=256 N=256 D=2"),
            "registers: accumulators of 256 registers per thread, 192 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=128 N=128 consumers=3 schedule=pingpong persistent=1"),
            "registers: accumulators of 128 registers per thread, 120 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=256 N=256 consumers=0 warps=4"),
            "registers: an accumulator of 512 registers per thread, 216 are the most");
  EXPECT_EQ(reasonOf("M=256 N=256 consumers=0 warps=16"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=256 consumers=1"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=256 schedule=pingpong"),
            "not applied: schedule=pingpong takes a loop over tiles: persistent=1");
  EXPECT_EQ(reasonOf("M=64 N=256 schedule=pingpong persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=256 consumers=1 schedule=pingpong persistent=1"),
            "not applied: schedule=pingpong takes two consumer groups or more");
  EXPECT_EQ(reasonOf("M=128 N=256 warps=8"), "no effect: warps is for kernels of one role");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=2"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=128 D=5 split=2"), "none: ") << "the part lies in the slots";
  EXPECT_EQ(reasonOf("M=128 N=128 D=7 split=2"),
            "shared memory: 7 slots of 32768 bytes and 34816 beside them are 264192 bytes of shared memory, a CTA has "
            "232448");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=2 persistent=1"),
            "not applied: split=2: a loop inside the loop over tiles is not shared");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=3 cluster=4"),
            "not applied: split=3 and cluster=4: a cluster has up to 8 CTAs");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 stream=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 stream=1"), "not applied: stream=1 takes a loop over tiles: persistent=1");
  EXPECT_EQ(reasonOf("M=64 N=256 D=4 persistent=1 schedule=pingpong stream=1"),
            "not applied: stream=1 takes consumer groups that share each tile");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 cluster=2 stream=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 dynamic=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 dynamic=1"), "not applied: dynamic=1 takes a loop over tiles: persistent=1");
  EXPECT_EQ(reasonOf("M=64 N=256 D=4 persistent=1 schedule=pingpong dynamic=1"),
            "not applied: dynamic=1 takes consumer groups that share each tile");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 cluster=2 dynamic=1"),
            "not applied: dynamic=1: the CTAs of a cluster take neighbouring tiles together");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 stream=1 dynamic=1"),
            "not applied: dynamic=1: stream=1 takes rounds in which each CTA has one tile");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 consumers=1 ctas=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2 consumers=1 ctas=2"),
            "no effect: ctas=2: as many fit a multiprocessor as they are");
  EXPECT_EQ(reasonOf("M=64 N=256 D=2 consumers=1 ctas=2"),
            "registers: ctas=2: threads begin with 128 registers, and one wgmma has 128 sums of each");
  EXPECT_EQ(reasonOf("M=128 N=128 D=4 consumers=1 ctas=2").substr(0, 13), "shared memory");
  EXPECT_EQ(reasonOf("M=64 N=192 D=2 consumers=1 ctas=3"),
            "registers: accumulators of 96 registers per thread, 80 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 consumers=2 ctas=2"),
            "registers: accumulators of 64 registers per thread, 56 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2 consumers=0 ctas=2"), "no effect: the kernel is one role: consumers=0");
  EXPECT_EQ(reasonOf("M=128 N=128 coarse=0"), "no effect: no loop has two products, so that coarse=1 is the same");
  input.arguments = arguments = productArguments(8192, 8192, 192);
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=4"), "no effect: split=4: no loop has as many iterations");
  input.grid = {65, 32, 1};
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=2"),
            "divisibility: 65 programs along x are no multiple of the cluster's 2 CTAs");
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=2 persistent=1"), "none: "); // 65 * 32 tiles
  input.grid = {66, 32, 1};
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 stream=1"), "no effect: stream=1: 132 CTAs divide 2112 tiles");
}

/// What is added to the product comes from memory, `elementBytes` wide.
class Added : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    WorkStep load;
    load.kind = WorkStep::Kind::Load;
    load.access.block = {config.tile.at("M"), config.tile.at("N")};
    load.access.elementBytes = elementBytes;
    std::vector<WorkStep> &steps = summary->roles[1].steps;
    steps.insert(steps.end() - 1, load);
    return summary;
  }
  uint32_t elementBytes = 2;
};

TEST_F(Added, TilesThatAreLoadedBesideSumsTakeRegisters) {
  EXPECT_EQ(reasonOf("M=128 N=256 D=3"), "none: ");
  elementBytes = 4;
  EXPECT_EQ(reasonOf("M=128 N=256 D=3"),
            "registers: accumulators of 128 registers per thread and 128 of what is loaded "
            "for them, a consumer has 232");
  EXPECT_EQ(reasonOf("M=128 N=128 D=3"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=128 D=3 consumers=1"),
            "registers: accumulators of 128 registers per thread and 128 of what "
            "is loaded for them, a consumer has 255");
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

TEST_F(Space, GroupsThatAreNoPowerOfTwoShareNoProductOfMmaSync) {
  WorkSummary small = product(16, 128, 64);
  small.roles[1].steps[0].body[0].isWgmma = false;
  input.tileParameters = {};
  input.summarize = [small](const KernelConfig &) -> Result<WorkSummary> { return small; };
  std::vector<KernelConfig> configs{*KernelConfig::parse("D=2 consumers=2"), *KernelConfig::parse("D=2 consumers=3")};
  Result<SearchSpace> judged = judgeConfigs(input, configs);
  ASSERT_TRUE(judged.isOk()) << judged.status().message();
  ASSERT_EQ(judged->legal, 1u);
  EXPECT_EQ(judged->candidates[0].config.consumerGroups, 2);
  EXPECT_EQ(judged->candidates[1].refusal, Refusal::Rows);
  EXPECT_NE(judged->candidates[1].reason.find("mma.sync"), std::string::npos) << judged->candidates[1].reason;
}

TEST_F(Space, SlotsInFlightAreCounted) {
  input.tileParameters = {{"N", {128}}, {"M", {128}}};
  input.axes = {{"D", &KernelConfig::ringDepth, {2}}, {"P", &KernelConfig::mmaDepth, {3}}};
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  EXPECT_EQ(space->legal, 0u);
  EXPECT_EQ(space->candidates[0].refusal, Refusal::SlotInFlight);
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

/// A second product, of 64 rows.
class TwoProducts : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    std::vector<WorkStep> &body = summary->roles.back().steps.front().body;
    body.push_back(body.front());
    body.back().m = 64;
    return summary;
  }
};

TEST_F(TwoProducts, TheOneWithFewerRowsIsSharedAlongItsColumns) {
  EXPECT_EQ(reasonOf("M=128 N=64 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2"), "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

/// Threads compute an operand.
class Computed : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    for (WorkStep &step : summary->roles.back().steps.front().body)
      step.isComputed = step.kind == WorkStep::Kind::Dot;
    return summary;
  }
};

TEST_F(Computed, GroupsShareTheColumnsOfFewRowsWhereEachHasEnough) {
  EXPECT_EQ(reasonOf("M=64 N=128 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2"), "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

TEST_F(Space, GroupsDoNotShareTheColumnsOfFewRowsThatAreOnlyLoaded) {
  EXPECT_EQ(reasonOf("M=64 N=128 D=2"),
            "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

/// Rows of a tile in products of 64.
class RowsInThree : public Space {
protected:
  RowsInThree() { input.tileParameters.back() = {"M", {192}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    splitRows(*summary, 3);
    return summary;
  }
};

TEST_F(RowsInThree, TwoGroupsShareTheColumnsWhereEachHasAMultipleOf64) {
  input.tileParameters.front() = {"N", {128, 192, 256}};
  EXPECT_EQ(reasonOf("M=192 N=128 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=192 D=2"),
            "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

/// Likewise, of a result whose rows are the columns of the product.
class RowsInThreeTransposed : public RowsInThree {
protected:
  RowsInThreeTransposed() { input.tileParameters.front() = {"N", {112, 160, 176}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = RowsInThree::answer(config);
    if (isTransposed)
      summary->roles.back().steps.back().access.block = {16, 64};
    return summary;
  }
  bool isTransposed = true;
};

TEST_F(RowsInThreeTransposed, TwoGroupsShareAnOddNumberOfEights) {
  const char *apart = "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each";
  EXPECT_EQ(reasonOf("M=192 N=176 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=160 D=2"), apart) << "80 columns are no odd number of eights";
  EXPECT_EQ(reasonOf("M=192 N=112 D=2"), apart) << "56 columns are few";
  isTransposed = false;
  EXPECT_EQ(reasonOf("M=192 N=176 D=2"), apart) << "rows of eight columns would be stored";
}

TEST_F(RowsInThree, PartsOfTilesAreAddedUpWhereSumsLeaveRegisters) {
  EXPECT_EQ(reasonOf("M=192 N=256 D=2 persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=256 D=2 persistent=1 stream=1"),
            "registers: stream=1: accumulators of 192 registers per thread, 128 are the most");
  EXPECT_EQ(reasonOf("M=192 N=128 D=2 persistent=1 stream=1"), "none: ");
}

/// Likewise, with the registers of roles.
class RowsInThreeOfRoles : public RowsInThree {
protected:
  RowsInThreeOfRoles() { input.tileParameters.front() = {"N", {128, 136, 144}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = RowsInThree::answer(config);
    summary->consumerRegisters = {{240, 232, 160, 104}};
    return summary;
  }
};

TEST_F(RowsInThreeOfRoles, SumsOfAllProductsLeaveRegisters) {
  EXPECT_EQ(reasonOf("M=192 N=136 D=2 persistent=1 schedule=pingpong"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=144 D=2 persistent=1 schedule=pingpong"),
            "registers: accumulators of 216 registers per thread, 206 are left of a consumer's");
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

/// Of three products of an iteration one adds to what its loop carries.
class FreshSumsOfRoles : public RowsInThreeOfRoles {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = RowsInThreeOfRoles::answer(config);
    int fresh = 2;
    for (RoleWork &role : summary->roles)
      for (WorkStep &loop : role.steps)
        for (WorkStep &step : loop.body)
          step.isFresh = step.kind == WorkStep::Kind::Dot && fresh-- > 0;
    summary->sumBytes /= 3;
    return summary;
  }
};

TEST_F(FreshSumsOfRoles, ThoseThatAnIterationDropsNeedNoRegistersBesideIt) {
  EXPECT_EQ(reasonOf("M=192 N=144 D=2 persistent=1 schedule=pingpong"), "none: ");
}

/// A tile of 64 KiB is loaded before the loop.
class Loaded : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    summary->rings.push_back({65536, false});
    return summary;
  }
};

TEST_F(Loaded, WhatIsLoadedOncePerTileHasOneSlotInATileLoopWhereMoreDoNotFit) {
  auto bytes = [&](const char *text) {
    KernelConfig config = *KernelConfig::parse(text);
    return sharedNeed(*input.summarize(config), config, input.hardware).bytes();
  };
  EXPECT_EQ(bytes("M=128 N=128 D=2 persistent=1") - bytes("M=128 N=128 D=2"), 65536) << "a second slot";
  EXPECT_EQ(bytes("M=128 N=128 D=4 persistent=1"), bytes("M=128 N=128 D=4"));
  EXPECT_EQ(reasonOf("M=128 N=128 D=4 persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=128 D=5 persistent=1"), reasonOf("M=128 N=128 D=5"));
}

TEST_F(Loaded, WhatD0GivesAnotherDSays) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  auto isOpen = [&](const Candidate &one) {
    return one.isLegal() && one.config.ringDepth == 0 &&
           sharedNeed(*input.summarize(one.config), one.config, input.hardware).slots > 1;
  };
  EXPECT_EQ(std::ranges::count_if(space->candidates, isOpen), 0);
  // Named explicitly it is legal, and as fast as the slots that it gets.
  EXPECT_EQ(judge("M=128 N=256 persistent=1").prediction.seconds,
            judge("M=128 N=256 D=2 persistent=1").prediction.seconds);
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
