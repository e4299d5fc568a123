// Presets: few questions, no need of shapes, and the usual configuration unless another one is clearly faster.
// LoneRole: what a kernel of one role takes of a multiprocessor.
#include "runtime/tuner/space/Preset.h"
#include "runtime/tuner/model/LoneRole.h"
#include "runtime/tuner/model/PerformanceModel.h"
#include "runtime/tuner/space/GuessGrid.h"

#include "tests/unit/tuner/Summaries.h"

#include "gtest/gtest.h"

#include <set>

using namespace tawa;
using namespace tawa::test;

namespace {

/// The same product by one role: loads and products are in one loop.
WorkSummary productOfOneRole(int64_t m, int64_t n, int64_t k) {
  WorkSummary summary = product(m, n, k);
  RoleWork role{RoleKind::Main, 4, summary.roles[1].steps};
  std::vector<WorkStep> loads = summary.roles[0].steps.front().body;
  for (WorkStep &load : loads) {
    load.access.ring = -1;
    load.access.isCopyable = true;
    load.access.places.back() = role.steps.front().induction;
  }
  std::vector<WorkStep> &body = role.steps.front().body;
  body.insert(body.begin(), loads.begin(), loads.end());
  summary.roles = {role};
  summary.rings.clear();
  summary.declined = "an operand is computed";
  return summary;
}

class Presets : public testing::Test {
protected:
  Presets() {
    input.hardware = h200();
    input.grid = {64, 64, 1};
    input.summarize = [this](const KernelConfig &config) -> Result<WorkSummary> {
      ++questions;
      lastTile = config.tile;
      if (auto rows = config.tile.find("BLOCK_M"); rows != config.tile.end() && rows->second > 128)
        return product(rows->second, 64, 64);
      return config.consumerGroups == 0 ? asOneRole : summary;
    };
  }

  KernelConfig choose(int64_t depth = 4096) {
    arguments = productArguments(8192, 8192, depth);
    input.arguments = arguments;
    questions = 0;
    Result<std::vector<Candidate>> chosen = choosePreset(input);
    EXPECT_TRUE(chosen.isOk()) << chosen.status().message();
    return chosen ? chosen->front().config : KernelConfig();
  }

