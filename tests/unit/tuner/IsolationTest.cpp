// Workers that die, hang, lie or are cancelled: shell scripts that follow the worker's protocol.
#include "runtime/support/TemporaryFolder.h"
#include "runtime/tuner/trial/Assemblers.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <unistd.h>

using namespace tawa;

namespace {

/// Reads one candidate per line. P=2 in it: dies by a signal; P=3: says nothing any more; P=4: fails; P=5: faults the
/// device, so that the trial ends; P=6: dies while it is compiled, among others unless they are compiled one at a time.
/// All others are measured, D microseconds each.
constexpr const char *script = R"(
n=0; rows=""; busy=-1
while read -r line; do
  case "$line" in
    alone) busy=; continue ;;
    *P=6*) echo "at compile ${busy:-$n} 0 9"; kill -SEGV $$ ;;
  esac
  echo "at verify $n $n 9"
  case "$line" in
    *P=2*) kill -SEGV $$ ;;
    *P=3*) exec sleep 100 ;;
    *P=4*) rows="$rows
row $n failed 0 0 0 0 it is wrong" ;;
    *P=5*) echo "row $n failed 0 0 0 0 illegal address"; echo "end 6 illegal address"; exit 0 ;;
    *) d=${line#* D=}; d=${d%% *}
       rows="$rows
row $n measured ${d}e-06 1e-06 1e-07 15" ;;
  esac
  n=$((n + 1))
done
echo "at measure -1 0 0$rows"
echo "end 0 "
)";

IsolationInput inputFor(std::initializer_list<const char *> configs) {
  IsolationInput input;
  input.program = "/bin/sh";
  input.arguments = {"-c", script};
  for (const char *text : configs)
    input.candidates.push_back(*KernelConfig::parse(text));
  input.job = [candidates = input.candidates](std::span<const size_t> which, bool alone, double) {
    std::string lines = alone ? "alone\n" : "";
    for (size_t index : which)
      lines += "candidate " + candidates[index].str() + "\n";
    return lines;
  };
  input.silenceSeconds = 0.4;
  return input;
}

std::vector<TuneRow> run(const IsolationInput &input) {
  Result<std::vector<TuneRow>> rows = runIsolated(input);
  EXPECT_TRUE(rows.isOk()) << rows.status().message();
  return rows ? *rows : std::vector<TuneRow>(input.candidates.size());
}

TEST(Isolation, RowsComeBack) {
  std::vector<TuneRow> rows = run(inputFor({"D=4", "D=7", "D=6 P=4"}));
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Measured);
  EXPECT_DOUBLE_EQ(rows[0].median, 4e-6);
  EXPECT_DOUBLE_EQ(rows[1].median, 7e-6);
  EXPECT_EQ(rows[1].samples, 15u);
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Failed);
  EXPECT_EQ(rows[2].reason, "it is wrong");
  EXPECT_EQ(rows[2].config, KernelConfig::parse("D=6 P=4")->str());
}

TEST(Isolation, TheDeadAreNamedAndTheInnocentRunAgain) {
  std::vector<TuneRow> rows = run(inputFor({"D=4", "D=6 P=2", "D=5", "D=7 P=2", "D=8"}));
  for (size_t bad : {1, 3}) {
    EXPECT_EQ(rows[bad].outcome, TuneRow::Outcome::Failed);
    EXPECT_NE(rows[bad].reason.find("ended by signal 11"), std::string::npos) << rows[bad].reason;
  }
  for (size_t good : {0, 2, 4})
    EXPECT_EQ(rows[good].outcome, TuneRow::Outcome::Measured) << good;
}

TEST(Isolation, TheSilentAreKilled) {
  auto start = std::chrono::steady_clock::now();
  std::vector<TuneRow> rows = run(inputFor({"D=4", "D=6 P=3", "D=5"}));
  EXPECT_NE(rows[1].reason.find("gave no news for 0.4 s"), std::string::npos) << rows[1].reason;
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Measured);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Isolation, WhoeverEndsTheCompilerIsFoundByCompilingOneAtATime) {
  std::vector<TuneRow> rows = run(inputFor({"D=4", "D=6 P=6", "D=5"}));
  EXPECT_NE(rows[1].reason.find("ended by signal 11"), std::string::npos) << rows[1].reason;
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Measured);
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Measured);
}

TEST(Isolation, AFaultOfTheDeviceCostsOneCandidate) {
  std::vector<TuneRow> rows = run(inputFor({"D=8 P=5", "D=5", "D=6"}));
  EXPECT_EQ(rows[0].reason, "illegal address");
  EXPECT_EQ(rows[1].outcome, TuneRow::Outcome::Measured);
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Measured);
}

