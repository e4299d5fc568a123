// Trials of real kernels on the emulated SM: correct ones, wrong ones, ones that write outside of their tensors, and
// the choice among them. Times come from a clock of the test; nothing here measures performance.
#include "runtime/tuner/trial/Trial.h"

#include "capi/service/HostLoader.h"
#include "compiler/pipeline/Compiler.h"
#include "runtime/device/Registry.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

using namespace tawa;

namespace {

/// y = 2 x, 256 elements per program; HARM does something else: 1 a wrong number, 2 one element past the tensor, 4
/// nothing at all, 5 text that is no kernel.
constexpr const char *doubled = R"(
// tawa.param HARM = 0 | 1 | 2 | 4 | 5
// tawa.param SHADE = 0 | 1 | 2 | 3
// tawa.grid 2
tt.func public @doubled(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %harm = arith.constant ${HARM} : i32
  %size = arith.constant 256 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %four = arith.constant ${4 + 0 * SHADE + 0 / (5 - HARM)} : i32
  %p = tt.get_program_id x : i32
  %start = arith.muli %p, %size : i32
  %isLate = arith.cmpi eq, %harm, %two : i32
  %shift = arith.select %isLate, %one, %zero : i32
  %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %all = tt.splat %start : i32 -> tensor<256xi32>
  %index = arith.addi %range, %all : tensor<256xi32>
  %late = tt.splat %shift : i32 -> tensor<256xi32>
  %out = arith.addi %index, %late : tensor<256xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %index : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %yp = tt.addptr %ys, %out : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %value = tt.load %xp : tensor<256x!tt.ptr<f32>>
  %twice = arith.addf %value, %value : tensor<256xf32>
  %isWrong = arith.cmpi eq, %harm, %one : i32
  %wrong = tt.splat %isWrong : i1 -> tensor<256xi1>
  %result = arith.select %wrong, %value, %twice : tensor<256xi1>, tensor<256xf32>
  %writes = arith.cmpi ne, %harm, %four : i32
  scf.if %writes {
    tt.store %yp, %result : tensor<256x!tt.ptr<f32>>
  }
  tt.return
}
)";

std::vector<TuneRow::Outcome> outcomesOf(const std::vector<TuneRow> &rows) {
  std::vector<TuneRow::Outcome> outcomes;
  outcomes.reserve(rows.size());
  for (const TuneRow &row : rows)
    outcomes.push_back(row.outcome);
  return outcomes;
}

class Trials : public testing::Test {
protected:
  Trials() : log(LogLevel::Error) {
    Result<std::unique_ptr<Device>> opened = openDevice({"emulator", nullptr, capi::hostObjectLoader()}, log);
    EXPECT_TRUE(opened.isOk()) << opened.status().message();
    device = std::move(*opened);
    for (int i = 0; i < 2; ++i) {
      ArgumentValue tensor;
      tensor.kind = LogicalArgument::Kind::Tensor;
      tensor.elementType = ElementType::F32;
      tensor.rank = 1;
      tensor.shape = {512};
      tensor.strides = {1};
      arguments.push_back(tensor);
    }
  }

  TrialInput inputFor(const std::vector<const char *> &configs) {
    TrialInput input(*device);
    input.compile = [this](const KernelConfig &config, TargetKind target, bool plain) -> Result<KernelArtifact> {
      CompileInput compile;
      compile.text = doubled;
      compile.config = config;
      compile.target = target;
      if (plain)
        compile.config.consumerGroups = 0, compile.config.ringDepth = 1;
      Result<CompileOutput> output = compileKernel(compile);
      if (!output)
        return output.status();
      plains += plain;
      return std::move(output->artifact);
    };
    input.arguments = arguments;
    input.uses = {{true, false}, {false, true}};
    for (const char *text : configs)
      input.candidates.push_back(*KernelConfig::parse(text));
    return input;
  }

