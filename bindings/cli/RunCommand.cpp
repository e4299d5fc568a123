// `tawa run`: compiles a kernel file, launches it on random data, and reports the result. One output tensor is poisoned
// before every launch; `--check` compares with a reference computed on the CPU. `--device=reference` compiles nothing:
// the evaluator that tests compare with runs the text itself.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Files.h"
#include "bindings/cli/KernelReport.h"
#include "bindings/cli/Measure.h"
#include "bindings/cli/ReferenceRun.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tawa::cli {
namespace {

struct RunOptions {
  std::vector<std::string> args;
  std::string config, device, target, grid, check = "none", out, save, schedule;
  long long seed = 1, repeat = 1;
  bool bench = false, json = false, verbose = false, quiet = false;

  void declare(Options &options) {
    options.list(
        "--arg", "NAME=VALUE", args,
        "a tensor f16[512,256] (f32[64]=0..1: of numbers from 0 to 1), a number 512, or const:512; one for each "
        "argument. Or without NAME=, in order: f16[512,256], i32:512, i32:const:512");
    options.value("--config", "TEXT", config, "e.g. \"D=4 P=1 consumers=2\"; parts left out keep their default");
    options.value("--device", "NAME", device, "auto, emulator, cuda:N or reference (default: $TAWA_DEVICE, else auto)");
    options.value("--target", "NAME", target, kTargetHelp);
    options.value("--grid", "X[,Y[,Z]]", grid, "number of CTAs, where the kernel has no tawa.grid directive");
    options.value("--check", "KIND", check,
                  "gemm (B is [N,K]), gemm-nn (B is [K,N]), reference (every tensor, any kernel) or none (default)");
    options.value("--out", "NAME", out, "the tensor that the kernel writes (default: the last one)");
    options.value("--save", "FILE", save, "write the output tensor's bytes to a file");
    options.number("--seed", "N", seed, "of the random data (default 1)");
    options.number("--repeat", "N", repeat, "launches; all must give the same bits (default 1)");
    options.value("--schedule", "NAME", schedule, "of the emulator: eager, wgmma-late or late-random[:SEED]");
    options.flag("--bench", bench, "time it on the GPU");
    options.flag("--verbose", verbose, "print what the compiler decided");
    options.flag("--quiet", quiet, kQuietHelp);
    options.flag("--json", json, "print one JSON object");
  }
};

/// Moments of an output tensor, for a person to see whether it looks sane.
struct Summary {
  size_t notFinite = 0;
  double rms = 0, low = std::numeric_limits<double>::infinity(), high = -low;