TEST(Isolation, NobodyLeftIsNoEndlessLoop) {
  std::vector<TuneRow> rows = run(inputFor({"D=4 P=2", "D=5 P=2"}));
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Failed);
  EXPECT_EQ(rows[1].outcome, TuneRow::Outcome::Failed);
}

TEST(Isolation, WhatIsNobodysFaultIsAnError) {
  IsolationInput input = inputFor({"D=4"});
  input.arguments = {"-c", "exit 3"};
  Result<std::vector<TuneRow>> rows = runIsolated(input);
  ASSERT_FALSE(rows.isOk());
  EXPECT_NE(rows.status().message().find("exited with code 3"), std::string::npos) << rows.status().message();
  input.arguments = {"-c", "echo 'end 7 no such device'"};
  rows = runIsolated(input);
  ASSERT_FALSE(rows.isOk());
  EXPECT_EQ(rows.status().code(), StatusCode::NoDevice);
  EXPECT_EQ(rows.status().message(), "no such device");
  input.arguments = {"-c", "echo 'end 6 illegal address in the plain form'"};
  rows = runIsolated(input);
  ASSERT_FALSE(rows.isOk());
  EXPECT_EQ(rows.status().code(), StatusCode::Cuda);
  EXPECT_EQ(rows.status().message(), "illegal address in the plain form");
  input.program = "/nonexistent/worker";
  rows = runIsolated(input);
  ASSERT_FALSE(rows.isOk());
  EXPECT_NE(rows.status().message().find("/nonexistent/worker"), std::string::npos);
}

namespace {

double secondsOf(const std::function<void()> &body) {
  auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Status failureOf(IsolationInput &input, const char *program) {
  input.arguments = {"-c", program};
  Result<std::vector<TuneRow>> rows = runIsolated(input);
  EXPECT_FALSE(rows.isOk()) << program;
  return rows.status();
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

/// The signal, what it was doing, and the end of what it wrote to its standard error.
TEST(Isolation, ADeathIsToldInFull) {
  IsolationInput input = inputFor({"D=4", "D=5"});
  input.arguments = {"-c", R"(
read -r line; read -r line || { echo 'row 0 verified 0 0 0 0'; echo 'end 0 '; exit; }
echo 'phase 1 loading'; echo 'at verify 1 1 2'; echo 'phase 1 launching'
for i in 1 2 3 4 5 6; do echo "remark $i" >&2; done; echo >&2; kill -SEGV $$)"};
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Verified);
  EXPECT_EQ(rows[1].outcome, TuneRow::Outcome::Failed);
  EXPECT_EQ(rows[1].reason, "the process that ran it ended by signal 11 (Segmentation fault) while launching; its last "
                            "words: remark 3 | remark 4 | remark 5 | remark 6");
}

TEST(Isolation, AProgramThatIsNoWorkerIsNamed) {
  IsolationInput input = inputFor({"D=4"});
  Status status = failureOf(input, "echo 'cannot find a library' >&2; exit 1");
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  for (const char *part : {"/bin/sh", "exited with code 1", "cannot find a library", "tawa_tune_worker()"})
    EXPECT_TRUE(has(status.message(), part)) << status.message();
  status = failureOf(input, "echo 'phase -1 opening the device'; kill -SEGV $$");
  EXPECT_EQ(status.code(), StatusCode::Internal);
  EXPECT_TRUE(has(status.message(), "signal 11 (Segmentation fault) while opening the device")) << status.message();
}

TEST(Isolation, LimitsHoldWhateverTheWorkerSays) {
  for (const char *program : {"yes", "yes 'at verify 0 0 1'", "yes 'row 0 verified 0 0 0 0'", "yes >&2",
                              "exec >&- 2>&-; sleep 100", "yes & sleep 100"}) {
    IsolationInput input = inputFor({"D=4"});
    Status status;
    EXPECT_LT(secondsOf([&] {
                input.arguments = {"-c", program};
                Result<std::vector<TuneRow>> rows = runIsolated(input);
                status = rows ? Status::ok() : rows.status();
                if (rows)
                  EXPECT_TRUE(has(rows->at(0).reason, "gave no news")) << rows->at(0).reason;
              }),
              10)
        << program;
    EXPECT_TRUE(status || has(status.message(), "gave no news for 0.4 s")) << program << ": " << status.message();
  }
}

/// News without end: a counter that goes up.
TEST(Isolation, AWorkerThatGoesOnBeyondTheBudgetIsLate) {
  IsolationInput input = inputFor({"D=4"});
  input.budgetSeconds = 0.5;
  Status status;
  EXPECT_LT(
      secondsOf([&] { status = failureOf(input, "i=0; while :; do i=$((i+1)); echo \"at verify 0 $i 9\"; done"); }),
      10);
  EXPECT_EQ(status.code(), StatusCode::Timeout);
  EXPECT_TRUE(has(status.message(), "did not end within 2.1 s")) << status.message();
}

/// Every worker dies of its first candidate, half a second after it began.
TEST(Isolation, WaitingForAnotherSearchIsNoDelay) {
  IsolationInput input = inputFor({"D=4"});
  input.silenceSeconds = 0.3;
  input.budgetSeconds = 0.1; // and four times the silence: late after 1.3 s
  input.arguments = {"-c",
                     "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 0.1; echo \"at wait -1 $i 0\"; done\n"
                     "echo 'row 0 measured 1e-6 1e-6 1e-7 15'; echo 'end 0 '"};
  EXPECT_EQ(run(input)[0].outcome, TuneRow::Outcome::Measured);
}

TEST(Isolation, TheBudgetIsThatOfAllWorkersTogether) {
  IsolationInput input = inputFor({"D=1", "D=2", "D=3", "D=4", "D=5", "D=6", "D=7", "D=8"});
  input.budgetSeconds = 1.2;
  input.silenceSeconds = 5;
  std::vector<double> budgets;
  input.job = [&](std::span<const size_t>, bool, double budget) { return budgets.push_back(budget), std::string(); };
  input.arguments = {"-c", "echo 'at verify 0 0 9'; sleep 0.5; kill -SEGV $$"};
  std::vector<TuneRow> rows = run(input);
  ASSERT_EQ(budgets.size(), 4u); // the last one to try a default
  EXPECT_NEAR(budgets[0], 1.2, 0.1);
  EXPECT_LT(budgets[1], 0.8);
  EXPECT_LT(budgets[3], 0.01);
  EXPECT_GT(budgets[3], 0);
  EXPECT_EQ(rows[4].outcome, TuneRow::Outcome::Predicted);
}

TEST(Isolation, WhatHappensAfterTheLastRowDoesNotMatter) {
  IsolationInput input = inputFor({"D=4"});
  input.silenceSeconds = 20;
  for (const char *after : {"kill -SEGV $$", "exit 3", "exec sleep 100"}) {
    std::string program = "echo 'at verify 0 0 1'; echo 'row 0 verified 0 0 0 0'; echo 'end 0 '; ";
    input.arguments = {"-c", program + after};
    auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(run(input)[0].outcome, TuneRow::Outcome::Verified) << after;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)) << after; // it is not waited for
  }
}

