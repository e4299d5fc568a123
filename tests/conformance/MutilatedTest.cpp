// 1,000 damaged kernels through tawa_compile(): each gives a clear error, or a kernel that computes what its text says.
//
// Cases come from a seed (TAWA_TEST_SEED; printed) and are numbered; TAWA_TEST_CASE=N runs and prints one,
// TAWA_TEST_CASES=N so many. They run in child processes, so that a crash or a hang is a failure of one case and not of
// the test. What a compiled kernel should compute is asked of the reference evaluator; where that says the program
// itself is wrong (a division by zero, a race, an address outside), any outcome but a crash is right.
#include "tests/conformance/Mutation.h"
#include "tests/conformance/Oracle.h"
#include "tests/conformance/Program.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tawa::conformance {
namespace {

constexpr uint32_t kDefaultSeed = 20240817;
constexpr int kDefaultCases = 1000;
constexpr int kSecondsPerCase = 120;
constexpr const char *kSecondsPerLaunch = "40"; ///< Of the emulator: well within a case's time.
constexpr int kWorkers = 2;
constexpr uint64_t kStepLimit = uint64_t(1) << 27;

//===--- Cases ----------------------------------------------------------------------------------------------------===//

/// A kernel to damage, and its grid for sizes of one or two tiles.
struct Source {
  const char *kernel;
  int64_t tileRows, tileColumns;
  uint32_t batches;
};
constexpr Source kTma = {"gemm_tma", 128, 256, 1}, kTma128 = {"gemm_tma_128", 128, 128, 1},
                 kParam = {"gemm_param", 64, 64, 1};
/// The three that every pass must take stand often; the others for operations that these do not have.
constexpr Source kSources[] = {kTma,
                               kTma,
                               kTma128,
                               kTma128,
                               kTma128,
                               kParam,
                               kParam,
                               kParam,
                               {"gemm_persistent", 128, 256, 1},
                               {"gemm_batched", 128, 256, 2},
                               {"gemm_fp8_tma", 128, 256, 1},
                               {"gemm_tma_ws", 128, 256, 1},
                               {"gemm_ptr", 128, 256, 1},
                               {"softmax_rows", 1, 1 << 20, 1},
                               {"attn_full", 128, 256, 1}};

struct Sizes {
  int64_t rows, columns, depth;
};
/// Multiples of 16, so that rows of 8-bit elements keep TMA's alignment.
constexpr Sizes kSizes[] = {{128, 256, 128}, {120, 240, 112}, {136, 272, 208}, {64, 64, 128}};

struct Case {
  Source source;
  Sizes sizes;
  std::string text;
  std::string what;
};

std::string withoutLocations(const std::string &text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#loc", 0) == 0)
      continue;
    for (size_t begin; (begin = line.find(" loc(")) != std::string::npos;) {
      size_t end = begin + 5;
      for (int open = 1; open > 0 && end < line.size(); ++end)
        open += (line[end] == '(') - (line[end] == ')');
      line.erase(begin, end - begin);
    }
    result += line + "\n";
  }
  return result;
}

Case makeCase(uint32_t seed, int number) {
  std::seed_seq sequence{seed, static_cast<uint32_t>(number)};
  std::mt19937 random(sequence);
  Case made;
  made.source = kSources[pick(random, std::size(kSources))];
  made.sizes = kSizes[pick(random, std::size(kSizes))];
  made.text = readKernel(made.source.kernel);
  if (pick(random, 5)) // most of a printed text is locations, which nothing depends on
    made.text = withoutLocations(made.text);
  for (int count = pick(random, 4) ? 1 : 2; count > 0; --count) {
    Mutation mutation = mutilate(made.text, random);
    made.text = mutation.text;
    made.what += (made.what.empty() ? "" : "; ") + mutation.what;
  }
  made.what = std::string(made.source.kernel) + ": " + made.what;
  return made;
}

//===--- One case -------------------------------------------------------------------------------------------------===//