  WorkSummary summary = product(128, 256, 64), asOneRole = productOfOneRole(128, 256, 64);
  std::vector<ArgumentValue> arguments;
  SpaceInput input;
  int questions = 0;
  std::map<std::string, int64_t> lastTile;
};

TEST_F(Presets, TheUsualConfigurationStaysUnlessAnotherOneIsClearlyFaster) {
  EXPECT_EQ(choose(16384).str(), KernelConfig().str());
  EXPECT_EQ(questions, 1);
}

TEST_F(Presets, SmallTilesAreOneRoleOfWhichManyFitAMultiprocessor) {
  summary = product(64, 64, 32);
  asOneRole = productOfOneRole(64, 64, 32);
  EXPECT_EQ(choose().consumerGroups, 0);
  for (WorkStep &step : asOneRole.roles[0].steps.front().body)
    step.access.isCopyable = false; // as where a descriptor gives no alignment
  EXPECT_EQ(choose().consumerGroups, 1);
  asOneRole = productOfOneRole(64, 64, 32);
  input.grid = {10, 10, 1}; // too few for that: a producer of its own hides more
  EXPECT_EQ(choose().consumerGroups, 1);
}

/// Like the products that wgmma does not take.
void multiplyByThreads(WorkSummary &summary) {
  for (RoleWork &role : summary.roles)
    for (WorkStep &step : role.steps.front().body)
      step.isWgmma = step.isPipelined = false;
}

void sumsAreNotShared(WorkSummary &summary) { summary.notApplied = {{"split", "the loop adds nothing up"}}; }

TEST_F(Presets, WithoutWgmmaOneRoleIsUsual) {
  summary = product(64, 64, 32);
  asOneRole = productOfOneRole(64, 64, 32);
  for (WorkSummary *each : {&summary, &asOneRole})
    multiplyByThreads(*each);
  sumsAreNotShared(summary);
  input.grid = {10, 10, 1}; // where a producer feeds wgmma, it hides more
  EXPECT_EQ(choose().consumerGroups, 0);
  EXPECT_EQ(questions, 3); // the kernel, one role, and whether CTAs can share its sums
}

TEST_F(Presets, OneRoleIsUsualWhereThreadsMakeAnOperandOfEachProduct) {
  summary = product(64, 64, 32);
  asOneRole = productOfOneRole(64, 64, 32);
  sumsAreNotShared(summary);
  input.grid = {10, 10, 1};
  EXPECT_GT(choose().consumerGroups, 0); // a producer that feeds wgmma hides more
  for (RoleWork &role : summary.roles)
    for (WorkStep &step : role.steps.front().body)
      step.isComputed = step.kind == WorkStep::Kind::Dot;
  EXPECT_EQ(choose().consumerGroups, 0);
  WorkStep &dot = asOneRole.roles[0].steps.front().body.back();
  dot.isWgmma = dot.isPipelined = dot.aInRegisters = true;
  EXPECT_EQ(choose(64).mmaDepth, 2) << "two iterations, where the model sees no difference";
}

TEST_F(Presets, WithoutWgmmaSeveralRolesHaveToBeClearlyFasterWithAsManyWarps) {
  summary = product(64, 64, 32);
  asOneRole = productOfOneRole(64, 64, 32);
  for (WorkSummary *each : {&summary, &asOneRole})
    multiplyByThreads(*each);
  WorkStep copies; // by the threads that multiply
  copies.operations = 64 * 64 * 32;
  asOneRole.roles[0].steps.front().body.push_back(copies);
  input.grid = {10, 10, 1};
  EXPECT_EQ(choose().consumerGroups, 1);
  summary.roles[1].steps.front().upper = 0; // a trip count of which nothing is known
  summary.values.front().op = WorkValue::Op::Unknown;
  EXPECT_EQ(choose().consumerGroups, 0);
}

TEST_F(Presets, ShortLoopsWalkTheirTiles) {
  EXPECT_EQ(choose(128).persistent, 1);
  EXPECT_EQ(questions, 2);  // the kernel, and whether it can walk its tiles
  input.grid = {10, 10, 1}; // fewer tiles than multiprocessors
  EXPECT_EQ(choose(128).persistent, 0);
  EXPECT_EQ(questions, 1);
  input.grid = {};
  summary.notApplied = {{"persistent", "the text says so"}};
  EXPECT_EQ(choose(128).persistent, 0);
}

TEST_F(Presets, IdleMultiprocessorsShareSums) {
  input.grid = {8, 4, 1};
  KernelConfig shared = choose(16384);
  EXPECT_GT(shared.split, 1) << shared.str();
  EXPECT_EQ(questions, 2); // the kernel, and whether CTAs can share its sums
  input.grid = {16, 8, 1}; // about as many programs as multiprocessors
  EXPECT_EQ(choose(16384).split, 1);
  EXPECT_EQ(questions, 1);
  input.grid = {8, 4, 1};
  summary.notApplied = {{"split", "the loop adds nothing up"}};
  EXPECT_EQ(choose(16384).split, 1);
  input.grid = {};
  summary.notApplied.clear();
  EXPECT_EQ(choose(16384).split, 1) << "nothing tells that there are few programs";
}

TEST_F(Presets, SumsAreSharedByTwoCtasOfAMultiprocessor) {
  summary = product(64, 64, 64);
  input.grid = {16, 8, 1}; // about as many programs as multiprocessors
  KernelConfig shared = choose(65536);
  EXPECT_EQ(shared.split, 2) << shared.str();
  sumsAreNotShared(summary);
  EXPECT_EQ(choose(65536).split, 1);
}

TEST_F(Presets, CtasBesideEachOtherOverlapArithmetic) {
  summary = product(64, 64, 64);
  asOneRole = productOfOneRole(64, 64, 64);
  for (WorkStep &step : asOneRole.roles[0].steps.front().body)
    step.access.isCopyable = false;
  std::vector<WorkStep> &body = summary.roles[1].steps.front().body;
  WorkStep arithmetic;
  arithmetic.operations = 40000;
  WorkStep second = body.back(); // which reads what the first one made, as in attention
  second.isPipelined = body.back().isPipelined = false;
  second.isComputed = second.aInRegisters = true;
  body.insert(body.end(), {arithmetic, second});
  KernelConfig chosen = choose(65536);
  EXPECT_GT(chosen.ctas, 1) << chosen.str();
  EXPECT_EQ(chosen.consumerGroups, 1) << chosen.str();
  body.resize(1);
  body.back().isPipelined = true;
  EXPECT_EQ(choose(65536).ctas, 1) << "products alone keep the units busy";
}

TEST_F(Presets, LaunchesNeedNoMemoryThatOnlyTawaKnows) {
  input.grid = {17, 8, 1}; // four more than multiprocessors: CTAs that share the last tiles would be faster
  KernelConfig chosen = choose(65536);
  EXPECT_EQ(chosen.stream, 0) << chosen.str();
  EXPECT_EQ(chosen.dynamic, 0) << chosen.str();
}

TEST_F(Presets, OneGroupOfALargeTileLeavesRoomForOtherCtas) {
  summary = productOfOneRole(64, 128, 32);
  multiplyByThreads(summary);
  summary.roles[0].warps = 8;
  input.grid = {64, 64, 1};
  KernelConfig chosen = choose(64);
  EXPECT_EQ(chosen.warps, 4) << chosen.str();
  summary.roles[0].warps = 4;
  EXPECT_EQ(choose(64).warps, 0);
}

TEST_F(Presets, OthersAreNamedForACompilerThatRefusesTheFirst) {
  arguments = productArguments(8192, 8192, 4096);
  input.arguments = arguments;
  Result<std::vector<Candidate>> chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  ASSERT_GT(chosen->size(), 1u);
  std::set<std::string> configs;
  for (const Candidate &candidate : *chosen)
    EXPECT_TRUE(configs.insert(candidate.config.str()).second) << candidate.config.str();
}

TEST_F(Presets, AnOperandThatThreadsComputeIsMadeBesideTheProductsOfTheIterationBefore) {
  summary = productOfOneRole(64, 128, 32);
  WorkStep &dot = summary.roles[0].steps.front().body.back();
  ASSERT_EQ(dot.kind, WorkStep::Kind::Dot);
  dot.isWgmma = dot.isPipelined = true;
  input.grid = {10, 10, 1}; // no other CTA hides it
  EXPECT_EQ(choose().mmaDepth, 1);
  dot.aInRegisters = true;
  EXPECT_EQ(choose().mmaDepth, 2);
  for (WorkStep &step : summary.roles[0].steps.front().body) // no slots, so none that a product may keep
    step.access.isCopyable = false;
  EXPECT_EQ(choose().mmaDepth, 1);
}

TEST_F(Presets, ArithmeticOnAProductOfItsIterationIsNotBesideTheProducts) {
  summary = productOfOneRole(64, 128, 32);
  std::vector<WorkStep> &body = summary.roles[0].steps.front().body;
  body.back().isWgmma = body.back().isPipelined = body.back().aInRegisters = true;
  WorkStep arithmetic;
  arithmetic.operations = 20000;
  body.insert(body.end() - 1, arithmetic);
  arguments = productArguments(8192, 8192, 4096);
  auto gain = [&] {
    auto seconds = [&](const char *text) {
      ProblemWork work = evaluateWork(summary, arguments, {10, 10, 1}, 132);
      return predict({summary, work, *KernelConfig::parse(text), h200(), false}).seconds;
    };
    return seconds("consumers=0 D=4 P=1") / seconds("consumers=0 D=4 P=2");
  };
  EXPECT_GT(gain(), 1.3);
  WorkStep first = body.back();
  first.isPipelined = false;
  body.insert(body.end() - 2, first);
  EXPECT_LT(gain(), 1.2);
}

TEST_F(Presets, EachWarpOfOneRoleConvertsBytes) {
  summary = productOfOneRole(64, 64, 128);
  WorkStep &dot = summary.roles[0].steps.front().body.back();
  ASSERT_EQ(dot.kind, WorkStep::Kind::Dot);
  dot.isWgmma = false;
  auto seconds = [&] {
    ProblemWork work = evaluateWork(summary, productArguments(64, 4096, 4096), {1, 64, 1}, 132);
    return predict({summary, work, *KernelConfig::parse("consumers=0 D=4"), h200()}).seconds;
  };
  double halves = seconds();
  dot.bits = 8;
  EXPECT_GT(seconds(), 1.1 * halves);
}

TEST_F(Presets, SlotsOfOneRoleLeaveRoomForOtherCtasWhereThereAreSome) {
  summary = productOfOneRole(64, 64, 192); // 48 KiB a slot
  KernelConfig many = choose();
  EXPECT_EQ(questions, 1);  // there is nothing to ask about a loop over tiles
  input.grid = {10, 10, 1}; // one CTA a multiprocessor at most
  KernelConfig few = choose();
  auto slots = [&](const KernelConfig &config) { return loneRole(summary, config, input.hardware).slots; };
  EXPECT_LT(slots(many), slots(few));
}

/// Each program reads rows of 4096 elements in a loop and writes `block` elements of the result.
WorkSummary sumOfRows(int64_t block) {
  WorkSummary summary = productOfOneRole(64, 64, 32);
  std::vector<WorkStep> &steps = summary.roles[0].steps;
  std::erase_if(steps.front().body, [](const WorkStep &step) { return step.kind == WorkStep::Kind::Dot; });
  steps.back().access.block = {block};
  steps.back().access.places.clear();
  return summary;
}

TEST_F(Presets, IdleThreadsTakePartWhereProgramsAreFew) {
  summary = sumOfRows(64);
  input.grid = {64, 1, 1};
  EXPECT_EQ(choose().warps, 8);
  input.grid = {256, 1, 1};
  EXPECT_EQ(choose().warps, 8);
  input.grid = {1024, 1, 1};
  EXPECT_EQ(choose().warps, 0); // 4 fill the GPU already
  input.grid = {64, 1, 1};
  summary.roles[0].steps.front().body.clear();
  summary.roles[0].steps.back().access.block = {128};
  EXPECT_EQ(choose().warps, 0); // there is nothing to do for more threads
}

TEST_F(Presets, LoopsLoadAnIterationAheadWhereProgramsAreFew) {
  summary = sumOfRows(64);
  input.grid = {64, 1, 1};
  EXPECT_EQ(choose().ringDepth, 2);
  input.grid = {4096, 1, 1};
  EXPECT_EQ(choose().ringDepth, 0) << "other CTAs hide the loads, and need the registers";
  input.grid = {64, 1, 1};
  summary.roles[0].steps.front().body.clear();
  EXPECT_EQ(choose().ringDepth, 0) << "no loop loads";
}

TEST_F(Presets, WithoutAGridProgramsAreCountedByWhatTheyWrite) {
  summary = sumOfRows(1 << 20); // of 8192 x 8192: 64 programs
  input.grid = {};
  EXPECT_EQ(choose().warps, 8);
  summary = sumOfRows(1 << 14); // 4096 programs
  EXPECT_EQ(choose().warps, 0);
  summary = sumOfRows(1 << 20);
  arguments = {matrix(kUnknownExtent, 8192), matrix(kUnknownExtent, 8192), matrix(kUnknownExtent, 8192), integer(1)};
  input.arguments = arguments;
  Result<std::vector<Candidate>> chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  EXPECT_EQ(chosen->front().config.warps, 0); // nothing tells that there are few
  summary.maskedPrograms = 64;
  EXPECT_EQ(choose().warps, 8);
}

TEST_F(Presets, NeitherShapesNorAGridAreNeeded) {
  input.grid = {};
  Result<std::vector<Candidate>> chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  EXPECT_GT(chosen->front().prediction.seconds, 0);
  Prediction unknown = chosen->front().prediction;
  arguments = productArguments(kUnknownExtent, kUnknownExtent, 0); // a number of 0 is not believed
  input.arguments = arguments;
  chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  EXPECT_EQ(chosen->front().prediction.seconds, unknown.seconds);
}

TEST_F(Presets, TileParametersHaveTheirFirstValues) {
  input.tileParameters = {{"M", {128, 64}}, {"N", {256}}};
  KernelConfig chosen = choose();
  EXPECT_EQ(chosen.tile, (std::map<std::string, int64_t>{{"M", 128}, {"N", 256}}));
  EXPECT_EQ(lastTile, chosen.tile);
}

TEST_F(Presets, SizesThatTheCompilerFoundMayBeDoubled) {
  summary = product(128, 64, 64);
  asOneRole = productOfOneRole(128, 64, 64);
  for (WorkStep &step : asOneRole.roles[0].steps.front().body)
    step.access.isCopyable = false;
  input.tileParameters = {{"BLOCK_M", {128, 64, 256}}, {"BLOCK_N", {64, 32}}};
  input.grid = {};
  EXPECT_EQ(choose().tile.at("BLOCK_M"), 128) << "an author's first value is the default";
  input.sizesAreFound = true;
  EXPECT_EQ(choose().tile, (std::map<std::string, int64_t>{{"BLOCK_M", 256}, {"BLOCK_N", 64}}));
  arguments = productArguments(1024, 2048, 256);
  input.arguments = arguments;
  Result<std::vector<Candidate>> chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  EXPECT_EQ(chosen->front().config.tile.at("BLOCK_M"), 128) << "the launch is short";
  arguments = {matrix(8192, kUnknownExtent), matrix(8192, kUnknownExtent), matrix(8192, 8192), integer(0)};
  input.arguments = arguments;
  chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  EXPECT_EQ(chosen->front().config.tile.at("BLOCK_M"), 128) << "how long it takes is not known";
}

TEST_F(Presets, TwoSizesMayBeDoubledAtOnce) {
  input.tileParameters = {{"BLOCK_M", {128, 256}}, {"BLOCK_N", {64, 128}}};
  input.sizesAreFound = true;
  input.grid = {};
  bool isOneEnough = false;
  input.summarize = [&](const KernelConfig &config) -> Result<WorkSummary> {
    int64_t m = config.tile.at("BLOCK_M"), n = config.tile.at("BLOCK_N");
    if ((m == 256) != (n == 128) && !isOneEnough)
      return Status(StatusCode::Unsupported, "one alone is refused");
    WorkSummary alone = productOfOneRole(m, n, 64);
    for (WorkStep &step : alone.roles[0].steps.front().body)
      step.access.isCopyable = false; // loads nothing ahead
    return config.consumerGroups == 0 ? alone : product(m, n, 64);
  };
  EXPECT_EQ(choose().tile, (std::map<std::string, int64_t>{{"BLOCK_M", 256}, {"BLOCK_N", 128}}));
  isOneEnough = true; // and then from there
  EXPECT_EQ(choose().tile, (std::map<std::string, int64_t>{{"BLOCK_M", 256}, {"BLOCK_N", 128}}));
  input.tileParameters[1].second = {64};
  EXPECT_EQ(choose().tile, (std::map<std::string, int64_t>{{"BLOCK_M", 256}, {"BLOCK_N", 64}}));
}

/// A product whose tile sizes the compiler found, of one role where the test says so.
class SmallerTiles : public Presets {
protected:
  SmallerTiles() {
    input.tileParameters = {{"BLOCK_M", {128, 8, 16, 32, 64}}, {"BLOCK_N", {64, 128}}, {"BLOCK_K", {64, 128, 256}}};
    input.sizesAreFound = true;
    input.grid = {};
    input.summarize = [this](const KernelConfig &config) -> Result<WorkSummary> {
      ++questions;
      int64_t m = config.tile.at("BLOCK_M"), n = config.tile.at("BLOCK_N"), k = config.tile.at("BLOCK_K");
      if (isOneRole || config.consumerGroups == 0)
        return productOfOneRole(m, n, k);
      WorkSummary roles = product(m, n, k);
      for (WorkStep &step : roles.roles[1].steps.front().body)
        if (step.kind == WorkStep::Kind::Dot) {
          if (step.m < 64)
            std::swap(step.m, step.n); // as the compiler does
          step.isComputed = hasComputedOperands;
        }
      return roles;
    };
  }

