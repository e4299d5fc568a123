// `tawa plan`: plans of a kernel for a described spatial machine, ranked and simulated. Needs no device.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Files.h"
#include "bindings/cli/PlanPage.h"
#include "bindings/cli/PlanReport.h"
#include "tawa/plan.h"

#include <cstdio>

namespace tawa::cli {
namespace {

struct PlanOptions {
  std::vector<std::string> args;
  std::string machine, grid, config, page;
  long long top = 5;
  bool list = false, isSimulated = false, explains = false, json = false;

  void declare(Options &options) {
    options.value("--machine", "NAME", machine, "a described machine (--list), or a file with a df.machine");
    options.flag("--list", list, "print the names of the machines that come with the library");
    options.list("--arg", "NAME=VALUE", args, "an argument: a=f16[512,256] or M=512");
    options.value("--grid", "X[,Y[,Z]]", grid, "programs, where the text has no `tawa.grid`");
    options.value("--config", "TEXT", config, "tile parameters that keep one value, e.g. \"BLOCK_M=128\"");
    options.number("--top", "K", top, "plans that are shown (default: 5)");
    options.flag("--simulate", isSimulated, "simulate so many of the best hundred and choose the fastest");
    options.flag("--explain", explains, "print loop nest, estimate and search of the chosen plan, and its simulation");
    options.value("--html", "FILE", page, "write a page with a picture of the machine at work; simulates");
    options.flag("--json", json, "print all numbers, or the error, as JSON");
  }
};

ExitCode listMachines(const Console &console) {
  ErrorSink error;
  char *names = nullptr;
  if (tawa_plan_machines(&names, error))
    return console.failed(error);
  std::fputs(names, stdout);
  tawa_free(names);
  return ExitCode::Ok;
}

/// Borrows all three.
tawa_plan_request_t requestFor(const PlanOptions &given, const KernelSource &source,
                               const std::vector<tawa_arg_t> &args) {
  tawa_plan_request_t request = TAWA_PLAN_REQUEST_INIT;
  request.text = source.text.data();
  request.text_len = source.text.size();
  request.name = source.path.c_str();
  request.args = args.data();
  request.num_args = static_cast<uint32_t>(args.size());
  request.top = static_cast<uint32_t>(given.top);
  request.machine = given.machine.c_str();
  request.config = given.config.c_str();
  request.is_simulated = given.isSimulated || !given.page.empty();
  if (!given.grid.empty())
    parseGrid(given.grid, request.grid);
  return request;
}

ExitCode show(const Console &console, const PlanOptions &given, const std::string &kernel, const std::string &json) {
  PlanFacts facts = readPlan(json);
  if (given.json)
    std::printf("%s\n", json.c_str());
  else
    std::fputs((planTable(facts) + (given.explains ? "\n" + explainPlan(facts) : "")).c_str(), stdout);
  if (!given.page.empty())
    if (std::optional<std::string> problem = writeFile(given.page, planPage(facts, kernel)))
      return console.failed(ExitCode::InvalidInput, *problem);
  return ExitCode::Ok;
}

std::optional<std::string> problemOf(const PlanOptions &given, const KernelSource &source,
                                     std::vector<tawa_arg_t> &args) {
  if (given.top < 1 || given.top > 1000)
    return "--top takes 1 to 1000";
  if (std::optional<std::string> problem = gridProblem(source, given.grid))
    return problem;
  return matchArguments(source, given.args, false, args);
}

} // namespace

ExitCode runPlan(const Command &command, int count, char **arguments) {
  PlanOptions given;
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, files, {0, 1}))
    return *code;
  Console console(given.json);
  if (given.list)
    return listMachines(console);
  if (files.empty() || given.machine.empty())
    return console.failed(ExitCode::Usage, "tawa plan wants a kernel and --machine NAME (tawa plan --list)");
  KernelSource source;
  if (ExitCode code = readKernel(console, files[0], source); code != ExitCode::Ok)
    return code;
  std::vector<tawa_arg_t> args;
  if (std::optional<std::string> problem = problemOf(given, source, args))
    return console.failed(ExitCode::InvalidInput, *problem);
  tawa_plan_request_t request = requestFor(given, source, args);
  ErrorSink error;
  char *json = nullptr;
  if (tawa_plan(&request, &json, error))
    return console.failed(error);
  std::string text = json;
  tawa_free(json);
  return show(console, given, source.path, text);
}

} // namespace tawa::cli