enum class Verdict { Refused, RefusedAtLaunch, Right, Undefined, Unchecked, Wrong };

struct Outcome {
  Verdict verdict;
  std::string detail; ///< Status, reason or what is wrong; one line.
};

Outcome wrong(const std::string &why) { return {Verdict::Wrong, why}; }

/// An error of the compiler: a status that blames the text or the call, words, and for the text a line.
Outcome judgeError(tawa_status_t status, tawa_error_t error, const std::string &file) {
  std::string name = tawa_status_name(status), message = tawa_error_message(error);
  bool hasLine = false;
  for (uint32_t i = 0; i < tawa_error_diagnostic_count(error); ++i) {
    tawa_diagnostic_t diagnostic = TAWA_DIAGNOSTIC_INIT;
    if (tawa_error_diagnostic(error, i, &diagnostic) == TAWA_OK && diagnostic.severity == TAWA_SEVERITY_ERROR)
      hasLine |= diagnostic.line > 0 && file == diagnostic.file;
  }
  tawa_error_release(error);
  bool blamesText = status == TAWA_E_INVALID_IR || status == TAWA_E_UNSUPPORTED;
  if (!blamesText && status != TAWA_E_INVALID_ARGUMENT && status != TAWA_E_COMPILE_FAILED)
    return wrong("status " + name + ": " + message);
  if (message.empty())
    return wrong(name + " without a message");
  if (blamesText && !hasLine)
    return wrong(name + " names no line: " + message);
  return {Verdict::Refused, name + ": " + message};
}

/// One argument on the device, and the same data for the evaluator.
struct Argument {
  tawa_arg_t spec = TAWA_ARG_INIT;
  std::optional<Memory> memory;
  std::vector<char> expected; ///< Of a tensor: the data, then what the evaluator made of it.
  size_t elements = 0;
};

/// Tensors are A, B and C in the order in which they stand, or by name.
std::pair<int64_t, int64_t> shapeOf(const std::string &name, size_t tensor, const Case &test) {
  const Sizes &sizes = test.sizes;
  if (name == "a" || (name != "b" && name != "c" && tensor == 0))
    return {sizes.rows * test.source.batches, sizes.depth};
  if (name == "b" || (name != "c" && tensor == 1))
    return {sizes.columns * test.source.batches, sizes.depth};
  return {sizes.rows * test.source.batches, sizes.columns};
}

int64_t scalarOf(const std::string &name, size_t scalar, const Sizes &sizes) {
  const std::map<std::string, int64_t> known = {{"M", sizes.rows},     {"N", sizes.columns},   {"K", sizes.depth},
                                                {"sa", sizes.depth},   {"sb", sizes.depth},    {"sc", sizes.columns},
                                                {"cols", sizes.depth}, {"stride", sizes.depth}};
  if (auto found = known.find(name); found != known.end())
    return found->second;
  const int64_t inOrder[] = {sizes.rows, sizes.columns, sizes.depth};
  return inOrder[scalar % 3];
}

std::vector<Argument> makeArguments(const Runtime &runtime, tawa_signature_t signature, const Case &test) {
  std::vector<Argument> arguments(tawa_signature_argument_count(signature));
  size_t tensors = 0, scalars = 0;
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    tawa_arg_info_t info = TAWA_ARG_INFO_INIT;
    tawa_signature_argument(signature, i, &info);
    Argument &argument = arguments[i];
    argument.spec.kind = info.kind;
    argument.spec.dtype = info.dtype;
    if (info.kind != TAWA_ARG_TENSOR) {
      argument.spec.integer = scalarOf(info.name, scalars++, test.sizes);
      argument.spec.number = 0.5;
      continue;
    }
    auto [rows, columns] = shapeOf(info.name, tensors, test);
    auto type = static_cast<ElementType>(info.dtype);
    argument.spec.rank = info.rank == 0 ? 2 : info.rank;
    for (uint32_t dim = 0; dim < argument.spec.rank; ++dim)
      argument.spec.shape[dim] = 1;
    if (argument.spec.rank == 1) {
      argument.spec.shape[0] = rows * columns;
    } else {
      argument.spec.shape[argument.spec.rank - 2] = rows;
      argument.spec.shape[argument.spec.rank - 1] = columns;
    }
    argument.elements = rows * columns;
    argument.expected = randomElements(type, argument.elements, 17 + i); // outputs too: what is not written shows
    argument.memory.emplace(runtime, argument.expected.size());
    argument.memory->copyIn(argument.expected.data());
    argument.spec.data = argument.memory->data();
    ++tensors;
  }
  return arguments;
}