  std::vector<TuneRow> run(const TrialInput &input) {
    Result<std::vector<TuneRow>> rows = runTrial(input);
    EXPECT_TRUE(rows.isOk()) << rows.status().message();
    std::vector<TuneRow> found = rows ? *rows : std::vector<TuneRow>(input.candidates.size());
    found.front().isDefault = true;
    return found;
  }

  /// A clock that launches, as a device's does, and gives each candidate its time.
  static TrialClock launching(std::vector<double> seconds) {
    return [seconds = std::move(seconds)](Device &, size_t candidate,
                                          const std::function<Status()> &launch) -> Result<double> {
      Status status = launch();
      return status ? Result<double>(seconds[candidate]) : status;
    };
  }

  Logger log;
  std::unique_ptr<Device> device;
  std::vector<ArgumentValue> arguments;
  std::atomic<int> plains{0};
};

TEST_F(Trials, RightOnesAreVerifiedOnADeviceWithoutTimes) {
  std::vector<TuneRow> rows = run(inputFor({"HARM=0", "HARM=0 warps=8"}));
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Verified) << rows[0].reason;
  EXPECT_EQ(rows[1].outcome, TuneRow::Outcome::Verified) << rows[1].reason;
  EXPECT_EQ(plains, 1); // one trusted form for all
  EXPECT_EQ(chooseRow(rows), 0);
}

TEST_F(Trials, RowsAreToldAtTheEnd) {
  TrialInput input = inputFor({"HARM=0", "HARM=0 warps=8", "HARM=0 warps=16"});
  input.clock = launching({3, 2, 1});
  std::vector<TuneRow> told;
  input.onEnd = [&](const Result<std::vector<TuneRow>> &rows) { told = *rows; };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(outcomesOf(told), outcomesOf(rows));
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Measured) << rows[2].reason;
}

TEST_F(Trials, TheTrustedFormIsBuiltBesideTheFirstCandidates) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1"});
  input.threads = 2;
  std::atomic<bool> hasBegun{false}, isBeside{false};
  auto compile = input.compile;
  input.compile = [&](const KernelConfig &config, TargetKind target, bool plain) {
    for (int i = 0; plain && i < 300 && !hasBegun; ++i) // three seconds
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    (plain ? isBeside : hasBegun) = hasBegun || !plain;
    return compile(config, target, plain);
  };
  EXPECT_EQ(run(input)[1].outcome, TuneRow::Outcome::Verified);
  EXPECT_TRUE(isBeside);
}

TEST_F(Trials, EachKindOfHarmIsARowWithItsReason) {
  TrialInput input = inputFor({"HARM=0", "HARM=1", "HARM=2", "HARM=4", "HARM=5", "HARM=0 warps=8"});
  input.threads = 3;
  std::map<size_t, std::string> told;
  input.onRow = [&](size_t index, const TuneRow &row) { told[index] = row.reason; };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Verified) << rows[0].reason;
  EXPECT_EQ(rows[5].outcome, TuneRow::Outcome::Verified) << rows[5].reason;
  for (size_t bad = 1; bad <= 4; ++bad) {
    EXPECT_EQ(rows[bad].outcome, TuneRow::Outcome::Failed) << bad;
    EXPECT_EQ(told[bad], rows[bad].reason);
  }
  EXPECT_NE(rows[1].reason.find("wrong result in argument 1"), std::string::npos) << rows[1].reason;
  EXPECT_FALSE(rows[2].reason.empty()); // the emulator stops it; on a GPU the red zone tells
  EXPECT_NE(rows[3].reason.find("wrong result in argument 1"), std::string::npos) << rows[3].reason; // poison
  EXPECT_NE(rows[4].reason.find("division by zero"), std::string::npos) << rows[4].reason;
}

