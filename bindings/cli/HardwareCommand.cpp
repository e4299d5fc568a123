// `tawa hardware`: hardware descriptions, those of the library and of TAWA_HARDWARE; checks a file before it is used.
#include "bindings/cli/Commands.h"
#include "bindings/cli/KernelReport.h"

#include <cstdio>

namespace tawa::cli {

ExitCode runHardware(const Command &command, int count, char **arguments) {
  std::string name, file, device;
  bool list = false;
  Options options;
  options.flag("--list", list, "the names there are");
  options.value("--name", "NAME", name, "print the description of that name");
  options.value("--check", "FILE", file, "read a file and print what came of it, or its mistakes");
  options.value("--device", "NAME", device,
                "print that of a device, with its driver's numbers (default: $TAWA_DEVICE)");
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, options, count, arguments, files, 0))
    return *code;
  Console console(false);
  RuntimeHandle runtime;
  if (!list && name.empty() && file.empty())
    if (ExitCode code = openRuntime(console, device, runtime); code != ExitCode::Ok)
      return code;
  if (!file.empty())
    name = file.find('/') == file.npos ? "./" + file : file; // what has a folder is a file to the library
  ErrorSink error;
  char *text = nullptr;
  tawa_status_t status =
      list ? tawa_hardware_names(&text, error)
           : tawa_hardware_describe(runtime.get(), name.empty() ? nullptr : name.c_str(), &text, error);
  if (status)
    return console.failed(error);
  std::fputs(text, stdout);
  tawa_free(text);
  return ExitCode::Ok;
}

} // namespace tawa::cli
