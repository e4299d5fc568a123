// Random tile programs (Generator.h) on the devices present, against the reference evaluator, element by element
// (Expectation.h). Programs run in child processes, so that a crash or a hang is a finding and not the end. A failure
// is printed with its seed and index and the whole text, the first ones also with a text reduced to what shows the
// fault. The third device is the GPU's back end alone: every program becomes a cubin, by ptxas where there is one,
// within limits of time and memory. random_programs.py runs many seeds on all cores.
//
//   TAWA_TEST_SEED=S TAWA_TEST_COUNT=N    other programs, more of them
//   TAWA_TEST_CASE=I                      one program, printed
//   TAWA_TEST_SECONDS=N                   no program may take longer (120)
//   TAWA_TEST_REDUCE=N                    reduce so many failures (1)
//   TAWA_TEST_KEEP=FOLDER                 write failing texts there
#include "tests/conformance/Generator.h"
#include "tests/conformance/Program.h"
#include "tests/conformance/Reducer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tawa::conformance {
namespace {

constexpr uint32_t kDefaultSeed = 1;
constexpr uint32_t kDefaultCount = 500, kBatch = 40;
constexpr uint32_t kSecondsPerProgram = 120;
constexpr uint64_t kStepLimit = uint64_t(1) << 26;
constexpr rlim_t kAssembleMemory = rlim_t(6) << 30; ///< Of address space; a GPU's driver takes more by itself.
constexpr const char *kAssembled = "sm_90a";

uint32_t fromEnvironment(const char *name, uint32_t otherwise) {
  const char *text = std::getenv(name);
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

//===--- One program ----------------------------------------------------------------------------------------------===//

/// What became of a program. Everything but Right is a failure; of a reduced text, the kind must stay.
enum class Kind : char {
  Right = 'r',
  Wrong = 'w',
  Refused = 'c',
  Stopped = 'l',
  NotProved = 'p',
  Invalid = 'i',
  Died = 'd'
};

struct Outcome {
  Kind kind = Kind::Died;
  std::string detail;
  Tally tally;
};

/// Half of all programs run with everything asynchronous late.
std::string scheduleOf(uint32_t index) { return index % 2 ? "late-random:" + std::to_string(index) : "eager"; }

Outcome judge(const Runtime &runtime, const TileProgram &program, const std::string &schedule) {
  Outcome outcome;
  Expectation expectation(program, kStepLimit);
  if (!expectation.status())
    return {Kind::Invalid, expectation.status().message(), {}};
  try {
    std::string difference = expectation.compare(runOn(runtime, program, schedule), outcome.tally);
    outcome.kind = difference.empty() ? Kind::Right : Kind::Wrong;
    outcome.detail = difference;
  } catch (const Error &error) {
    bool isLaunch = error.status() == TAWA_E_EMULATOR;
    outcome.kind = isLaunch ? Kind::Stopped : Kind::Refused;
    outcome.detail = error.what();
  } catch (const NotProved &finding) {
    outcome.kind = Kind::NotProved;
    outcome.detail = finding.what();
  }
  return outcome;
}

Outcome judgeAssembled(const Runtime &runtime, const TileProgram &program) {
  try {
    return {assemble(runtime, program).empty() ? Kind::Wrong : Kind::Right, "", {}};
  } catch (const Error &error) {
    return {Kind::Refused, error.what(), {}};
  }
}

std::string oneLine(std::string text) {
  for (char &c : text)
    c = c == '\n' ? ' ' : c;
  return text;
}

//===--- Children -------------------------------------------------------------------------------------------------===//

/// Runs work(file descriptor) in a child and hands on what it wrote, line by line; gives how it ended, "" for well.
template <typename Work, typename Line> std::string inChild(Work work, Line line) {
  int ends[2];
  if (pipe(ends) != 0)
    return "no pipe";
  std::cout.flush();
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    setpgid(0, 0); // with what it starts, to end together
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    rlimit noCore = {0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    work(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string pending;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;) {
    pending.append(bytes, static_cast<size_t>(count));
    for (size_t newline; (newline = pending.find('\n')) != std::string::npos; pending.erase(0, newline + 1))
      line(pending.substr(0, newline));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  kill(-child, SIGKILL);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "takes too long" : strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "ends with status " + std::to_string(WEXITSTATUS(status));
}

void report(int to, const Outcome &outcome) {
  std::string line = std::string(1, static_cast<char>(outcome.kind)) + " " + std::to_string(outcome.tally.equal) + " " +
                     std::to_string(outcome.tally.close) + " " + std::to_string(outcome.tally.undefined) + " " +
                     oneLine(outcome.detail) + "\n";
  if (write(to, line.data(), line.size()) < 0)
    _exit(1);
}

Outcome readReport(const std::string &line) {
  Outcome outcome;
  outcome.kind = static_cast<Kind>(line[0]);
  std::istringstream text(line.substr(2));
  text >> outcome.tally.equal >> outcome.tally.close >> outcome.tally.undefined;
  std::getline(text >> std::ws, outcome.detail);
  return outcome;
}

class DifferentialTest : public testing::TestWithParam<std::string> {
protected:
  bool isAssembled() const { return GetParam() == kAssembled; }

  Runtime open() const {
    tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
    options.device = isAssembled() ? "emulator" : GetParam().c_str();
    setenv("TAWA_EMU_SMS", "2", /*overwrite=*/0); // few, so that resident CTAs have several tiles
    return Runtime::create(options);
  }

  Outcome judgeHere(const Runtime &runtime, const TileProgram &program, uint32_t index) const {
    return isAssembled() ? judgeAssembled(runtime, program) : judge(runtime, program, scheduleFor(index));
  }

  /// In a child: what one program may take.
  void limit() const {
    alarm(secondsPerProgram);
    const rlimit memory = {kAssembleMemory, kAssembleMemory};
    if (isAssembled())
      setrlimit(RLIMIT_AS, &memory);
  }

  bool isPresent() const {
    return inChild(
               [&](int) {
                 try {
                   (void)open();
                 } catch (const Error &) {
                   _exit(1);
                 }
               },
               [](const std::string &) {})
        .empty();
  }

  std::string scheduleFor(uint32_t index) const { return GetParam() == "emulator" ? scheduleOf(index) : ""; }

  /// One text in a child of its own.
  Outcome judgeText(const std::string &text, uint32_t index, uint32_t dataSeed) const {
    Outcome outcome;
    std::string end = inChild(
        [&](int to) {
          limit();
          TileProgram program;
          program.text = text;
          program.name = "random.mlir";
          if (Status status = readLaunchOf(text, dataSeed, program); !status)
            return report(to, {Kind::Invalid, status.message(), {}});
          report(to, judgeHere(open(), program, index));
        },
        [&](const std::string &line) { outcome = readReport(line); });
    if (!end.empty())
      outcome = {Kind::Died, end, {}};
    return outcome;
  }

  void note(uint32_t seed, uint32_t index, const Outcome &outcome) {
    ++counts[outcome.kind];
    total.equal += outcome.tally.equal;
    total.close += outcome.tally.close;
    total.undefined += outcome.tally.undefined;
    if (outcome.kind == Kind::Right)
      return;
    TileProgram program = generateProgram(seed, index);
    std::string shown = program.text;
    if (reductionsLeft > 0) {
      --reductionsLeft;
      uint32_t dataSeed = seed * 7919 + index;
      shown = reduceText(
          program.text, [&](const std::string &text) { return judgeText(text, index, dataSeed).kind == outcome.kind; });
    }
    if (const char *folder = std::getenv("TAWA_TEST_KEEP"))
      std::ofstream(std::string(folder) + "/" + std::to_string(seed) + "-" + std::to_string(index) + "-" +
                    static_cast<char>(outcome.kind) + ".mlir")
          << shown << "// " << outcome.detail << "\n";
    ADD_FAILURE() << "seed " << seed << " index " << index << ": " << static_cast<char>(outcome.kind) << " "
                  << outcome.detail << "\n"
                  << shown;
  }

  void run(uint32_t seed, uint32_t first, uint32_t end) {
    for (uint32_t next = first; next < end;) {
      uint32_t last = std::min(end, next + kBatch);
      std::string died = inChild(
          [&](int to) {
            Runtime runtime = open();
            for (uint32_t index = next; index < last; ++index) {
              limit();
              report(to, judgeHere(runtime, generateProgram(seed, index), index));
            }
          },
          [&](const std::string &line) { note(seed, next++, readReport(line)); });
      if (!died.empty())
        note(seed, next++, {Kind::Died, died, {}});
    }
  }

  std::map<Kind, int> counts;
  Tally total;
  uint32_t secondsPerProgram = fromEnvironment("TAWA_TEST_SECONDS", kSecondsPerProgram);
  uint32_t reductionsLeft = fromEnvironment("TAWA_TEST_REDUCE", 1);
};

TEST_P(DifferentialTest, RandomProgramsComputeWhatTheirTextSays) {
  if (!isPresent())
    GTEST_SKIP() << GetParam() << " is not present";
  uint32_t seed = fromEnvironment("TAWA_TEST_SEED", kDefaultSeed), first = 0;
  uint32_t count = fromEnvironment("TAWA_TEST_COUNT", kDefaultCount);
  if (std::getenv("TAWA_TEST_CASE")) {
    first = fromEnvironment("TAWA_TEST_CASE", 0);
    count = 1;
    std::cout << generateProgram(seed, first).text;
  }
  run(seed, first, first + count);
  std::cout << "seed " << seed << ", programs " << first << " to " << first + count - 1 << ": ";
  for (auto [kind, number] : counts)
    std::cout << static_cast<char>(kind) << " " << number << ", ";
  std::cout << total.equal << " elements equal, " << total.close << " close, " << total.undefined << " undefined\n";
}

INSTANTIATE_TEST_SUITE_P(Devices, DifferentialTest, testing::Values("emulator", kAssembled, "cuda:0"),
                         [](const auto &info) { return info.param == "cuda:0" ? "cuda" : info.param; });

/// The generator's own programs are valid: the evaluator finds nothing wrong with them.
TEST(GeneratorTest, MakesValidPrograms) {
  for (uint32_t index = 0; index < 200; ++index) {
    TileProgram program = generateProgram(kDefaultSeed, index);
    EXPECT_EQ(program.text, generateProgram(kDefaultSeed, index).text);
    Expectation expectation(program, kStepLimit);
    EXPECT_EQ(expectation.status().message(), "") << "index " << index << "\n" << program.text;
  }
}

} // namespace
} // namespace tawa::conformance