/// Loading is assembling, which takes longer than compiling: only what has a place and code of its own is loaded.
TEST_F(Trials, OnlyWhatIsLaunchedIsLoaded) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=0 D=2", "HARM=5", "SHADE=1", "SHADE=2", "SHADE=3"});
  for (KernelConfig &config : input.candidates)
    config.tile.try_emplace("HARM", 0);
  input.threads = 4;
  input.wanted = 2;
  std::mutex mutex;
  std::map<std::string, std::set<int>> steps;
  input.onPhase = [&](const char *phase, int config) {
    std::lock_guard lock(mutex);
    steps[phase].insert(config);
  };
  run(input);
  EXPECT_EQ(steps["loading"], (std::set{0, 3})); // D means nothing here, 5 does not compile
  EXPECT_EQ(steps["launching"], steps["loading"]);
  EXPECT_EQ(steps["compiling"].size(), 5u); // beside each other, as one has failed
}

TEST_F(Trials, TheFirstAreAssembledBesideAllThatComesBeforeLoading) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1"});
  input.threads = 2;
  std::atomic<bool> hasCompiled{false};
  input.assemble = [&](std::span<const size_t>) -> std::map<size_t, Status> {
    for (int i = 0; i < 300 && !hasCompiled; ++i) // three seconds
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(hasCompiled);
    return {};
  };
  input.onPhase = [&](const char *phase, int) { hasCompiled = hasCompiled || std::string_view(phase) == "compiling"; };
  EXPECT_EQ(run(input)[1].outcome, TuneRow::Outcome::Verified);
}

TEST_F(Trials, ManyAreAssembledBeforeTheyAreLoaded) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.wanted = 3;
  std::vector<std::vector<size_t>> asked;
  input.assemble = [&](std::span<const size_t> candidates) -> std::map<size_t, Status> {
    asked.emplace_back(candidates.begin(), candidates.end());
    return {{1, {StatusCode::PtxRejected, "it does not fit"}}};
  };
  EXPECT_EQ(run(input)[1].outcome, TuneRow::Outcome::Verified); // one thread: it would be unknown which one is at fault
  EXPECT_TRUE(asked.empty());
  input.threads = 2;
  std::vector<TuneRow> rows = run(input);
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(rows), (std::vector{Verified, Failed, Verified, Verified}));
  EXPECT_EQ(rows[1].reason, "it does not fit");
  EXPECT_EQ(asked, (std::vector<std::vector<size_t>>{{0, 1, 2}})); // a single one is loaded as it is
  input.candidates[1] = input.candidates[0]; // nor are those that turn out to have no place assembled twice
  input.assemble = [&](std::span<const size_t> candidates) -> std::map<size_t, Status> {
    asked.emplace_back(candidates.begin(), candidates.end());
    return {};
  };
  input.candidates.push_back(*KernelConfig::parse("SHADE=3 warps=8"));
  input.wanted = 4;
  asked.clear();
  EXPECT_EQ(outcomesOf(run(input)), (std::vector{Verified, Verified, Verified, Verified, Verified}));
  EXPECT_EQ(asked, (std::vector<std::vector<size_t>>{{0, 1, 2, 3}}));
}

TEST_F(Trials, KernelsRunInTurnsThatOthersHaveWhileOneCompiles) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.wanted = 4;
  input.refined = 2;
  int asked = 0, turns = 0;
  std::weak_ptr<void> held;
  input.tryTurn = [&]() -> std::shared_ptr<void> {
    if (++asked % 3 != 0) // another one has it
      return nullptr;
    ++turns;
    auto turn = std::make_shared<int>();
    held = turn;
    return turn;
  };
  input.clock = [&](Device &, size_t, const std::function<Status()> &launch) -> Result<double> {
    EXPECT_FALSE(held.expired());
    Status status = launch();
    return status ? Result<double>(1e-3) : status;
  };
  input.onPhase = [&](const char *phase, int candidate) {
    bool runs = std::set<std::string_view>{"launching", "comparing", "measuring"}.contains(phase);
    EXPECT_TRUE(candidate < 0 || held.expired() != runs) << phase;
  };
  size_t waits = 0;
  input.progress = [&](const char *stage, int, uint32_t, uint32_t) {
    waits += std::string_view(stage) == "wait";
    return true;
  };
  input.threads = 2; // the plain form is launched in the first turn
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(run(input)), (std::vector{Measured, Measured, Measured, Measured}));
  EXPECT_EQ(turns, 2); // before and after neighbours were compiled
  EXPECT_EQ(waits, 4u);
}

