// Ranking in stages: of many tile sizes few are asked about, and the fastest are among them.
#include "runtime/tuner/space/TileEstimate.h"

#include "tests/unit/tuner/Summaries.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <set>

using namespace tawa;
using namespace tawa::test;

namespace {

using Tile = std::pair<int64_t, int64_t>; ///< M and N.

bool isPower(int64_t size) { return std::has_single_bit(static_cast<uint64_t>(size)); }

/// A product with tiles of all multiples of 16, of which each program makes one.
class Stages : public testing::Test {
protected:
  Stages() {
    input.tileParameters = {{"M", sizes}, {"N", sizes}};
    input.hardware = h200();
    input.arguments = arguments;
    input.summarize = [this](const KernelConfig &config) -> Result<WorkSummary> {
      int64_t m = config.tile.at("M"), n = config.tile.at("N");
      {
        std::lock_guard lock(mutex);
        asked.insert({m, n});
      }
      if (refusesPowers && isPower(m) && isPower(n))
        return Status(StatusCode::Unsupported, "a power of two");
      WorkSummary summary = product(m, n, 64);
      summary.config = config;
      summary.arguments[2].name = "c";
      summary.gridExpression = "ceildiv(dim(c, 0), M), ceildiv(dim(c, 1), N)";
      return summary;
    };
  }

  SearchSpace enumerate() {
    asked.clear();
    Result<SearchSpace> space = enumerateSpace(input);
    EXPECT_TRUE(space.isOk()) << space.status().message();
    return space ? std::move(*space) : SearchSpace();
  }

  void solve(int64_t m, int64_t n, int64_t k) {
    arguments = productArguments(m, n, k);
    input.arguments = arguments;
  }

  /// Of all choices: those of one M are few enough that all are asked about.
  double fastestOfAll() {
    double least = 1;
    for (int64_t m : sizes) {
      input.tileParameters.front().second = {m};
      SearchSpace space = enumerate();
      EXPECT_EQ(asked.size(), sizes.size());
      if (space.legal > 0)
        least = std::min(least, space.candidates.front().prediction.seconds);
    }
    input.tileParameters.front().second = sizes;
    return least;
  }

