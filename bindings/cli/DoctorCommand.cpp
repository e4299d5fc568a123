// `tawa doctor`: reports this machine's capabilities (devices, caches, external programs), the settings, and what looks
// wrong.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Environment.h"
#include "bindings/cli/KernelReport.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace tawa::cli {
namespace {

namespace fs = std::filesystem;

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
  void write(JsonWriter &writer, std::string_view key) const {
    writer.beginObject(key).boolean("available", available).text("description", text).endObject();
  }
};

/// A folder in which files are or will be kept.
struct Folder {
  std::string path; ///< Empty: there is to be none.
  bool exists = false, isWritable = false;
  unsigned mode = 0; ///< Permission bits.
  int64_t bytes = 0;

  explicit Folder(std::string where) : path(std::move(where)) {
    std::error_code error;
    exists = fs::is_directory(path, error);
    isWritable = fs::is_directory(firstThatExists(), error) && ::access(firstThatExists().c_str(), W_OK | X_OK) == 0;
    if (!exists)
      return;
    mode = static_cast<unsigned>(fs::status(path, error).permissions()) & 07777U;
    constexpr auto skip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(path, skip, error), end; !error && entry != end; entry.increment(error))
      if (std::error_code ignored; entry->is_regular_file(ignored))
        bytes += static_cast<int64_t>(entry->file_size(ignored));
  }
  /// The path that must be writable for the folder to be created.
  std::string firstThatExists() const {
    std::error_code error;
    fs::path at = path;
    while (at.has_relative_path() && !fs::exists(at, error))
      at = at.parent_path();
    return at.string();
  }
  std::string describe() const {
    if (path.empty())
      return "off";
    if (!exists)
      return path + ": not there yet";
    return format("%s: %.1f MB, mode %04o%s", path.c_str(), static_cast<double>(bytes) / 1e6, mode,
                  isWritable ? "" : ", not writable");
  }
  void write(JsonWriter &writer, std::string_view key) const {
    writer.beginObject(key).text("folder", path).boolean("exists", exists).boolean("writable", isWritable);
    writer.text("mode", exists ? format("%04o", mode) : "").integer("bytes", bytes).endObject();
  }
};

std::string cacheFolder() {
  char *path = nullptr;
  if (tawa_cache_folder(&path, nullptr))
    return {};
  std::string folder = path;
  tawa_free(path);
  return folder;
}

/// The driver's cache of compiled PTX (CUDA C++ Programming Guide, "CUDA Environment Variables").
std::string driverCacheFolder() {
  if (environmentValue("CUDA_CACHE_DISABLE") == "1")
    return {};
  if (std::optional<std::string> path = environmentValue("CUDA_CACHE_PATH"))
    return *path;
  std::optional<std::string> home = environmentValue("HOME");
  return home ? *home + "/.nv/ComputeCache" : std::string();
}

bool isProgram(const std::string &path) { return ::access(path.c_str(), X_OK) == 0; }

/// The assembler for cubins; empty where there is none.
std::string ptxas() {
  if (std::optional<std::string> named = environmentValue("TAWA_PTXAS"))
    return *named;
  for (const std::string &folder : split(environmentValue("PATH").value_or("") + ":/usr/local/cuda/bin", ':'))
    if (!folder.empty() && isProgram(folder + "/ptxas"))
      return folder + "/ptxas";
  return {};
}

/// The one in which searches run candidates.
std::string worker() {
  std::error_code error;
  return environmentValue("TAWA_WORKER").value_or(fs::read_symlink("/proc/self/exe", error).string());
}

/// Collects this machine's capabilities and what looks wrong.
class Diagnosis {
public:
  bool hasDevice() const { return chosen.available; }
  bool isSound() const { return problems.empty(); }

  std::string json() const {
    JsonWriter writer;
    writer.beginObject().text("version", tawa_version()).integer("abi", tawa_abi_version());
    writer.json("build", tawa_build_info());
    gpu.write(writer, "gpu");
    emulator.write(writer, "emulator");
    chosen.write(writer, "default_device");
    cache.write(writer, "cache");
    driverCache.write(writer, "driver_cache");
    writer.text("ptxas", assembler).text("worker", searcher).beginObject("set");
    for (const auto &[name, value] : variablesSet())
      writer.text(name, value);
    writer.endObject().beginArray("problems");
    for (const std::string &problem : problems)
      writer.text({}, problem);
    return writer.endArray().endObject().take();
  }
  std::string text() const {
    std::string text = reportLine("tawa", format("%s, ABI %u", tawa_version(), tawa_abi_version()));
    text += reportLine("build", tawa_build_info()) + reportLine("GPU", gpu.text);
    text += reportLine("emulator", emulator.text) + reportLine("default", chosen.text);
    text += reportLine("cache", cache.describe()) + reportLine("driver's", driverCache.describe());
    text +=
        reportLine("ptxas", assembler.empty() ? "none: the driver makes cubins where they are asked for" : assembler);
    text += reportLine("worker", searcher);
    for (const auto &[name, value] : variablesSet())
      text += reportLine("set", name + "=" + value);
    for (const std::string &problem : problems)
      text += reportLine("PROBLEM", problem);
    return text;
  }

private:
  std::vector<std::string> findProblems() const {
    std::vector<std::string> found;
    if (tawa_abi_version() != TAWA_ABI_VERSION)
      found.push_back(
          format("this program was built for ABI %u, the library has %u", TAWA_ABI_VERSION, tawa_abi_version()));
    if (!chosen.available)
      found.push_back("no device can be opened: " + chosen.text);
    if (!cache.path.empty() && !cache.isWritable)
      found.push_back("nothing can be kept: " + cache.firstThatExists() +
                      " is no folder that this user may write to; TAWA_CACHE_DIR names another");
    for (const auto &[program, variable] : {std::pair(assembler, "TAWA_PTXAS"), std::pair(searcher, "TAWA_WORKER")})
      if (!program.empty() && !isProgram(program))
        found.push_back(std::string(variable) + ": " + program + " is no program that can be run");
    addUnknownVariables(found);
    return found;
  }
  static void addUnknownVariables(std::vector<std::string> &found) {
    std::vector<std::string> known;
    for (const Variable &variable : knownVariables())
      known.push_back(variable.name);
    for (const auto &[name, value] : variablesSet())
      if (std::ranges::find(known, name) == known.end())
        found.push_back(name + " is set, but no such variable is read" + suggest(name, known));
  }

  Probe gpu{"cuda:0"}, emulator{"emulator"}, chosen{nullptr};
  Folder cache{cacheFolder()}, driverCache{driverCacheFolder()};
  std::string assembler = ptxas(), searcher = worker();
  std::vector<std::string> problems = findProblems();
};

} // namespace

ExitCode runDoctor(const Command &command, int count, char **arguments) {
  bool json = false;
  Options options;
  options.flag("--json", json, "print one JSON object");
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, options, count, arguments, files, kNoFile))
    return *code;
  Diagnosis diagnosis;
  std::fputs((json ? diagnosis.json() : diagnosis.text()).c_str(), stdout);
  if (!diagnosis.hasDevice())
    return ExitCode::NoDevice;
  return diagnosis.isSound() ? ExitCode::Ok : ExitCode::InvalidInput;
}

} // namespace tawa::cli