TEST_F(Trials, WhoWaitsForATurnCanBeCancelled) {
  TrialInput input = inputFor({"SHADE=0"});
  input.tryTurn = [] { return nullptr; };
  input.progress = [&](const char *stage, int, uint32_t done, uint32_t) {
    return std::string_view(stage) != "wait" || done < 3;
  };
  EXPECT_EQ(runTrial(input).status().code(), StatusCode::Cancelled);
}

TEST_F(Trials, TheClockDecidesAndTheDefaultIsHardToBeat) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.clock = launching({100e-6, 99.8e-6, 130e-6, 101e-6});
  std::vector<TuneRow> rows = run(input);
  EXPECT_DOUBLE_EQ(rows[2].median, 130e-6);
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Measured);
  EXPECT_EQ(rows[0].samples, 80u);
  EXPECT_EQ(chooseRow(rows), 0); // 0.2 % is noise
  input.clock = launching({100e-6, 90e-6, 130e-6, 101e-6});
  rows = run(input);
  EXPECT_EQ(chooseRow(rows), 1);
}

TEST_F(Trials, TheDefaultIsAlwaysAFinalist) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3", "SHADE=0 warps=4", "SHADE=1 warps=4",
                               "SHADE=2 warps=4", "SHADE=3 warps=4"});
  input.clock = [](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
    return candidate == 0 ? 1e-3 : 1e-4 * static_cast<double>(candidate);
  };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].samples, 8u);
  EXPECT_EQ(rows[7].samples, 7u); // not among the fastest five
  EXPECT_EQ(chooseRow(rows), 1);
}

TEST_F(Trials, ASlowerClockOfTheFinalsDoesNotCountForOthers) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3", "SHADE=0 warps=4", "SHADE=1 warps=4",
                               "SHADE=2 warps=4", "SHADE=3 warps=4"});
  bool isSlow = false;
  input.progress = [&](const char *stage, int, uint32_t, uint32_t) {
    isSlow |= std::string_view(stage) == "finals";
    return true;
  };
  input.clock = [&](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
    return (1e-3 + 1e-5 * static_cast<double>(candidate)) * (isSlow ? 1.5 : 1);
  };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(chooseRow(rows), 0);
  EXPECT_DOUBLE_EQ(rows[7].median, 1.07e-3 * 1.5) << "not among the fastest five";
}

TEST_F(Trials, ShortLaunchesAreMeasuredMoreOftenAndLongOnesLess) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.clock = [](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
    constexpr double seconds[] = {1e-5, 1e-4, 1e-3, 1e-1};
    return seconds[candidate];
  };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].samples, 100u);
  EXPECT_EQ(rows[1].samples, 25u); // by then it is known not to be the fastest
  EXPECT_EQ(rows[2].samples, 8u);
  EXPECT_EQ(rows[3].samples, 5u);
}

/// Of 100 measurements in the finals; the more there are, the smaller a difference tells.
TEST_F(Trials, FinalistsAreDroppedAsTheirTimesBecomeSure) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.clock = launching({10e-6, 10.1e-6, 10.25e-6, 10.4e-6});
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].samples, 100u);
  EXPECT_EQ(rows[1].samples, 100u); // within 1.5 %
  EXPECT_EQ(rows[2].samples, 50u);  // 2.5 %
  EXPECT_EQ(rows[3].samples, 25u);
}

