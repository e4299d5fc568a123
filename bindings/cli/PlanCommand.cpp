// `tawa plan`: a kernel as a tile program, for a described spatial machine. Needs no device.
#include "bindings/cli/Commands.h"
#include "compiler/planner/affinize/Affinize.h"
#include "compiler/planner/machines/Catalogue.h"
#include "runtime/artifact/KernelConfig.h"

#include <algorithm>
#include <cstdio>

namespace tawa::cli {
namespace {

struct PlanOptions {
  std::vector<std::string> args;
  std::string machine, grid, config;
  bool list = false, json = false;

  void declare(Options &options) {
    options.value("--machine", "NAME", machine, "a described machine (--list), or a file with a df.machine");
    options.flag("--list", list, "print the names of the machines that come with the library");
    options.list("--arg", "NAME=VALUE", args, "an argument: a=f16[512,256] or M=512");
    options.value("--grid", "X[,Y[,Z]]", grid, "programs, where the text has no `tawa.grid`");
    options.value("--config", "TEXT", config, "tile parameters, e.g. \"BLOCK_M=128 BLOCK_N=64\"");
    options.flag("--json", json, "print the machine and the tile program, or the error, as JSON");
  }
};

ArgumentFacts factsOf(const tawa_arg_t &arg) {
  ArgumentFacts facts;
  facts.elementType = static_cast<ElementType>(arg.dtype);
  facts.kind = arg.kind == TAWA_ARG_TENSOR ? LogicalArgument::Kind::Tensor : LogicalArgument::Kind::Constant;
  facts.shape.assign(arg.shape, arg.shape + arg.rank);
  facts.value = arg.integer;
  return facts;
}

ExitCode codeOf(const Status &status) {
  return status.code() == StatusCode::Unsupported ? ExitCode::CompileFailed : ExitCode::InvalidInput;
}

ExitCode listMachines() {
  for (const MachineText &machine : builtinMachines())
    std::printf("%s\n", machine.name.c_str());
  return ExitCode::Ok;
}

void print(const mesh::Machine &machine, const mesh::TileProgram &program, bool json) {
  if (!json) {
    std::printf("%s\n%s", machine.str().c_str(), program.str().c_str());
    return;
  }
  JsonWriter writer;
  writer.beginObject().text("machine", machine.str()).text("program", program.str()).endObject();
  std::fputs(writer.take().c_str(), stdout);
}

/// The kernel with the arguments of the command line.
Result<AffineKernel> readProgram(const KernelSource &source, const PlanOptions &given,
                                 const std::vector<tawa_arg_t> &args) {
  AffinizeInput input;
  input.text = source.text;
  input.name = source.path;
  Result<KernelConfig> config = KernelConfig::parse(given.config);
  if (!config)
    return config.status();
  input.tile = config->tile;
  std::ranges::transform(args, std::back_inserter(input.arguments), factsOf);
  uint32_t grid[3];
  if (!given.grid.empty() && parseGrid(given.grid, grid))
    input.grid = std::to_array(grid);
  return affinize(input);
}

} // namespace

ExitCode runPlan(const Command &command, int count, char **arguments) {
  PlanOptions given;
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, files, {0, 1}))
    return *code;
  if (given.list)
    return listMachines();
  Console console(given.json);
  if (files.empty() || given.machine.empty())
    return console.failed(ExitCode::Usage, "tawa plan wants a kernel and --machine NAME (tawa plan --list)");
  Result<mesh::Machine> machine = lookUpMachine(given.machine);
  if (!machine)
    return console.failed(codeOf(machine.status()), machine.status().message());
  KernelSource source;
  if (ExitCode code = readKernel(console, files[0], source); code != ExitCode::Ok)
    return code;
  std::vector<tawa_arg_t> args;
  std::optional<std::string> problem = gridProblem(source, given.grid);
  if (!problem)
    problem = matchArguments(source, given.args, false, args);
  if (problem)
    return console.failed(ExitCode::InvalidInput, *problem);
  Result<AffineKernel> kernel = readProgram(source, given, args);
  if (!kernel)
    return console.failed(codeOf(kernel.status()), kernel.status().message());
  print(*machine, kernel->program, given.json);
  return ExitCode::Ok;
}

} // namespace tawa::cli
