// `tawa hardware`: hardware descriptions, those of the library and of TAWA_HARDWARE; checks a file before it is used.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Files.h"
#include "bindings/cli/KernelReport.h"

#include <cstdio>
#include <cstdlib>

namespace tawa::cli {
namespace {

struct HardwareOptions {
  std::string name, file, device;
  bool list = false, json = false;

  void declare(Options &options) {
    options.flag("--list", list, "the names there are");
    options.value("--name", "NAME", name, "print the description of that name");
    options.value("--check", "FILE", file, "read a file and print what came of it, or its mistakes");
    options.value("--device", "NAME", device,
                  "print that of a device, with its driver's numbers (default: $TAWA_DEVICE)");
    options.flag("--json", json, "print names as a JSON array, a description as a JSON object");
  }
};

/// Names, one a line.
std::string namesAsJson(const std::string &text) {
  JsonWriter writer;
  writer.beginArray();
  for (const std::string &line : split(text, '\n'))
    if (!line.empty())
      writer.text({}, line);
  return writer.endArray().take();
}

std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

/// "132" as a number, "1980 MHz" as {"value": 1980, "unit": "MHz"}, other values as text.
void writeValue(JsonWriter &writer, const std::string &key, const std::string &value) {
  char *end = nullptr;
  double number = std::strtod(value.c_str(), &end);
  std::string unit = trimmed(end);
  if (end == value.c_str())
    writer.text(key, value);
  else if (unit.empty())
    writer.number(key, number);
  else
    writer.beginObject(key).number("value", number).text("unit", unit).endObject();
}

/// Lines "key = value unit", as the library prints them.
std::string descriptionAsJson(const std::string &text) {
  JsonWriter writer;
  writer.beginObject();
  for (const std::string &line : split(text, '\n')) {
    if (size_t equals = line.find('='); equals != line.npos)
      writeValue(writer, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
  }
  return writer.endObject().take();
}

/// Why a file cannot be read by the library, in the CLI's wording.
std::optional<std::string> fileProblem(const std::string &path) {
  std::string bytes;
  return path.empty() ? std::nullopt : readFile(path, bytes);
}

} // namespace

ExitCode runHardware(const Command &command, int count, char **arguments) {
  HardwareOptions given;
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, files, kNoFile))
    return *code;
  Console console(given.json);
  RuntimeHandle runtime;
  if (!given.list && given.name.empty() && given.file.empty())
    if (ExitCode code = openRuntime(console, given.device, runtime); code != ExitCode::Ok)
      return code;
  if (!given.file.empty() && given.file.find('/') == given.file.npos)
    given.file = "./" + given.file; // what has a folder is a file to the library
  if (std::optional<std::string> problem = fileProblem(given.file))
    return console.failed(ExitCode::InvalidInput, *problem);
  const std::string &name = given.file.empty() ? given.name : given.file;
  ErrorSink error;
  char *text = nullptr;
  tawa_status_t status =
      given.list ? tawa_hardware_names(&text, error)
                 : tawa_hardware_describe(runtime.get(), name.empty() ? nullptr : name.c_str(), &text, error);
  if (status)
    return console.failed(error);
  std::string printed = text;
  tawa_free(text);
  if (given.json)
    printed = given.list ? namesAsJson(printed) : descriptionAsJson(printed);
  std::fputs(printed.c_str(), stdout);
  return ExitCode::Ok;
}

} // namespace tawa::cli