  const std::vector<int64_t> sizes = {64, 128, 256, 48, 80, 96, 112, 144, 160, 176, 192, 208, 224, 240};
  std::vector<ArgumentValue> arguments = productArguments(209, 3584, 3584);
  SpaceInput input;
  bool refusesPowers = false;
  std::mutex mutex;
  std::set<Tile> asked;
};

TEST_F(Stages, FewSizesAreAskedAboutAndTheFastestIsFound) {
  size_t fine = 0;
  for (auto [m, n, k] : {std::tuple(209, 3584, 3584), {600, 3600, 3584}, {1400, 9216, 3072}, {4096, 4096, 4096}}) {
    solve(m, n, k);
    SearchSpace space = enumerate();
    EXPECT_LT(asked.size(), 75u); // of 196
    ASSERT_GT(space.legal, 0u);
    const Candidate &best = space.candidates.front();
    EXPECT_LE(best.prediction.seconds, 1.01 * fastestOfAll()) << best.config.str();
    fine += !isPower(best.config.tile.at("M")) || !isPower(best.config.tile.at("N"));
  }
  EXPECT_GE(fine, 1u);
}

TEST_F(Stages, PartsOfATileCountInTheOrder) {
  auto parts = [](int64_t size) { return std::popcount(static_cast<uint64_t>(size)) - 1; };
  bool isReordered = false;
  for (auto [m, n, k] : {std::tuple(209, 3584, 3584),
                         {600, 3600, 3584},
                         {1196, 9216, 4096},
                         {1411, 9216, 3072},
                         {120, 6144, 4096},
                         {1787, 3072, 3072},
                         {840, 3072, 3072},
                         {1048, 5120, 5120},
                         {500, 2000, 2048},
                         {1000, 3000, 1000}}) {
    solve(m, n, k);
    SearchSpace space = enumerate();
    double last = 0, first = space.candidates.front().prediction.seconds;
    for (const Candidate &one : std::span(space.candidates).first(space.legal)) {
      int beyondOne = parts(one.config.tile.at("M")) + parts(one.config.tile.at("N"));
      double counted = one.prediction.seconds * (1 + 0.007 * beyondOne);
      EXPECT_GE(counted, last * (1 - 2 * kModelResolution)) << one.config.str();
      isReordered |= one.prediction.seconds < 0.9999 * first;
      last = counted;
    }
  }
  EXPECT_TRUE(isReordered) << "the fastest is of fewest parts in each";
}

TEST_F(Stages, NoSizeIsAskedAboutWhoseTilesASmallerOneMakes) {
  std::vector<int64_t> fine = sizes;
  for (int64_t size = 24; size < 256; size += 16)
    fine.push_back(size);
  input.tileParameters.front().second = fine;
  solve(412, 4096, 16384);
  enumerate();
  auto isAsked = [&](int64_t m) { return std::ranges::any_of(asked, [m](Tile tile) { return tile.first == m; }); };
  EXPECT_TRUE(isAsked(104));  // four tiles, with the fewest rows beyond the tensor
  EXPECT_FALSE(isAsked(112)); // four as well
  EXPECT_FALSE(isAsked(120));
  EXPECT_FALSE(isAsked(24)); // more tiles than eighths of rows are worth
  EXPECT_TRUE(isAsked(128)); // rows of a product as it is
  solve(16384, 4096, 4096);
  enumerate();
  EXPECT_FALSE(isAsked(104)); // of 158 tiles
}

TEST_F(Stages, ProductsHaveRowsInOneOfTheDimensions) {
  solve(600, 3600, 3584);
  enumerate();
  for (auto [m, n] : asked)
    EXPECT_TRUE(m % 64 == 0 || n % 64 == 0) << m << " x " << n;
}

TEST_F(Stages, WhatWasNotAskedAboutIsNotListed) {
  SearchSpace space = enumerate();
  for (const Candidate &one : space.candidates)
    EXPECT_TRUE(asked.contains({one.config.tile.at("M"), one.config.tile.at("N")}));
  KernelConfig config = *KernelConfig::parse("M=48 N=240 D=2"); // named, it is judged all the same
  Result<SearchSpace> judged = judgeConfigs(input, std::span(&config, 1));
  ASSERT_TRUE(judged.isOk());
  EXPECT_EQ(judged->candidates.size(), 1u);
}

TEST_F(Stages, AreTheSameOnAnyNumberOfThreads) {
  SearchSpace one = enumerate();
  input.threads = 4;
  SearchSpace four = enumerate();
  ASSERT_EQ(one.candidates.size(), four.candidates.size());
  for (size_t i = 0; i < one.candidates.size(); ++i)
    ASSERT_EQ(one.candidates[i].config, four.candidates[i].config);
}

TEST_F(Stages, WhereTheFirstIsRefusedAllOthersAreAskedAbout) {
  refusesPowers = true;
  EXPECT_GT(enumerate().legal, 0u);
  EXPECT_EQ(asked.size(), sizes.size() * sizes.size());
}

TEST_F(Stages, WithoutAGridNoFurtherTileIsAskedAbout) {
  input.arguments = {};
  Result<SearchSpace> space = enumerateSpace(input);
  EXPECT_FALSE(space.isOk());
  EXPECT_LT(asked.size(), 20u);
}

TEST_F(Stages, TheFirstHasPowersOfTwoAndWhatTheTextListsFirst) {
  input.tileParameters = {{"M", {96, 64, 128, 160, 176}}, {"N", sizes}};
  std::vector<TileValues> tiles = *tileValuesOf(input);
  TileStages stages = stagesOf(input, tiles);
  EXPECT_EQ(stages.first.size(), 3u * 3);
  EXPECT_EQ(stages.first.size() + stages.later.size(), tiles.size());
  EXPECT_EQ(stages.first.front(), (TileValues{{"M", 96}, {"N", 64}}));
}

TEST_F(Stages, TheLastHasOneStepOfOneParameter) {
  Candidate fast, slow;
  fast.config.tile = {{"M", 160}, {"N", 128}};
  fast.prediction.seconds = 1;
  slow.config.tile = {{"M", 64}, {"N", 64}};
  slow.prediction.seconds = 2;
  TileChoices choices;
  choices.try_emplace({TileValues{{"M", 144}, {"N", 128}}, 0});
  std::vector<Candidate> candidates{fast, slow};
  std::set<Tile> beside;
  for (const TileValues &tile : tilesBesideFastest(input, *tileValuesOf(input), choices, candidates))
    beside.insert({tile.at("M"), tile.at("N")});
  // Of both, as they are the two fastest; the next power of two is one step away, too.
  EXPECT_EQ(beside, (std::set<Tile>{{176, 128},
                                    {128, 128},
                                    {256, 128},
                                    {160, 112},
                                    {160, 144},
                                    {160, 64},
                                    {160, 256},
                                    {48, 64},
                                    {80, 64},
                                    {128, 64},
                                    {64, 48},
                                    {64, 80},
                                    {64, 128}}));
}

/// Of the tiles listed, each of which takes as long.
class Estimates : public Stages {
protected:
  TileEstimate estimate(const std::vector<Tile> &tiles, double secondsEach) {
    candidates.clear();
    for (auto [m, n] : tiles) {
      Candidate &one = candidates.emplace_back();
      one.config.tile = {{"M", m}, {"N", n}};
      one.prediction.seconds = secondsEach;
      choices.try_emplace({one.config.tile, 0});
    }
    askChoices(input, choices);
    return TileEstimate(input, choices, candidates);
  }
  std::vector<Candidate> candidates;
  TileChoices choices;
};

TEST_F(Estimates, KnowWhatTilesReachBeyondTheTensor) {
  solve(96, 1 << 16, 4096);
  TileEstimate known = estimate({{64, 64}, {128, 64}}, 1e-3);
  auto secondsOf = [&](int64_t m, int64_t n) { return known.secondsOf({{"M", m}, {"N", n}}); };
  EXPECT_EQ(known.fastest(), 1e-3);
  EXPECT_NEAR(secondsOf(64, 64), 1e-3, 1e-9);
  EXPECT_NEAR(secondsOf(96, 64), 0.75e-3, 0.02e-3); // 96 rows instead of 128
  EXPECT_NEAR(secondsOf(112, 64), 0.875e-3, 0.02e-3);
}

TEST_F(Estimates, KnowWhatTheLastRoundLeavesIdle) {
  auto multiprocessors = static_cast<int64_t>(input.hardware.multiprocessors);
  solve(64, 64 * (multiprocessors + 1), 4096); // 133 programs of 64 columns: two rounds
  TileEstimate known = estimate({{64, 64}, {64, 128}}, 1e-3);
  double fuller = known.secondsOf({{"M", 64}, {"N", 80}}); // 107 programs
  EXPECT_LT(fuller, 0.9e-3);
  EXPECT_GT(fuller, 0.6e-3);
}

TEST_F(Estimates, HaveNoAnswerWhereNothingIsKnown) {
  EXPECT_GT(estimate({}, 1).fastest(), 1e9);
  EXPECT_EQ(promisingTiles(input, *tileValuesOf(input), choices, candidates).size(), sizes.size() * sizes.size());
}

} // namespace