TEST_F(Trials, FailedOnesAreReplacedByThoseBehindThem) {
  TrialInput input =
      inputFor({"SHADE=0", "HARM=1", "SHADE=1", "HARM=5", "SHADE=2", "HARM=2", "SHADE=3", "HARM=1 SHADE=3"});
  input.wanted = 4;
  input.threads = 2;
  std::vector<TuneRow> rows = run(input);
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(rows), (std::vector{Verified, Failed, Verified, Failed, Verified, Failed, Verified, Predicted}));
  input.wanted = 1;
  EXPECT_EQ(run(input)[1].outcome, Predicted); // it was not wanted
}

TEST_F(Trials, WhereSomeFailOthersAreCompiledAheadOfTheirNeed) {
  TrialInput input = inputFor({"SHADE=0", "HARM=1", "HARM=1 SHADE=1", "HARM=1 SHADE=2", "SHADE=1", "SHADE=2"});
  input.wanted = 2;
  input.threads = 3;
  std::set<uint32_t> together;
  input.progress = [&](const char *stage, int, uint32_t, uint32_t total) {
    if (std::string_view(stage) == "compile")
      together.insert(total);
    return true;
  };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(together, (std::set<uint32_t>{1, 2})); // two; and two for each that has failed
  EXPECT_EQ(rows[4].outcome, TuneRow::Outcome::Verified);
  EXPECT_EQ(rows[5].outcome, TuneRow::Outcome::Predicted);
}

TEST_F(Trials, WhereOnlyCodeIsEqualNoneIsCompiledAheadOfItsNeed) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=0 D=2", "SHADE=1", "SHADE=2", "SHADE=3"}); // D means nothing here
  input.wanted = 2;
  input.threads = 3;
  std::atomic<int> compiled{0};
  auto compile = input.compile;
  input.compile = [&](const KernelConfig &config, TargetKind target, bool plain) {
    compiled += !plain;
    return compile(config, target, plain);
  };
  EXPECT_EQ(run(input)[2].outcome, TuneRow::Outcome::Verified);
  EXPECT_EQ(compiled, 3);
}

TEST_F(Trials, EqualCodeIsMeasuredOnceAndTakesOnePlace) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=0 D=2", "SHADE=1", "SHADE=1 D=3", "SHADE=2"}); // D means nothing here
  input.wanted = 3;
  std::set<size_t> measured;
  input.clock = [&](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
    measured.insert(candidate);
    return 1e-3 + 1e-4 * static_cast<double>(candidate);
  };
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(measured, (std::set<size_t>{0, 2, 4}));
  for (size_t i : {0, 2}) {
    TuneRow twin = rows[i + 1];
    EXPECT_NE(std::exchange(twin.config, rows[i].config), rows[i].config);
    twin.isDefault = rows[i].isDefault;
    EXPECT_EQ(twin, rows[i]);
  }
}

TEST_F(Trials, NeighboursOfTheFastestAreTried) {
  TrialInput input = inputFor({"SHADE=0 warps=4", "SHADE=1 warps=4", "SHADE=2 warps=4", "SHADE=3 warps=8",
                               "SHADE=2 warps=8", "HARM=1 SHADE=2 warps=4", "SHADE=2 warps=2", "SHADE=3 warps=2"});
  for (KernelConfig &config : input.candidates)
    config.tile.try_emplace("HARM", 0);
  input.clock = launching({5e-3, 4e-3, 3e-3, 9e-3, 2e-3, 0, 8e-3, 9e-3}); // the wrong one has nothing to launch
  input.wanted = 5;
  input.refined = 2;
  std::vector<TuneRow> rows = run(input);
  using enum TuneRow::Outcome;
  // 4 and 5 are neighbours of 2; as 5 is wrong, a neighbour of 4 takes its place: 3, which was not wanted before.
  EXPECT_EQ(outcomesOf(rows),
            (std::vector{Measured, Measured, Measured, Measured, Measured, Failed, Predicted, Predicted}));
  EXPECT_EQ(chooseRow(rows), 4);
}

