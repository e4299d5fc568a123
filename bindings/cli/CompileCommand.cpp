// `tawa compile`: print a kernel at one of its stages. Needs no GPU except for the cubin, which the driver makes.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Files.h"

#include <cstdio>
#include <unistd.h>

namespace tawa::cli {
namespace {

struct Stage {
  std::string_view name;
  tawa_stage_t stage;
  bool isText;
};
constexpr Stage kStages[] = {
    {"ttir", TAWA_STAGE_TTIR, true},           {"tawa", TAWA_STAGE_TAWA, true}, {"sm90", TAWA_STAGE_SM90, true},
    {"llvm", TAWA_STAGE_LLVM, true},           {"ptx", TAWA_STAGE_PTX, true},   {"cubin", TAWA_STAGE_CUBIN, false},
    {"object", TAWA_STAGE_HOST_OBJECT, false},
};

const Stage *findStage(std::string_view name) {
  for (const Stage &stage : kStages)
    if (stage.name == name)
      return &stage;
  return nullptr;
}

struct CompileOptions {
  std::vector<std::string> args;
  std::string config, emit = "ptx", output = "-", device, target;
  bool json = false;

  void declare(Options &options) {
    options.value("--emit", "STAGE", emit, "ttir, tawa, sm90, llvm, ptx (default), cubin, or object (of the emulator)");
    options.list("--arg", "NAME=VALUE", args, "facts about an argument; sizes left out stay unknown");
    options.value("--config", "TEXT", config, "e.g. \"D=4 P=1 consumers=2\"");
    options.value("--output", "FILE", output, "where the text goes, also -o (default: standard output)");
    options.value("--target", "NAME", target, "a GPU (tawa hardware --list) to make it for (default: the device's)");
    options.value("--device", "NAME", device, "for cubin: cuda:N (default cuda:0)");
    options.flag("--json", json, "print the result's size and where it went, or the error, as JSON");
  }
};

ExitCode write(const Console &console, const Stage &stage, std::string_view data, const std::string &path) {
  bool toStdout = path == "-";
  if (toStdout && !stage.isText && isatty(STDOUT_FILENO))
    return console.failed(ExitCode::Usage, std::string(stage.name) + " is binary: give -o FILE");
  if (toStdout && console.wantsJson())
    return console.failed(ExitCode::Usage, "--json needs -o FILE, so that standard output holds JSON only");
  if (std::optional<std::string> problem = writeFile(path, data))
    return console.failed(ExitCode::InvalidInput, *problem);
  if (console.wantsJson()) {
    JsonWriter writer;
    writer.beginObject().text("stage", stage.name).text("file", path);
    writer.integer("bytes", static_cast<int64_t>(data.size())).endObject();
    std::fputs(writer.take().c_str(), stdout);
  }
  return ExitCode::Ok;
}

} // namespace

ExitCode runCompile(const Command &command, int count, char **arguments) {
  CompileOptions given;
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, files, kOneFile))
    return *code;
  Console console(given.json);
  const Stage *stage = findStage(given.emit);
  if (!stage)
    return console.failed(ExitCode::Usage, "--emit knows no stage '" + given.emit + "' (tawa compile --help)");
  KernelSource source;
  if (ExitCode code = readKernel(console, files[0], source); code != ExitCode::Ok)
    return code;
  std::vector<tawa_arg_t> args;
  if (std::optional<std::string> problem = matchArguments(source, given.args, true, args))
    return console.failed(ExitCode::InvalidInput, *problem);

  RuntimeHandle runtime;
  std::string device = stage->stage == TAWA_STAGE_CUBIN ? "cuda:0" : "emulator";
  if (ExitCode code = openRuntime(console, given.device.empty() ? device : given.device, runtime); code != ExitCode::Ok)
    return code;
  tawa_compile_request_t request = requestFor(source, args, given.config, given.target);
  ErrorSink error;
  char *data = nullptr;
  size_t size = 0;
  if (tawa_emit(runtime.get(), &request, stage->stage, &data, &size, error))
    return console.failed(error);
  ExitCode code = write(console, *stage, {data, size}, given.output);
  tawa_free(data);
  return code;
}

} // namespace tawa::cli