  explicit Summary(const HostTensor &tensor) {
    double squares = 0;
    for (size_t i = 0; i < tensor.elements(); ++i) {
      double value = tensor.at(i);
      if (!std::isfinite(value)) {
        ++notFinite;
        continue;
      }
      squares += value * value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    size_t finite = tensor.elements() - notFinite;
    rms = finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
  }
};

/// Results of one `tawa run`.
struct Findings {
  std::optional<GemmCheck> check;
  std::optional<ReferenceCheck> reference;
  std::optional<BurstTimes> times;
  double flop = 0;
  bool repeatable = true;
};

/// Position of the output among the arguments: the one named, else the last tensor.
std::optional<size_t> findOutput(const KernelSource &source, const Workload &workload, const std::string &name) {
  for (size_t index : workload.tensors())
    if (name == source.arguments[index].name || name == std::to_string(index))
      return index;
  if (name.empty() && !workload.tensors().empty())
    return workload.tensors().back();
  return std::nullopt;
}

ExitCode launchAll(Workload &workload, size_t output, const tawa_launch_options_t &launch, long long repeat,
                   bool &repeatable) {
  std::vector<unsigned char> first;
  for (long long i = 0; i < std::max(repeat, 1LL); ++i) {
    if (ExitCode code = workload.upload(); code != ExitCode::Ok)
      return code;
    if (ExitCode code = workload.launch(launch); code != ExitCode::Ok)
      return code;
    if (ExitCode code = workload.download(output); code != ExitCode::Ok)
      return code;
    const std::vector<unsigned char> &bytes = workload.result(output).bytes;
    if (i == 0)
      first = bytes;
    repeatable = repeatable && bytes == first;
  }
  return ExitCode::Ok;
}

std::optional<std::string> checkOutput(Workload &workload, size_t output, const RunOptions &options,
                                       Findings &findings) {
  if (options.check == "none")
    return std::nullopt;
  if (options.check == "reference")
    return checkWithReference(workload, options.config, options.grid, findings.reference.emplace());
  if (options.check != "gemm" && options.check != "gemm-nn")
    return "--check knows gemm, gemm-nn, reference and none, not '" + options.check + "'";
  GemmForm form = options.check == "gemm" ? GemmForm::TransposedB : GemmForm::PlainB;
  std::vector<size_t> inputs = workload.tensors();
  std::erase(inputs, output);
  if (inputs.size() != 2)
    return "--check " + options.check + " needs two input tensors and one output";
  const HostTensor &a = workload.host(inputs[0]), &b = workload.host(inputs[1]), &c = workload.result(output);
  if (std::string problem = gemmShapeProblem(a, b, c, form); !problem.empty())
    return problem;
  findings.check = checkGemm(a, b, c, form, static_cast<uint64_t>(options.seed));
  findings.flop = 2.0 * static_cast<double>(c.elements()) * static_cast<double>(a.shape[1]);
  return std::nullopt;
}

void printText(const Workload &workload, size_t output, const RunOptions &options, const Findings &findings) {
  const HostTensor &tensor = workload.result(output);
  const char *name = workload.source().arguments[output].name;
  Summary summary(tensor);
  bool isCompiled = workload.kernel() != nullptr;
  std::string text =
      reportLine("device", isCompiled ? describeDevice(workload.runtime()) : "the reference evaluator, on the CPU");
  if (isCompiled && options.verbose) {
    text += describePhases(workload.kernel(), workload.compileMilliseconds());
    text += describeKernel(workload.kernel());
  } else if (isCompiled) {
    text += reportLine("compiled", format("%.1f ms", workload.compileMilliseconds()));
  }
  text += reportLine("output", format("%s %s: rms %.6g, from %.6g to %.6g, %zu of %zu not finite", name,
                                      tensor.describe().c_str(), summary.rms, summary.low, summary.high,
                                      summary.notFinite, tensor.elements()));
  if (options.repeat > 1)
    text += reportLine("repeated", format("%lld launches, %s", options.repeat,
                                          findings.repeatable ? "equal to the bit" : "with DIFFERENT results"));
  if (findings.check)
    text += reportLine("checked", describeCheck(*findings.check, tensor));
  if (findings.reference)
    text += reportLine("checked", describeCheck(*findings.reference));
  if (findings.times)
    text += reportLine("speed", describeBurst(*findings.times, findings.flop));
  std::fputs(text.c_str(), stdout);
}

void printJson(const Workload &workload, size_t output, const RunOptions &options, const Findings &findings) {
  const HostTensor &tensor = workload.result(output);
  Summary summary(tensor);
  JsonWriter writer;
  writer.beginObject().text("file", workload.source().path).integer("seed", options.seed);
  if (workload.kernel()) {
    writeDevice(writer, workload.runtime());
    writer.number("compile_milliseconds", workload.compileMilliseconds());
    writeKernel(writer, workload.kernel());
  } else {
    writer.beginObject("device").text("name", kReferenceDevice).endObject();
  }
  writer.beginObject("output")
      .text("name", workload.source().arguments[output].name)
      .text("type", tensor.describe())
      .number("rms", summary.rms)
      .integer("not_finite", static_cast<int64_t>(summary.notFinite))
      .endObject();
  writer.integer("launches", options.repeat).boolean("repeatable", findings.repeatable);
  if (findings.check)
    writeCheck(writer, *findings.check, tensor);
  if (findings.reference)
    writeCheck(writer, *findings.reference);
  if (findings.times) {
    writer.number("burst_seconds", findings.times->median);
    if (findings.flop > 0)
      writer.number("burst_teraflops", findings.flop / findings.times->median / 1e12);
  }
  writer.endObject();
  std::fputs(writer.take().c_str(), stdout);
}

/// Launches on the runtime's device.
ExitCode launchCompiled(const RunOptions &options, Workload &workload, size_t output,
                        const tawa_launch_options_t &launch, Findings &findings) {
  if (ExitCode code = workload.upload(); code != ExitCode::Ok)
    return code;
  if (ExitCode code = workload.compile(options.config, options.target); code != ExitCode::Ok)
    return code;
  return launchAll(workload, output, launch, options.repeat, findings.repeatable);
}

ExitCode report(const Console &console, const RunOptions &options, const Workload &workload, size_t output,
                const Findings &findings) {
  const std::vector<unsigned char> &bytes = workload.result(output).bytes;
  if (!options.save.empty())
    if (auto problem = writeFile(options.save, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}))
      return console.failed(ExitCode::InvalidInput, *problem);
  if (workload.kernel() && !options.json) // there they are part of the object
    console.remark(describeDiagnostics(workload.kernel()));
  options.json ? printJson(workload, output, options, findings) : printText(workload, output, options, findings);
  bool passed = findings.repeatable && (!findings.check || findings.check->passed) &&
                (!findings.reference || findings.reference->passed());
  return passed ? ExitCode::Ok : ExitCode::VerificationFailed;
}

/// Everything after the command line is understood; without a runtime, on the reference evaluator.
ExitCode execute(const Console &console, const RunOptions &options, Workload &workload, size_t output) {
  tawa_launch_options_t launch = TAWA_LAUNCH_OPTIONS_INIT;
  if (!options.grid.empty())
    parseGrid(options.grid, launch.grid);
  launch.emulator_schedule = options.schedule.empty() ? nullptr : options.schedule.c_str();
  Findings findings;
  if (!workload.runtime()) {
    if (std::optional<std::string> problem = runReference(workload, options.config, options.grid))
      return console.failed(ExitCode::InvalidInput, *problem);
  } else if (ExitCode code = launchCompiled(options, workload, output, launch, findings); code != ExitCode::Ok) {
    return code;
  }
  if (std::optional<std::string> problem = checkOutput(workload, output, options, findings))
    return console.failed(ExitCode::InvalidInput, *problem);
  if (options.bench && workload.runtime()) {
    BurstTimes times;
    if (ExitCode code = measureBurst(console, workload, launch, times); code != ExitCode::Ok)
      return code;
    findings.times = times;
  }
  return report(console, options, workload, output, findings);
}

} // namespace

ExitCode runRun(const Command &command, int count, char **arguments) {
  RunOptions given;
  KernelSource source;
  if (std::optional<ExitCode> code = readKernelCommand(command, given, count, arguments, source))
    return *code;
  Console console(given.json, given.quiet);
  std::vector<tawa_arg_t> args;
  TensorFillings fillings;
  std::optional<std::string> problem = matchArguments(source, given.args, false, args, &fillings);
  if (!problem)
    problem = gridProblem(source, given.grid);
  if (problem)
    return console.failed(ExitCode::InvalidInput, *problem);
  RuntimeHandle runtime;
  if (given.device != kReferenceDevice)
    if (ExitCode code = openRuntime(console, given.device, runtime); code != ExitCode::Ok)
      return code;
  Workload workload(console, source, runtime.get(), std::move(args));
  std::optional<size_t> output = findOutput(source, workload, given.out);
  if (!output)
    return console.failed(ExitCode::InvalidInput, "the kernel has no tensor '" + given.out + "' to call its output");
  workload.fill(static_cast<uint64_t>(given.seed), *output, fillings);
  return execute(console, given, workload, *output);
}

} // namespace tawa::cli