  std::map<std::string, int64_t> tileFor(int64_t m, int64_t n, int64_t k) {
    input.arguments = arguments = productArguments(m, n, k);
    questions = 0;
    Result<std::vector<Candidate>> chosen = choosePreset(input);
    EXPECT_TRUE(chosen.isOk()) << chosen.status().message();
    return chosen ? chosen->front().config.tile : std::map<std::string, int64_t>();
  }

  bool isOneRole = false, hasComputedOperands = false;
};

TEST_F(SmallerTiles, FillTheMultiprocessorsOfAShortLaunch) {
  std::map<std::string, int64_t> tile = tileFor(256, 256, 512); // 8 programs
  EXPECT_EQ(tile.at("BLOCK_M"), 8);
  EXPECT_GT(tile.at("BLOCK_K"), 64) << "fewer iterations";
  EXPECT_LE(questions, 16);
  input.sizesAreFound = false;
  EXPECT_EQ(tileFor(256, 256, 512).at("BLOCK_M"), 128) << "an author's first value is the default";
}

TEST_F(SmallerTiles, AreNoMoreThanThereAreMultiprocessors) {
  EXPECT_EQ(tileFor(1024, 256, 512).at("BLOCK_M"), 32);   // 32 programs: 4 times as many
  EXPECT_EQ(tileFor(1024, 1024, 512).at("BLOCK_M"), 128); // 128 programs
  EXPECT_EQ(questions, 1) << "none about other tiles";
}

TEST_F(SmallerTiles, OfOneRoleHaveSixteenRows) {
  isOneRole = true;
  EXPECT_EQ(tileFor(256, 256, 512).at("BLOCK_M"), 16);
}

TEST_F(SmallerTiles, MakeNoOperandsOfLongLaunches) {
  hasComputedOperands = true;
  EXPECT_EQ(tileFor(2048, 256, 4096).at("BLOCK_M"), 128);
  EXPECT_EQ(tileFor(2048, 256, 1024).at("BLOCK_M"), 64) << "this one is short";
}

TEST_F(SmallerTiles, AreNotMadeWhereProgramsAreNotKnown) {
  input.arguments = arguments = {matrix(kUnknownExtent, 512), matrix(kUnknownExtent, 512),
                                 matrix(kUnknownExtent, kUnknownExtent), integer(512)};
  Result<std::vector<Candidate>> chosen = choosePreset(input);
  ASSERT_TRUE(chosen.isOk()) << chosen.status().message();
  EXPECT_EQ(chosen->front().config.tile.at("BLOCK_M"), 128);
}

TEST_F(Presets, WithoutAGridProgramsAreCountedAlongEachAxis) {
  arguments = productArguments(1000, 8192, 4096);
  input.arguments = arguments;
  EXPECT_EQ(guessGrid(input, summary), (std::array<uint32_t, 3>{8, 32, 1}));
  summary = product(128, 256, 64, /*rows=*/4); // the fifth program along x begins with the first row
  EXPECT_EQ(guessGrid(input, summary), (std::array<uint32_t, 3>{256, 1, 1})) << "by the blocks that cover the result";
  summary = product(128, 256, 64);
  for (WorkStep &step : summary.roles[1].steps)
    std::ranges::fill(step.access.places, summary.roles[1].steps.front().upper); // all in one place
  EXPECT_EQ(guessGrid(input, summary), (std::array<uint32_t, 3>{8, 32, 1})) << "by the places of loads";
  arguments = productArguments(1000, 8192, 4096);
  arguments[0] = matrix(2000, 4096); // rows of which the programs read half
  input.arguments = arguments;
  EXPECT_EQ(guessGrid(input, summary), (std::array<uint32_t, 3>{256, 1, 1})) << "they would write more than there is";
  input.arguments = arguments = productArguments(16, 8192, 4096);
  EXPECT_EQ(guessGrid(input, summary), (std::array<uint32_t, 3>{1, 32, 1})) << "a block reaches over the rows";
  for (WorkValue &value : summary.values)
    if (value.op == WorkValue::Op::Program)
      value.op = WorkValue::Op::Unknown; // as where only addresses follow from a program's number
  EXPECT_EQ(guessGrid(input, summary), (std::array<uint32_t, 3>{32, 1, 1}));
}

/// Products on mma.sync with much arithmetic of the threads beside them, few enough CTAs for one wave.
TEST_F(Presets, OneWaveEndsWithTheMultiprocessorThatHasMostCtas) {
  summary = productOfOneRole(16, 64, 64);
  std::vector<WorkStep> &body = summary.roles[0].steps.front().body;
  for (WorkStep &step : body)
    step.isWgmma = step.isPipelined = false;
  WorkStep arithmetic;
  arithmetic.kind = WorkStep::Kind::Vector;
  arithmetic.operations = 1e6;
  body.push_back(arithmetic);
  input.arguments = arguments = productArguments(16, 1 << 20, 8192);
  auto seconds = [&](uint32_t programs, const char *text) {
    input.grid = {programs, 1, 1};
    KernelConfig config = *KernelConfig::parse(text);
    Result<SearchSpace> space = judgeConfigs(input, std::span(&config, 1));
    EXPECT_TRUE(space.isOk() && space->legal == 1) << text;
    return space.isOk() ? space->candidates.front().prediction.seconds : 0;
  };
  double one = seconds(132, "consumers=0 D=2"), two = seconds(264, "consumers=0 D=2");
  EXPECT_GT(two, 1.8 * one);
  EXPECT_NEAR(seconds(140, "consumers=0 D=2"), two, 0.02 * two);
}

/// Two groups of a converter are no faster than one: shared memory sets the pace.
TEST_F(Presets, AConverterIsAsFastAsSharedMemory) {
  summary = product(64, 256, 64);
  for (WorkStep &step : summary.roles[1].steps.front().body)
    step.isComputed = step.kind == WorkStep::Kind::Dot;
  summary.convertedBytes = 64L * 256 * 2;
  summary.registersBesideConverter = {{200, 160}};
  summary.roles.push_back({RoleKind::Converter, 4, {}});
  input.arguments = arguments = productArguments(64, 28672, 8192);
  input.grid = {1, 112, 1};
  auto seconds = [&](const char *text) {
    KernelConfig config = *KernelConfig::parse(text);
    summary.config = config;
    Result<SearchSpace> space = judgeConfigs(input, std::span(&config, 1));
    EXPECT_TRUE(space.isOk() && space->legal == 1) << text << (space.isOk() ? space->candidates.front().reason : "");
    return space.isOk() ? space->candidates.front().prediction.seconds : 0;
  };
  double one = seconds("consumers=1 converters=1 D=2");
  EXPECT_EQ(seconds("consumers=1 converters=2 D=2"), one);
  input.hardware.sharedPerClock /= 2;
  EXPECT_GT(seconds("consumers=1 converters=1 D=2"), 1.3 * one);
}

/// Results larger than L2, a few iterations each: CTAs of a multiprocessor share memory once, and wait beside each
/// other.
TEST_F(Presets, CtasOfAMultiprocessorShareThePaceOfLargeResultsOnce) {
  summary = productOfOneRole(64, 128, 32);
  summary.roles[0].steps.back().access.elementBytes = 4;
  arguments = productArguments(8192, 8192, 64);
  input.arguments = arguments;
  input.grid = {128, 64, 1};
  KernelConfig config = *KernelConfig::parse("consumers=0 D=2");
  Result<SearchSpace> space = judgeConfigs(input, std::span(&config, 1));
  ASSERT_TRUE(space.isOk()) << space.status().message();
  ASSERT_EQ(space->legal, 1u) << space->candidates.front().reason;
  double stored = 8192.0 * 8192 * 4 / input.hardware.memoryRate;
  EXPECT_GT(space->candidates.front().prediction.seconds, stored);
  EXPECT_LT(space->candidates.front().prediction.seconds, 2 * stored);
}

TEST_F(Presets, WhatTheCompilerRefusesIsItsOwnError) {
  input.summarize = [](const KernelConfig &) -> Result<WorkSummary> {
    return Status(StatusCode::InvalidIR, "line 3: no such operation");
  };
  Result<std::vector<Candidate>> chosen = choosePreset(input);
  ASSERT_FALSE(chosen.isOk());
  EXPECT_EQ(chosen.status().message(), "line 3: no such operation");
}

/// Threads scale what each product gives before they add it.
WorkSummary scaledProduct(int64_t m, int64_t n, int64_t k) {
  WorkSummary summary = productOfOneRole(m, n, k);
  summary.roles[0].steps.front().body.back().isFresh = true;
  summary.sumBytes = m * n * 4;
  return summary;
}

LoneRole roleWith(const WorkSummary &summary, const char *config) {
  return loneRole(summary, *KernelConfig::parse(config), h200());
}

TEST(LoneRoles, HaveSlotsAsTheirConfigurationSays) {
  WorkSummary summary = productOfOneRole(128, 128, 64); // 32 KiB a slot
  EXPECT_EQ(roleWith(summary, "").slotBytes, 32768);
  EXPECT_EQ(roleWith(summary, "").slots, 3); // of two CTAs on a multiprocessor
  EXPECT_EQ(roleWith(summary, "D=1").slots, 1);
  EXPECT_EQ(roleWith(summary, "D=6").slots, 6);
  EXPECT_EQ(roleWith(summary, "D=8").slots, 7); // which is what fits
}

TEST(LoneRoles, ShareAMultiprocessorByWhatTheyTake) {
  EXPECT_EQ(roleWith(productOfOneRole(64, 64, 32), "D=2").resident, 5u);   // by 92 registers of 128 threads
  EXPECT_EQ(roleWith(productOfOneRole(128, 128, 64), "D=3").resident, 2u); // by shared memory
  EXPECT_EQ(roleWith(productOfOneRole(128, 128, 64), "D=6").resident, 1u);
  EXPECT_EQ(roleWith(scaledProduct(64, 64, 32), "D=2").resident, 4u); // by 32 more: of the product, and of its sum
  WorkSummary byRegisters = productOfOneRole(64, 64, 32);
  for (WorkStep &step : byRegisters.roles[0].steps.front().body)
    step.access.isCopyable = false;
  EXPECT_EQ(roleWith(byRegisters, "D=2").resident, 3u); // by 64 more: loads without slots
}

TEST(LoneRoles, AreLikeTheSplitKernelsWithoutItsProducer) {
  LoneRole role = roleWith(product(128, 128, 64), "consumers=0");
  EXPECT_EQ(role.slotBytes, 32768);
  EXPECT_EQ(role.warps, 8u); // of a tile of 128 x 128
  EXPECT_TRUE(role.hasProducts);
}

TEST(LoneRoles, WithoutAProductLoadNothingAhead) {
  WorkSummary summary = productOfOneRole(64, 64, 32);
  std::erase_if(summary.roles[0].steps.front().body,
                [](const WorkStep &step) { return step.kind == WorkStep::Kind::Dot; });
  LoneRole role = roleWith(summary, "");
  EXPECT_FALSE(role.hasProducts);
  EXPECT_EQ(role.slots, 1);
  EXPECT_EQ(role.resident, 8u); // 1024 threads
}

} // namespace