TEST_F(Trials, ASlowerClockOfTheDeviceDoesNotCountAgainstNeighbours) {
  TrialInput input = inputFor({"SHADE=0 warps=4", "SHADE=1 warps=4", "SHADE=2 warps=4", "SHADE=3 warps=8",
                               "SHADE=2 warps=8", "HARM=1 SHADE=2 warps=4", "SHADE=2 warps=2", "SHADE=3 warps=2"});
  for (KernelConfig &config : input.candidates)
    config.tile.try_emplace("HARM", 0);
  input.clock = [isSlow = false](Device &, size_t candidate,
                                 const std::function<Status()> &) mutable -> Result<double> {
    const double seconds[] = {5e-3, 4e-3, 3e-3, 9e-3, 2.5e-3, 0, 8e-3, 9e-3};
    isSlow |= candidate == 4; // from then on
    return seconds[candidate] * (isSlow ? 1.5 : 1);
  };
  input.wanted = 5;
  input.refined = 2;
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[3].outcome, TuneRow::Outcome::Measured) << "a neighbour of 4, which is the fastest";
  EXPECT_EQ(rows[6].outcome, TuneRow::Outcome::Predicted);
  EXPECT_EQ(chooseRow(rows), 4);
}

TEST_F(Trials, NeighboursMayHaveOtherDepths) {
  TrialInput input = inputFor({"SHADE=0 warps=4", "SHADE=1 warps=4", "SHADE=2 warps=8", "SHADE=1 warps=8 D=2"});
  input.clock = launching({5e-3, 4e-3, 3e-3, 2e-3});
  input.wanted = 3;
  input.refined = 1;
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(run(input)), (std::vector{Measured, Measured, Predicted, Measured}));
}

TEST_F(Trials, NeighboursDifferInOneSettingEachBeforeInTheSame) {
  TrialInput input =
      inputFor({"SHADE=0 warps=4", "SHADE=1 warps=4", "SHADE=2 warps=4", "SHADE=3 warps=4", "SHADE=1 warps=8"});
  input.clock = launching({5e-3, 4e-3, 6e-3, 6e-3, 6e-3});
  input.wanted = 4;
  input.refined = 2;
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(run(input)), (std::vector{Measured, Measured, Measured, Predicted, Measured}));
}

TEST_F(Trials, NeighboursWithTheCodeOfOthersAreNotLaunched) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=1 D=2", "SHADE=2"}); // D means nothing here
  input.clock = launching({5e-3, 4e-3, 0, 3e-3});
  input.wanted = 4;
  input.refined = 2;
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[2].median, rows[1].median);
  EXPECT_EQ(chooseRow(rows), 3);
}

TEST_F(Trials, NeighboursThatTimeDoesNotReachAreNotLaunched) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.clock = launching({5e-3, 4e-3, 3e-3, 2e-3});
  input.wanted = 4;
  input.refined = 2;
  input.budgetSeconds = 60;
  auto compile = input.compile;
  int compiled = 0;
  input.compile = [&](const KernelConfig &config, TargetKind target, bool plain) {
    if (!plain && ++compiled == 3)
      input.budgetSeconds = 1e-9;
    return compile(config, target, plain);
  };
  std::vector<TuneRow> rows = run(input);
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(rows), (std::vector{Measured, Measured, Predicted, Predicted}));
}

TEST_F(Trials, NoneIsChosenForAFewTimesWhenTimeIsUp) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2"});
  input.clock = [&](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
    const double seconds[] = {2e-3, 1e-3, 0.5e-3};
    if (candidate == 2) // the neighbour's first time
      input.budgetSeconds = 1e-9;
    return seconds[candidate];
  };
  input.wanted = 3;
  input.refined = 1;
  input.budgetSeconds = 60;
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Verified);
  EXPECT_EQ(chooseRow(rows), 1);
}