OracleResult evaluateCase(const Case &test, std::vector<Argument> &arguments, std::array<uint32_t, 3> grid) {
  std::vector<reference::ReferenceArgument> args;
  for (Argument &argument : arguments) {
    const tawa_arg_t &spec = argument.spec;
    reference::ReferenceArgument arg;
    arg.integer = spec.integer;
    arg.real = spec.number;
    if (spec.kind == TAWA_ARG_TENSOR) {
      std::vector<int64_t> strides(spec.rank, 1);
      for (uint32_t dim = spec.rank; dim-- > 1;)
        strides[dim - 1] = strides[dim] * spec.shape[dim];
      arg = reference::ReferenceArgument::tensor(argument.expected.data(), argument.expected.size(),
                                                 {spec.shape, spec.shape + spec.rank}, strides);
    }
    args.push_back(arg);
  }
  return evaluateText(test.text, args, grid, kStepLimit);
}

std::string compareAll(const std::vector<Argument> &arguments, double slack) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (!argument.memory)
      continue;
    std::vector<char> got(argument.expected.size());
    argument.memory->copyOut(got.data());
    std::string difference =
        compareElements(static_cast<ElementType>(argument.spec.dtype), got, argument.expected, slack);
    if (!difference.empty())
      return "argument " + std::to_string(i) + ": " + difference;
  }
  return {};
}

/// Runs a compiled kernel and the evaluator and compares them.
Outcome judgeKernel(const Kernel &kernel, const Case &test, std::vector<Argument> &arguments) {
  auto tiles = [](int64_t size, int64_t tile) { return static_cast<uint32_t>((size + tile - 1) / tile); };
  std::array<uint32_t, 3> grid = {tiles(test.sizes.rows, test.source.tileRows) *
                                      tiles(test.sizes.columns, test.source.tileColumns),
                                  test.source.batches, 1};
  std::vector<tawa_arg_t> specs;
  for (const Argument &argument : arguments)
    specs.push_back(argument.spec);
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  std::copy(grid.begin(), grid.end(), options.grid);
  tawa_status_t status = tawa_launch(kernel.get(), specs.data(), specs.size(), nullptr, &options);
  std::string said =
      status == TAWA_OK ? "ran" : std::string(tawa_status_name(status)) + ": " + tawa_last_launch_error();
  if (status == TAWA_E_INTERNAL)
    return wrong("launch: " + said);

  OracleResult oracle = evaluateCase(test, arguments, grid);
  switch (oracle.status.code()) {
  case StatusCode::Ok:
    break;
  case StatusCode::Emulator:
    return {Verdict::Undefined, oracle.status.message() + "; the kernel " + said};
  case StatusCode::InvalidIR:
    return wrong(oracle.status.message());
  case StatusCode::Timeout:
    if (status == TAWA_E_EMULATOR) // both gave up on a loop that hardly ends
      return {Verdict::Undefined, oracle.status.message() + "; the kernel " + said};
    [[fallthrough]];
  default:
    return {Verdict::Unchecked, oracle.status.message() + "; the kernel " + said};
  }
  // Which coordinates TMA takes is for the text to see to (compiler/analysis/TmaCoordinates.h); the oracle takes all.
  if (status == TAWA_E_EMULATOR && said.find("TMA") != said.npos && said.find("illegal instruction") != said.npos)
    return {Verdict::Undefined, said};
  if (status == TAWA_E_EMULATOR)
    return wrong("the emulator stopped a kernel that should run: " + said);
  if (status != TAWA_OK)
    return {Verdict::RefusedAtLaunch, said};
  std::string difference = compareAll(arguments, oracle.roundsInBetween ? 0x1p-6 : 1e-5);
  return difference.empty() ? Outcome{Verdict::Right, ""} : wrong("wrong result: " + difference);
}