TEST(Isolation, NonsenseIsNotBelieved) {
  IsolationInput input = inputFor({"D=4"});
  input.silenceSeconds = 20; // not what this is about: beside other tests, the worker has been silent for 0.4 s
  input.arguments = {
      "-c", "echo 'row 7 measured 1 1 1 1'; echo 'row x'; echo 'at verify 99 0 0'; echo 'row 0 splendid 1 1 1 1';"
            "echo 'row 0 verified 0 0 0 0'; head -c 300000 /dev/zero; echo; echo 'end 0 '"};
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Verified);
}

TEST(Isolation, CancellingEndsTheWorker) {
  IsolationInput input = inputFor({"D=4", "D=6 P=3"});
  input.silenceSeconds = 60;
  input.progress = [](const char *, int config, uint32_t, uint32_t) { return config < 1; };
  auto start = std::chrono::steady_clock::now();
  Result<std::vector<TuneRow>> rows = runIsolated(input);
  ASSERT_FALSE(rows.isOk());
  EXPECT_EQ(rows.status().code(), StatusCode::Cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Isolation, NeitherProcessesNorDescriptorsAreLeft) {
  auto open = [] {
    size_t count = 0;
    for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
      ++count;
    return count;
  };
  size_t before = open();
  for (int i = 0; i < 20; ++i)
    run(inputFor({"D=4", "D=6 P=2"}));
  EXPECT_EQ(open(), before);
}

/// Reads a job, a candidate a line, and then what it is to assemble. P=2: dies by a signal; P=4: is refused; P=8: takes
/// ten minutes. The group is the caller's.
constexpr const char *assembler = R"sh(
test "$(ps -o pgid= -p $$)" -eq "$(ps -o pgid= -p $PPID)" || exit 1
read -r line; test "$line" = beginning || exit 1
job=""
while read -r line; do
  case "$line" in
    candidate*) job="$job
$line" ;;
    assemble*)
      read -r n
      echo "phase $n assembling"
      case "$(echo "$job" | sed -n "$((n + 2))p")" in
        *P=2*) kill -SEGV $$ ;;
        *P=4*) echo "row $n failed 0 0 0 0 it does not fit" ;;
        *P=8*) sleep 600 ;;
      esac
      echo "done $n" ;;
  esac