TEST_F(Trials, WithoutTimeForFinalsTheFirstTimesCount) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1"});
  int measured = 0;
  input.clock = [&](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
    if (++measured == 8) // in the fourth round
      input.budgetSeconds = 1e-9;
    return measured > 8 ? 9e-3 : candidate == 1 ? 1e-3 : 2e-3;
  };
  input.budgetSeconds = 60;
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(chooseRow(rows), 1);
  EXPECT_EQ(rows[1].median, 1e-3);
  EXPECT_EQ(measured, 8);
}

TEST_F(Trials, OrderIsSeeded) {
  auto orderWith = [&](uint64_t seed) {
    TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
    input.seed = seed;
    std::vector<size_t> order;
    input.clock = [&](Device &, size_t candidate, const std::function<Status()> &) -> Result<double> {
      order.push_back(candidate);
      return 1e-6;
    };
    run(input);
    return order;
  };
  EXPECT_EQ(orderWith(3), orderWith(3));
  EXPECT_NE(orderWith(3), orderWith(4));
}

TEST_F(Trials, CancellingStopsAtOnce) {
  for (const char *stage : {"compile", "verify", "measure", "finals"}) {
    TrialInput input = inputFor({"SHADE=0", "SHADE=1"});
    input.clock = [](Device &, size_t, const std::function<Status()> &) -> Result<double> { return 1e-6; };
    input.progress = [&](const char *at, int, uint32_t, uint32_t) { return std::string_view(at) != stage; };
    Result<std::vector<TuneRow>> rows = runTrial(input);
    ASSERT_FALSE(rows.isOk()) << stage;
    EXPECT_EQ(rows.status().code(), StatusCode::Cancelled);
  }
}

TEST_F(Trials, WithoutATrustedFormNothingIsTrusted) {
  Result<std::vector<TuneRow>> rows = runTrial(inputFor({"HARM=5"}));
  ASSERT_FALSE(rows.isOk());
  EXPECT_NE(rows.status().message().find("no trusted form"), std::string::npos);
}

TEST_F(Trials, AfterTheBudgetNothingIsBegunButTheDefault) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"});
  input.budgetSeconds = 1e-9;
  int compiled = 0;
  auto compile = input.compile;
  input.compile = [&](const KernelConfig &config, TargetKind target, bool plain) {
    compiled += !plain;
    return compile(config, target, plain);
  };
  using enum TuneRow::Outcome;
  EXPECT_EQ(outcomesOf(run(input)), (std::vector{Verified, Predicted, Predicted, Predicted}));
  EXPECT_EQ(compiled, 1);
}

/// Nothing runs in a context after a fault, so that no other tiles need be tried for a trusted form.
TEST_F(Trials, AFaultOfTheTrustedFormEndsTheTrial) {
  TrialInput input = inputFor({"SHADE=0", "SHADE=1", "SHADE=2"});
  int tried = 0;
  input.compile = [&](const KernelConfig &, TargetKind, bool plain) -> Result<KernelArtifact> {
    tried += plain;
    return Status(StatusCode::Cuda, "illegal address");
  };
  Result<std::vector<TuneRow>> rows = runTrial(input);
  ASSERT_FALSE(rows.isOk());
  EXPECT_EQ(rows.status().code(), StatusCode::Cuda);
  EXPECT_EQ(tried, 1);
}

/// Each phase is named before it begins, so that whoever listens knows where the process ended.
TEST_F(Trials, PhasesAreSaidAhead) {
  TrialInput input = inputFor({"SHADE=0"});
  input.clock = [](Device &, size_t, const std::function<Status()> &) -> Result<double> { return 1e-3; };
  std::vector<std::string> phases;
  input.onPhase = [&](const char *phase, int config) { phases.push_back(std::to_string(config) + " " + phase); };
  run(input);
  EXPECT_EQ(phases,
            (std::vector<std::string>{"-1 filling tensors", "-1 compiling the plain form", "-1 loading the plain form",
                                      "-1 launching the plain form", "0 compiling", "0 loading", "0 launching",
                                      "0 comparing", "0 measuring", "0 measuring"}));
}

} // namespace