Outcome runCase(const Runtime &runtime, const Case &test) {
  const std::string file = "mutilated.mlir";
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = test.text.data();
  request.text_len = test.text.size();
  request.name = file.c_str();
  tawa_signature_t signature = nullptr;
  tawa_error_t error = nullptr;
  tawa_kernel_t kernel = nullptr;
  tawa_status_t unreadable = tawa_signature_read(request.text, request.text_len, request.name, &signature, nullptr);
  if (unreadable != TAWA_OK) { // so it cannot be compiled either
    tawa_status_t status = tawa_compile(runtime.get(), &request, &kernel, &error);
    return status == TAWA_OK ? wrong("compiled, but its signature is not readable") : judgeError(status, error, file);
  }
  std::vector<Argument> arguments = makeArguments(runtime, signature, test);
  tawa_signature_release(signature);
  std::vector<tawa_arg_t> specs;
  for (const Argument &argument : arguments)
    specs.push_back(argument.spec);
  request.args = specs.data();
  request.num_args = specs.size();
  if (test.text.find("tawa.param") != std::string::npos) // may compute something else with other values than the first
    request.policy = TAWA_POLICY_NEVER;
  tawa_status_t status = tawa_compile(runtime.get(), &request, &kernel, &error);
  return status == TAWA_OK ? judgeKernel(Kernel(kernel), test, arguments) : judgeError(status, error, file);
}

//===--- Child processes ------------------------------------------------------------------------------------------===//

struct Tally {
  std::map<std::string, int> refused; ///< By status.
  std::map<Verdict, int> counts;
  std::vector<std::string> unchecked;
};

/// Works through every kWorkers-th case in a child process and is restarted after a case that killed it.
class Worker {
public:
  Worker(uint32_t seed, int first, int end) : seed(seed), next(first), end(end) {}