done
)sh";

/// What they began, in any order.
struct Begun {
  std::mutex mutex;
  std::vector<int> candidates;

  TrialPhase note() {
    return [this](const char *phase, int candidate) {
      std::lock_guard lock(mutex);
      EXPECT_STREQ(phase, "assembling");
      candidates.push_back(candidate);
      std::ranges::sort(candidates);
    };
  }
};

TEST(Assemblers, WhoeverIsFreeTakesTheNextAndRefusalsAreTold) {
  IsolationInput input = inputFor({"D=1", "D=2", "D=3 P=2", "D=4 P=4", "D=5 P=4", "D=6", "D=7"});
  Begun begun;
  input.onPhase = begun.note();
  Assemblers assemblers("/bin/sh", {"-c", assembler}, 2, "beginning\n");
  assemblers.begin(input);
  std::map<size_t, Status> refused = assemblers.assemble(std::vector<size_t>{1, 2, 3, 4});
  EXPECT_EQ(begun.candidates, (std::vector{1, 2, 3, 4})); // though one of them died
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused[3].code(), StatusCode::PtxRejected);
  EXPECT_EQ(refused[3].message(), "it does not fit");
  EXPECT_TRUE(refused.contains(4));
  EXPECT_TRUE(assemblers.assemble(std::vector<size_t>{1, 5}).empty());
  EXPECT_EQ(begun.candidates, (std::vector{1, 2, 3, 4, 5})); // none twice
}

TEST(Assemblers, WhatTakesFarLongerThanMostIsGivenUp) {
  IsolationInput input = inputFor({"D=1", "D=2", "D=8 P=8", "D=4", "D=5", "D=6", "D=7"});
  Assemblers assemblers("/bin/sh", {"-c", assembler}, 2, "beginning\n");
  assemblers.begin(input);
  std::map<size_t, Status> refused = assemblers.assemble(std::vector<size_t>{1, 2, 3, 4});
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_NE(refused[2].message().find("not done with it after"), std::string::npos) << refused[2].message();
  EXPECT_TRUE(assemblers.assemble(std::vector<size_t>{5, 6}).empty()) << "the other one goes on";
}

TEST(Assemblers, AreNotWaitedForWhenAllAreDead) {
  IsolationInput input = inputFor({"D=2 P=2", "D=3 P=2", "D=4"});
  Begun begun;
  input.onPhase = begun.note();
  Assemblers assemblers("/bin/sh", {"-c", assembler}, 2, "beginning\n");
  assemblers.begin(input);
  EXPECT_TRUE(assemblers.assemble(std::vector<size_t>{0, 1, 2}).empty());
  EXPECT_LE(begun.candidates.size(), 2u);
}

TEST(Isolation, TheFirstWorkerMayHaveBeenStarted) {
  IsolationInput input = inputFor({"D=4", "D=6 P=2", "D=7"});
  Result<Worker> worker = Worker::start(input.program, input.arguments, /*joinsGroup=*/false);
  ASSERT_TRUE(worker.isOk()) << worker.status().message();
  input.started = std::make_shared<Worker>(std::move(*worker));
  input.program = "/bin/sh"; // those that follow
  std::vector<TuneRow> rows = run(input);
  EXPECT_EQ(rows[0].outcome, TuneRow::Outcome::Measured);
  EXPECT_EQ(rows[1].outcome, TuneRow::Outcome::Failed);
  EXPECT_EQ(rows[2].outcome, TuneRow::Outcome::Measured);
}

TEST(Worker, EndsWithItsObject) {
  pid_t parent = getpid();
  {
    Result<Worker> worker = Worker::start("/bin/sh", {"-c", "exec sleep 100"}, /*joinsGroup=*/true);
    ASSERT_TRUE(worker.isOk());
    EXPECT_NE(std::system(("pgrep -P " + std::to_string(parent) + " -x sleep >/dev/null || sleep 0.2").c_str()), -1);
  }
  EXPECT_NE(std::system(("pgrep -P " + std::to_string(parent) + " -x sleep >/dev/null").c_str()), 0);
}

TEST(Worker, IsFoundBesideTheLibrary) {
  TemporaryFolder folder;
  std::filesystem::path root = folder.path;
  std::filesystem::create_directories(root / "lib");
  std::filesystem::create_directories(root / "bin");
  std::filesystem::path library = root / "lib" / "libtawa.so", program = root / "bin" / "tawa";
  EXPECT_EQ(findWorkerBeside(library.string()), "");
  std::filesystem::copy("/bin/true", program);
  EXPECT_EQ(findWorkerBeside(library.string()), std::filesystem::canonical(program).string());
}

} // namespace
