// `tawa env` lists the environment variables the library reads; `tawa doctor` says what this machine can do: version,
// devices, what is set, and what looks wrong.
#include "bindings/cli/Commands.h"
#include "bindings/cli/KernelReport.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <unistd.h>

namespace tawa::cli {
namespace {

/// TAWA_* variables that are set in this process, with their values.
std::vector<std::pair<std::string, std::string>> variablesSet() {
  std::vector<std::pair<std::string, std::string>> found;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    size_t equals = text.find('=');
    if (text.starts_with("TAWA_") && equals != std::string_view::npos)
      found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

/// Every word TAWA_... of the library's own help text: the names it knows.
std::set<std::string> knownVariables() {
  std::set<std::string> names;
  std::string_view help = tawa_environment_help();
  for (size_t at = help.find("TAWA_"); at != std::string_view::npos; at = help.find("TAWA_", at + 1)) {
    size_t end = at;
    while (end < help.size() &&
           (help[end] == '_' || (help[end] >= 'A' && help[end] <= 'Z') || (help[end] >= '0' && help[end] <= '9')))
      ++end;
    names.emplace(help.substr(at, end - at));
  }
  return names;
}

/// Opens a device; gives its description or the reason why there is none.
struct Probe {
  bool available = false;
  std::string text;

  explicit Probe(const char *device) {
    tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
    options.device = device;
    tawa_runtime_t runtime = nullptr;
    ErrorSink error;
    available = tawa_runtime_create(&options, &runtime, error) == TAWA_OK;
    RuntimeHandle handle(runtime);
    text = available ? describeDevice(runtime) : std::string("none: ") + tawa_error_message(error.get());
  }
};

bool readFlags(const Command &command, int count, char **arguments, bool &json, ExitCode &code) {
  Options options;
  options.flag("--json", json, "print one JSON object");
  std::vector<std::string> files;
  std::optional<ExitCode> ended = readCommandLine(command, options, count, arguments, files, kNoFile);
  code = ended.value_or(ExitCode::Ok);
  return !ended;
}

/// What this machine can do, and what looks wrong.
struct Diagnosis {
  Probe gpu{"cuda:0"}, emulator{"emulator"}, chosen{nullptr};
  std::vector<std::string> problems = findProblems();

  std::vector<std::string> findProblems() const {
    std::vector<std::string> found;
    if (tawa_abi_version() != TAWA_ABI_VERSION)
      found.push_back(
          format("this program was built for ABI %u, the library has %u", TAWA_ABI_VERSION, tawa_abi_version()));
    if (!chosen.available)
      found.push_back("no device can be opened: " + chosen.text);
    std::set<std::string> known = knownVariables();
    for (const auto &[name, value] : variablesSet())
      if (!known.contains(name))
        found.push_back(name + " is set, but no such variable is read (tawa env lists them)");
    return found;
  }
  std::string json() const {
    JsonWriter writer;
    writer.beginObject().text("version", tawa_version()).integer("abi", tawa_abi_version());
    writer.text("build", tawa_build_info()).boolean("gpu", gpu.available).text("gpu_description", gpu.text);
    writer.text("emulator", emulator.text).text("default_device", chosen.text).beginArray("problems");
    for (const std::string &problem : problems)
      writer.text({}, problem);
    return writer.endArray().endObject().take();
  }
  std::string text() const {
    std::string text = reportLine("tawa", format("%s, ABI %u", tawa_version(), tawa_abi_version()));
    text += reportLine("build", tawa_build_info()) + reportLine("GPU", gpu.text);
    text += reportLine("emulator", emulator.text) + reportLine("default", chosen.text);
    for (const auto &[name, value] : variablesSet())
      text += reportLine("set", format("%s=%s", name.c_str(), value.c_str()));
    for (const std::string &problem : problems)
      text += reportLine("PROBLEM", problem);
    return text;
  }
};

} // namespace

ExitCode runEnv(const Command &command, int count, char **arguments) {
  bool json = false;
  ExitCode code;
  if (!readFlags(command, count, arguments, json, code))
    return code;
  if (json) {
    JsonWriter writer;
    writer.beginObject().beginArray("known");
    for (const std::string &name : knownVariables())
      writer.text({}, name);
    writer.endArray().beginObject("set");
    for (const auto &[name, value] : variablesSet())
      writer.text(name, value);
    writer.endObject().endObject();
    std::fputs(writer.take().c_str(), stdout);
    return ExitCode::Ok;
  }
  const char *help = tawa_environment_help();
  std::printf("%s%s", help, std::string_view(help).ends_with('\n') ? "" : "\n");
  for (const auto &[name, value] : variablesSet())
    std::printf("set here: %s=%s\n", name.c_str(), value.c_str());
  return ExitCode::Ok;
}

ExitCode runDoctor(const Command &command, int count, char **arguments) {
  bool json = false;
  ExitCode code;
  if (!readFlags(command, count, arguments, json, code))
    return code;
  Diagnosis diagnosis;
  std::fputs((json ? diagnosis.json() : diagnosis.text()).c_str(), stdout);
  if (!diagnosis.chosen.available)
    return ExitCode::NoDevice;
  return diagnosis.problems.empty() ? ExitCode::Ok : ExitCode::InvalidInput;
}

} // namespace tawa::cli
