// Jobs of searches, read back and run by the `tawa` program on the emulator.
#include "capi/service/TuneCall.h"
#include "runtime/store/BuildLock.h"
#include "runtime/support/TemporaryFolder.h"
#include "runtime/tuner/trial/Isolation.h"

#include "gtest/gtest.h"

#include <map>
#include <mutex>
#include <set>

using namespace tawa;
using namespace tawa::capi;

namespace {

constexpr const char *doubled = R"(
// tawa.param SHADE = 0 | 1 | 2 | 3
// tawa.grid 1
tt.func public @doubled(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %four = arith.constant ${4 + 0 * SHADE} : i32
  %value = tt.load %x : !tt.ptr<f32>
  %twice = arith.addf %value, %value : f32
  tt.store %y, %twice : !tt.ptr<f32>
  tt.return
}
)";

TuneJob exampleJob() {
  TuneJob job;
  job.device = "emulator";
  job.name = "doubled.mlir";
  job.text = doubled;
  job.gpu = defaultTarget();
  for (bool isWritten : {false, true}) {
    ArgumentValue tensor;
    tensor.kind = LogicalArgument::Kind::Tensor;
    tensor.elementType = ElementType::F32;
    tensor.rank = 1;
    tensor.shape = {1};
    tensor.strides = {1};
    job.values.push_back(tensor);
    ArgumentFacts facts;
    facts.kind = tensor.kind;
    facts.elementType = tensor.elementType;
    facts.alignment = 16;
    facts.shape = facts.strides = {1};
    job.facts.push_back(facts);
    job.uses.push_back({!isWritten, isWritten});
  }
  for (const char *text : {"SHADE=0", "SHADE=1", "SHADE=2", "SHADE=3"})
    job.candidates.push_back(*KernelConfig::parse(text));
  job.worker = TAWA_PROGRAM;
  job.threads = 2;
  return job;
}

TEST(TuneJob, IsReadAsItWasWritten) {
  TuneJob job = exampleJob();
  job.assemblers = 3;
  job.contents = {"", std::string("a\n\0b", 4)};
  Result<TuneJob> ofWorker = TuneJob::parse(job.str(std::vector<size_t>{0}, 1, 1));
  ASSERT_TRUE(ofWorker.isOk()) << ofWorker.status().message();
  EXPECT_EQ(ofWorker->contents, job.contents);
  job.isForAssembly = true;
  Result<TuneJob> read = TuneJob::parse(job.str(std::vector<size_t>{1, 3}, 5, 7));
  ASSERT_TRUE(read.isOk()) << read.status().message();
  EXPECT_EQ(read->candidates, (std::vector{job.candidates[1], job.candidates[3]}));
  EXPECT_EQ(read->worker, job.worker);
  EXPECT_EQ(read->threads, 5u);
  EXPECT_EQ(read->assemblers, 3u);
  EXPECT_TRUE(read->isForAssembly);
  EXPECT_TRUE(read->contents.empty()) << "nothing runs there";
}

TEST(TuneJob, AWorkerHasItsCandidatesAssembledByOthers) {
  TuneJob job = exampleJob();
  for (uint32_t assemblers : {0, 2}) {
    job.assemblers = assemblers;
    IsolationInput input;
    input.program = job.worker;
    input.arguments = kWorkerArguments;
    input.candidates = job.candidates;
    input.job = [&](std::span<const size_t> which, bool, double) { return job.str(which, 2, 60); };
    std::map<std::string, std::set<int>> steps;
    input.onPhase = [&](const char *phase, int candidate) { steps[phase].insert(candidate); };
    Result<std::vector<TuneRow>> rows = runIsolated(input);
    ASSERT_TRUE(rows.isOk()) << rows.status().message();
    for (const TuneRow &row : *rows)
      EXPECT_EQ(row.outcome, TuneRow::Outcome::Verified) << row.reason;
    EXPECT_EQ(steps["assembling"], assemblers ? (std::set{0, 1, 2, 3}) : std::set<int>());
    EXPECT_EQ(steps["loading"], (std::set{0, 1, 2, 3}));
  }
}

/// Of two searches one may compile while the other one runs kernels.
TEST(TuneJob, AWorkerWaitsForTheDeviceAndNotToCompile) {
  TemporaryFolder folder;
  TuneJob job = exampleJob();
  job.turnFile = (folder.path / "device.lock").string();
  auto other = std::make_unique<store::BuildLock>(job.turnFile, "0");
  ASSERT_EQ(other->tryToBuild(), store::BuildLock::Answer::Taken);
  IsolationInput input;
  input.program = job.worker;
  input.arguments = kWorkerArguments;
  input.candidates = job.candidates;
  input.job = [&](std::span<const size_t> which, bool, double) { return job.str(which, 2, 60); };
  std::set<std::string> before, after;
  input.onPhase = [&](const char *phase, int) { (other ? before : after).insert(phase); };
  input.progress = [&](const char *stage, int, uint32_t done, uint32_t) {
    if (std::string_view(stage) == "wait" && done == 3)
      other.reset();
    return true;
  };
  Result<std::vector<TuneRow>> rows = runIsolated(input);
  ASSERT_TRUE(rows.isOk()) << rows.status().message();
  EXPECT_EQ(rows->back().outcome, TuneRow::Outcome::Verified) << rows->back().reason;
  EXPECT_EQ(before, (std::set<std::string>{"compiling", "loading"}));
  EXPECT_EQ(after, (std::set<std::string>{"launching", "comparing"}));
}

} // namespace
