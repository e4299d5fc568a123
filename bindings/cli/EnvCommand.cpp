// `tawa env`: the environment variables that the library reads, with their defaults, meanings and values.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Environment.h"

#include <cstdio>

namespace tawa::cli {

static std::string environmentAsJson() {
  JsonWriter writer;
  writer.beginObject().beginArray("variables");
  for (const Variable &variable : knownVariables()) {
    writer.beginObject().text("name", variable.name).text("default", variable.fallback);
    writer.text("meaning", variable.meaning);
    if (std::optional<std::string> value = environmentValue(variable.name))
      writer.text("value", *value);
    writer.endObject();
  }
  return writer.endArray().endObject().take();
}

ExitCode runEnv(const Command &command, int count, char **arguments) {
  bool json = false;
  Options options;
  options.flag("--json", json, "print one JSON object");
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, options, count, arguments, files, kNoFile))
    return *code;
  std::string text = json ? environmentAsJson() : tawa_environment_help();
  if (!json)
    for (const auto &[name, value] : variablesSet())
      text += "set here: " + name + "=" + value + "\n";
  std::fputs(text.c_str(), stdout);
  return ExitCode::Ok;
}

} // namespace tawa::cli
