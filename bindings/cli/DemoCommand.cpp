// `tawa demo`: one GEMM from text to result. Takes a kernel file for C[M,N] = A[M,K] B[N,K]^T, by default the one that
// is installed with the program, fills A and B with random numbers, compiles, launches on the GPU (8192x8192x8192) or
// on the emulated SM (512x512x256), compares with a double-precision reference, and prints what it did.
#include "bindings/cli/Commands.h"
#include "bindings/cli/KernelReport.h"
#include "bindings/cli/Measure.h"

#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tawa::cli {
namespace {

struct Problem {
  long long m = 0, n = 0, k = 0;
  double flop() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

struct DemoOptions {
  std::string size, config, device, grid, schedule;
  long long seed = 1;
  bool json = false, quiet = false;

  void declare(Options &options) {
    options.value("--size", "M,N,K", size, "default: 8192,8192,8192 on a GPU, 512,512,256 on the emulator");
    options.value("--config", "TEXT", config, "e.g. \"BLOCK_M=128 D=4 P=1 consumers=2\"");
    options.value("--device", "NAME", device, "auto, emulator or cuda:N (default: $TAWA_DEVICE, else auto)");
    options.value("--grid", "X[,Y[,Z]]", grid, "number of CTAs, where the kernel has no tawa.grid directive");
    options.value("--schedule", "NAME", schedule, "of the emulator: eager, wgmma-late or late-random[:SEED]");
    options.number("--seed", "N", seed, "of the random data (default 1)");
    options.flag("--quiet", quiet, kQuietHelp);
    options.flag("--json", json, "print one JSON object");
  }
};

/// The GEMM installed with this program, relative to its current location.
std::string installedKernel() {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / TAWA_KERNELS_FROM_PROGRAM / "gemm_param.mlir").lexically_normal().string();
}

bool isGpu(tawa_runtime_t runtime) {
  tawa_device_info_t info = TAWA_DEVICE_INFO_INIT;
  return tawa_runtime_device_info(runtime, &info) == TAWA_OK && info.kind == TAWA_DEVICE_CUDA;
}

std::optional<std::string> chooseProblem(const std::string &size, bool onGpu, Problem &problem) {
  problem = onGpu ? Problem{8192, 8192, 8192} : Problem{512, 512, 256};
  if (size.empty())
    return std::nullopt;
  std::vector<std::string> parts = split(size, ',');
  long long *extents[] = {&problem.m, &problem.n, &problem.k};
  for (size_t i = 0; i < 3; ++i) {
    std::optional<long long> extent = i < parts.size() ? parseInteger(parts[i]) : std::nullopt;
    if (!extent || *extent < 1 || parts.size() != 3)
      return "--size wants M,N,K, got '" + size + "'";
    *extents[i] = *extent;
  }
  return std::nullopt;
}

/// Gives the kernel's arguments the problem's sizes: tensors in the order A, B, C; scalars by their names M, N, K.
std::optional<std::string> describeProblem(const KernelSource &source, const Problem &problem,
                                           std::vector<tawa_arg_t> &arguments) {
  const long long shapes[3][2] = {{problem.m, problem.k}, {problem.n, problem.k}, {problem.m, problem.n}};
  std::vector<std::string> texts;
  size_t tensors = 0;
  for (const tawa_arg_info_t &info : source.arguments) {
    if (info.kind == TAWA_ARG_TENSOR && tensors < 3) {
      const long long *shape = shapes[tensors++];
      texts.push_back(
          format("%s=%s[%lld,%lld]", info.name, std::string(elementName(info.dtype)).c_str(), shape[0], shape[1]));
      continue;
    }
    const char *known[] = {"M", "N", "K"};
    const long long values[] = {problem.m, problem.n, problem.k};
    size_t which = 0;
    while (which < 3 && (info.kind == TAWA_ARG_TENSOR || std::strcmp(info.name, known[which]) != 0))
      ++which;
    if (which == 3)
      return source.path + " is no GEMM that the demo knows: argument '" + info.name +
             "' is neither A, B, C nor one of M, N, K (use tawa run)";
    texts.push_back(format("%s=%lld", info.name, values[which]));
  }
  if (tensors != 3)
    return source.path + " is no GEMM: it has no three tensors (use tawa run)";
  return matchArguments(source, texts, false, arguments);
}

struct DemoResult {
  Problem problem;
  size_t output = 0;
  GemmCheck check;
  std::optional<BurstTimes> times;
};

void printDemoText(const Workload &workload, const DemoOptions &options, const DemoResult &result) {
  const std::vector<size_t> tensors = workload.tensors();
  std::string text = reportLine("tawa", tawa_version());
  text += reportLine("device", describeDevice(workload.runtime()));
  text += reportLine("kernel",
                     workload.source().path + ", entry " + tawa_signature_entry(workload.source().signature.get()));
  text += reportLine("problem", "C " + workload.host(tensors[2]).describe() + " = A " +
                                    workload.host(tensors[0]).describe() + " times B " +
                                    workload.host(tensors[1]).describe() +
                                    format(" transposed, random normal numbers of seed %lld", options.seed));
  text += describePhases(workload.kernel(), workload.compileMilliseconds()) + describeKernel(workload.kernel());
  const char *directive = tawa_signature_grid(workload.source().signature.get());
  text += reportLine("grid", options.grid.empty() ? directive : options.grid.c_str());
  text += reportLine("checked", describeCheck(result.check, workload.host(result.output)));
  text += reportLine("speed", result.times ? describeBurst(*result.times, result.problem.flop())
                                           : "not measured: an emulator's time says nothing about a GPU's");
  std::fputs(text.c_str(), stdout);
}

void printDemoJson(const Workload &workload, const DemoOptions &options, const DemoResult &result) {
  JsonWriter writer;
  writer.beginObject().text("version", tawa_version()).text("file", workload.source().path);
  writeDevice(writer, workload.runtime());
  writer.integer("m", result.problem.m).integer("n", result.problem.n).integer("k", result.problem.k);
  writer.integer("seed", options.seed).number("compile_milliseconds", workload.compileMilliseconds());
  writeKernel(writer, workload.kernel());
  writeCheck(writer, result.check, workload.host(result.output));
  if (result.times) {
    writer.number("burst_seconds", result.times->median);
    writer.number("burst_teraflops", result.problem.flop() / result.times->median / 1e12);
  }
  std::fputs(writer.endObject().take().c_str(), stdout);
}

/// Compiles, launches, checks and, on a GPU, times.
ExitCode execute(const Console &console, const DemoOptions &options, Workload &workload, DemoResult &result) {
  tawa_launch_options_t launch = TAWA_LAUNCH_OPTIONS_INIT;
  if (!options.grid.empty())
    parseGrid(options.grid, launch.grid);
  launch.emulator_schedule = options.schedule.empty() ? nullptr : options.schedule.c_str();
  std::vector<size_t> tensors = workload.tensors();
  result.output = tensors[2];
  auto seed = static_cast<uint64_t>(options.seed);
  workload.fill(seed, result.output);
  ExitCode code = workload.upload();
  if (code == ExitCode::Ok)
    code = workload.compile(options.config);
  if (code == ExitCode::Ok)
    code = workload.launch(launch);
  if (code == ExitCode::Ok)
    code = workload.download(result.output);
  if (code != ExitCode::Ok)
    return code;
  result.check = checkGemm(workload.host(tensors[0]), workload.host(tensors[1]), workload.result(tensors[2]),
                           GemmForm::TransposedB, seed);
  if (!isGpu(workload.runtime()))
    return ExitCode::Ok;
  BurstTimes times;
  code = measureBurst(console, workload, launch, times);
  result.times = times;
  return code;
}

} // namespace

ExitCode runDemo(const Command &command, int count, char **arguments) {
  DemoOptions given;
  KernelSource source;
  if (std::optional<ExitCode> code = readKernelCommand(command, given, count, arguments, source, installedKernel()))
    return *code;
  Console console(given.json, given.quiet);
  RuntimeHandle runtime;
  if (ExitCode code = openRuntime(console, given.device, runtime); code != ExitCode::Ok)
    return code;
  DemoResult result;
  std::vector<tawa_arg_t> args;
  std::optional<std::string> problem = chooseProblem(given.size, isGpu(runtime.get()), result.problem);
  if (!problem)
    problem = describeProblem(source, result.problem, args);
  if (!problem)
    problem = gridProblem(source, given.grid);
  if (problem)
    return console.failed(ExitCode::InvalidInput, *problem);
  Workload workload(console, source, runtime.get(), std::move(args));
  if (ExitCode code = execute(console, given, workload, result); code != ExitCode::Ok)
    return code;
  if (!given.json)
    console.remark(describeDiagnostics(workload.kernel()));
  given.json ? printDemoJson(workload, given, result) : printDemoText(workload, given, result);
  return result.check.passed ? ExitCode::Ok : ExitCode::VerificationFailed;
}

} // namespace tawa::cli