  void start() {
    if (next >= end)
      return;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      work(ends[1]);
    }
    close(ends[1]);
    output = ends[0];
    restartClock();
  }

  int descriptor() const { return output; }
  bool isDone() const { return output < 0; }

  /// Takes in what the child wrote; notices its end.
  void read(Tally &tally) {
    char bytes[4096];
    ssize_t count = ::read(output, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      return;
    if (count > 0) {
      pending.append(bytes, count);
      for (size_t newline; (newline = pending.find('\n')) != std::string::npos; pending.erase(0, newline + 1))
        record(pending.substr(0, newline), tally);
      return;
    }
    close(output);
    output = -1;
    int status = 0;
    waitpid(child, &status, 0);
    bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0 && next >= end;
    if (finished)
      return;
    fail(timedOut              ? "takes more than " + std::to_string(kSecondsPerCase) + " seconds"
         : WIFSIGNALED(status) ? std::string("crashes: ") + strsignal(WTERMSIG(status))
                               : "ends the process with status " + std::to_string(WEXITSTATUS(status)));
    next += kWorkers;
    timedOut = false;
    pending.clear();
    start();
  }

  void killIfLate() {
    if (!isDone() && std::chrono::steady_clock::now() > deadline && !timedOut) {
      timedOut = true;
      kill(child, SIGKILL);
    }
  }

private:
  void restartClock() { deadline = std::chrono::steady_clock::now() + std::chrono::seconds(kSecondsPerCase); }

  /// In the child: one line per case, "verdict detail".
  [[noreturn]] void work(int to) {
    rlimit noCore = {0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    setenv("TAWA_EMU_SECONDS", kSecondsPerLaunch, /*overwrite=*/1);
    tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
    options.device = "emulator";
    Runtime runtime = Runtime::create(options);
    for (int number = next; number < end; number += kWorkers) {
      Outcome outcome = runCase(runtime, makeCase(seed, number));
      std::string line = std::to_string(static_cast<int>(outcome.verdict)) + " " + outcome.detail;
      for (char &c : line)
        c = c == '\n' ? ' ' : c;
      line += '\n';
      if (::write(to, line.data(), line.size()) < 0)
        _exit(1);
    }
    _exit(0);
  }

  void record(const std::string &line, Tally &tally) {
    auto verdict = static_cast<Verdict>(line[0] - '0');
    std::string detail = line.substr(2);
    ++tally.counts[verdict];
    if (verdict == Verdict::Wrong)
      fail(detail);
    else if (verdict == Verdict::Refused || verdict == Verdict::RefusedAtLaunch)
      ++tally.refused[detail.substr(0, detail.find(':'))];
    if (verdict == Verdict::Unchecked)
      tally.unchecked.push_back("case " + std::to_string(next) + ": " + detail);
    if (std::getenv("TAWA_TEST_VERBOSE"))
      std::cout << next << " " << line << " [" << makeCase(seed, next).what << "]" << std::endl;
    next += kWorkers;
    restartClock();
  }

  void fail(const std::string &why) {
    Case test = makeCase(seed, next);
    std::string path = testing::TempDir() + "mutilated-" + std::to_string(seed) + "-" + std::to_string(next) + ".mlir";
    std::ofstream(path) << test.text;
    ADD_FAILURE() << "case " << next << " (" << test.what << ") " << why << "\n  text: " << path;
  }

  uint32_t seed;
  int next, end;
  pid_t child = -1;
  int output = -1;
  bool timedOut = false;
  std::string pending;
  std::chrono::steady_clock::time_point deadline;
};

int fromEnvironment(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

TEST(MutilatedTest, EveryTextGivesAnErrorOrARightKernel) {
  auto seed = static_cast<uint32_t>(fromEnvironment("TAWA_TEST_SEED", kDefaultSeed));
  int count = fromEnvironment("TAWA_TEST_CASES", kDefaultCases), first = 0;
  if (const char *only = std::getenv("TAWA_TEST_CASE")) {
    first = std::atoi(only);
    count = first + 1;
    Case test = makeCase(seed, first);
    std::cout << test.text << "\n" << test.what << "\n";
  }
  std::cout << "seed " << seed << "\n";
  std::vector<Worker> workers;
  for (int i = 0; i < kWorkers; ++i)
    workers.emplace_back(seed, first + i, count);
  Tally tally;
  for (Worker &worker : workers)
    worker.start();
  while (true) {
    std::vector<pollfd> watched;
    for (Worker &worker : workers)
      if (!worker.isDone())
        watched.push_back({worker.descriptor(), POLLIN, 0});
    if (watched.empty())
      break;
    poll(watched.data(), watched.size(), 1000);
    for (const pollfd &event : watched)
      for (Worker &worker : workers)
        if (event.revents && worker.descriptor() == event.fd)
          worker.read(tally);
    for (Worker &worker : workers)
      worker.killIfLate();
  }
  std::cout << "refused:";
  for (const auto &[status, number] : tally.refused)
    std::cout << " " << status << " " << number;
  std::cout << "; kernels right " << tally.counts[Verdict::Right] << ", of wrong programs "
            << tally.counts[Verdict::Undefined] << ", refused at launch " << tally.counts[Verdict::RefusedAtLaunch]
            << ", unchecked " << tally.counts[Verdict::Unchecked] << "\n";
  for (const std::string &line : tally.unchecked)
    std::cout << "  unchecked: " << line << "\n";
  if (count - first >= 100) {
    EXPECT_GE(tally.counts[Verdict::Right], (count - first) / 20)
        << "too few kernels survive for the comparison to mean much";
    EXPECT_LE(tally.counts[Verdict::Unchecked], (count - first) / 50);
  }
}

} // namespace
} // namespace tawa::conformance
