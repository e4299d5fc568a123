// `tawa tune`: finds the fastest configuration of a kernel for given shapes. With `--predict` nothing is compiled or
// run: it prints the search space, ranked by the performance model, with what was refused and why.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Files.h"
#include "bindings/cli/KernelReport.h"
#include "bindings/cli/Progress.h"
#include "bindings/cli/TuneReport.h"

#include <cstdio>

namespace tawa::cli {
namespace {

struct TuneOptions {
  std::vector<std::string> args, configs;
  std::string config, device, grid, hardware, configFile, worker = "/proc/self/exe", budget;
  long long top = 0, seed = 1, threads = 0, rows = 12;
  bool predict = false, again = false, json = false, warm = false, inProcess = false, all = false, quiet = false;

  void declare(Options &options) {
    options.list("--arg", "NAME=VALUE", args, "a tensor f16[512,256] or a number, as for `tawa run`; one per argument");
    options.value("--config", "TEXT", config, "the default, which what is chosen must beat");
    options.list("--try", "TEXT", configs, "a configuration to try instead of the search space; may be repeated");
    options.value("--configs", "FILE", configFile, "the same, one a line; # begins a comment");
    options.flag("--predict", predict, "rank by the performance model; compile and run nothing");
    options.value("--hardware", "NAME", hardware, "hardware description or file of one (default: the device's)");
    options.number("--top", "N", top,
                   "candidates that are measured beside the default (default 12, 20 of short launches)");
    options.value("--budget", "SECONDS", budget, "after which no further candidate is begun (default 60)");
    options.number("--seed", "N", seed, "of data and order (default 1)");
    options.number("--threads", "N", threads, "for compiling (default: all)");
    options.number("--rows", "N", rows, "rows that are printed, also as JSON, of legal candidates (default 12)");
    options.flag("--all", all,
                 "print every row, refused ones with their reasons (of --try and --configs they always are)");
    options.flag("--again", again, "try again what the cache has results of");
    options.flag("--warm", warm, "measure, and predict, with data in L2 (default: half of the launches find it empty)");
    options.flag("--in-process", inProcess, "run candidates here, not in a process of their own");
    options.value("--worker", "PROGRAM", worker, "that candidates run in (default: this one)");
    options.value("--device", "NAME", device, "auto, emulator or cuda:N (default: $TAWA_DEVICE, else auto)");
    options.value("--grid", "X[,Y[,Z]]", grid, "number of CTAs, where the kernel has no tawa.grid directive");
    options.flag("--quiet", quiet, kQuietHelp);
    options.flag("--json", json, "print one JSON object");
  }
};

/// Lines of a file and of the command line, as the library takes them; gives the problem if there is one.
std::optional<std::string> collectConfigs(const TuneOptions &given, std::string &lines) {
  for (const std::string &config : given.configs)
    lines += config + "\n";
  if (given.configFile.empty())
    return std::nullopt;
  std::string text;
  if (std::optional<std::string> problem = readFile(given.configFile, text))
    return problem;
  for (const std::string &line : split(text, '\n'))
    lines += line.substr(0, line.find('#')) + "\n";
  return std::nullopt;
}

int showProgress(void *line, const tawa_tune_progress_t *progress) {
  static_cast<Progress *>(line)->show(progress->stage, progress->done, progress->total, progress->config);
  return 0;
}

/// Borrows `given` and `lines`. Gives the problem if there is one.
std::optional<std::string> fillOptions(const TuneOptions &given, const std::string &lines, tawa_tune_options_t &tune) {
  char *end = nullptr;
  tune.budget_seconds = given.budget.empty() ? 0 : std::strtod(given.budget.c_str(), &end);
  if (end && (*end || tune.budget_seconds <= 0))
    return "--budget wants seconds, got '" + given.budget + "'";
  if (!given.grid.empty())
    parseGrid(given.grid, tune.grid);
  tune.configs = lines.empty() ? nullptr : lines.c_str();
  tune.hardware = given.hardware.empty() ? nullptr : given.hardware.c_str();
  tune.worker = given.worker.c_str();
  tune.isolation = given.inProcess ? TAWA_TUNE_IN_PROCESS : TAWA_TUNE_WORKER;
  tune.predict_only = given.predict;
  tune.top = static_cast<uint32_t>(given.top);
  tune.seed = static_cast<uint64_t>(given.seed);
  tune.threads = static_cast<uint32_t>(given.threads);
  tune.warm = given.warm;
  tune.again = given.again;
  return std::nullopt;
}

ExitCode search(const Console &console, const TuneOptions &given, const tawa_compile_request_t &request,
                tawa_tune_options_t tune, TuneResultHandle &result) {
  RuntimeHandle runtime;
  if (ExitCode code = openRuntime(console, given.device, runtime); code != ExitCode::Ok)
    return code;
  Progress line(console.showsProgress());
  tune.progress = showProgress;
  tune.progress_user = &line;
  ErrorSink error;
  tawa_tune_result_t made = nullptr;
  if (tawa_tune(runtime.get(), &request, &tune, &made, error))
    return console.failed(error);
  result.reset(made);
  return ExitCode::Ok;
}

/// The complete configuration of a request without one, relative to which the table shows differences; empty where it
/// cannot be found. A search without a cache, limited to one configuration, knows no other row.
std::string defaultConfigOf(const TuneOptions &given, tawa_compile_request_t request) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = "emulator";
  options.cache_dir = "";
  tawa_runtime_t opened = nullptr;
  if (tawa_runtime_create(&options, &opened, nullptr))
    return {};
  RuntimeHandle runtime(opened);
  tawa_tune_options_t tune = TAWA_TUNE_OPTIONS_INIT;
  tune.configs = given.config.empty() ? "D=0" : given.config.c_str(); // D=0 is the default
  tune.predict_only = 1;
  if (!given.grid.empty())
    parseGrid(given.grid, tune.grid);
  tawa_tune_result_t made = nullptr;
  if (tawa_tune(runtime.get(), &request, &tune, &made, nullptr))
    return {};
  TuneResultHandle result(made);
  std::vector<tawa_tune_row_t> rows = rowsOf(result.get());
  return rows.size() == 1 ? rows[0].config : "";
}

void print(const TuneOptions &given, const tawa_compile_request_t &request, tawa_tune_result_t result) {
  bool isListed = !given.configs.empty() || !given.configFile.empty(); // what is asked about by name is answered
  ShownRows shown{given.all ? SIZE_MAX : static_cast<size_t>(given.rows), given.all || isListed};
  std::string text;
  if (given.json) {
    JsonWriter writer;
    writer.beginObject().text("file", request.name);
    writeTuneResult(writer, result, shown);
    text = writer.endObject().take();
  } else {
    text = describeTuneResult(result, defaultConfigOf(given, request), shown);
  }
  std::fputs(text.c_str(), stdout);
}

} // namespace

ExitCode runTune(const Command &command, int count, char **arguments) {
  TuneOptions given;
  KernelSource source;
  if (std::optional<ExitCode> code = readKernelCommand(command, given, count, arguments, source))
    return *code;
  Console console(given.json, given.quiet);
  std::vector<tawa_arg_t> args;
  std::optional<std::string> problem = matchArguments(source, given.args, false, args);
  if (!problem)
    problem = gridProblem(source, given.grid);
  std::string lines;
  if (!problem)
    problem = collectConfigs(given, lines);
  if (problem)
    return console.failed(ExitCode::InvalidInput, *problem);
  tawa_tune_options_t tune = TAWA_TUNE_OPTIONS_INIT;
  if (std::optional<std::string> misuse = fillOptions(given, lines, tune))
    return console.failed(ExitCode::Usage, *misuse);
  if (given.rows < 0)
    return console.failed(ExitCode::Usage, "--rows wants a number from 0 on");
  tawa_compile_request_t request = requestFor(source, args, given.config);
  TuneResultHandle result;
  if (ExitCode code = search(console, given, request, tune, result); code != ExitCode::Ok)
    return code;
  print(given, request, result.get());
  return ExitCode::Ok;
}

} // namespace tawa::cli
