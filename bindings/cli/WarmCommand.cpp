// `tawa warm`: compiles the kernels of a manifest into the cache, for machines that have the cache but cannot spend the
// time or CPU to compile. Needs no GPU; with one, and no other target, it searches for each kernel's configuration.
// include/tawa/manifest.md has the format of a manifest.
#include "bindings/cli/Commands.h"
#include "bindings/cli/Files.h"
#include "bindings/cli/JsonReader.h"
#include "bindings/cli/Progress.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

namespace tawa::cli {
namespace {

struct WarmOptions {
  std::string target, cache;
  long long jobs = std::max(1u, std::thread::hardware_concurrency());
  bool json = false, quiet = false;

  void declare(Options &options) {
    options.value("--target", "NAME", target, "a GPU (tawa hardware --list) or emulator (default: the device here)");
    options.value("--cache", "PATH", cache, "folder of the cache (default: as tawa env says)");
    options.number("--jobs", "N", jobs, "kernels compiled at a time (default: one per processor)");
    options.flag("--quiet", quiet, kQuietHelp);
    options.flag("--json", json, "print one JSON object");
  }
};

/// One kernel in one configuration.
struct Item {
  const KernelSource *source = nullptr;
  const std::vector<tawa_arg_t> *args = nullptr;
  std::string config; ///< Empty: what a compile that names none would take.
};

/// Everything that the manifest names, read and checked.
struct Manifest {
  std::vector<std::unique_ptr<KernelSource>> sources;
  std::vector<std::unique_ptr<std::vector<tawa_arg_t>>> args;
  std::vector<Item> items;
};

/// A list of strings under a name; false where it is something else. An absent list is empty.
bool readStrings(const JsonValue &object, const char *name, std::vector<std::string> &into) {
  const JsonValue *member = object.member(name);
  if (!member)
    return true;
  if (!member->array())
    return false;
  for (const JsonValue &element : *member->array()) {
    if (!element.text())
      return false;
    into.push_back(*element.text());
  }
  return true;
}

/// A member that no kernel has: a misspelt one would otherwise be ignored.
std::optional<std::string> unknownMember(const JsonValue &entry) {
  const std::vector<std::string> known = {"text", "args", "configs"};
  if (const JsonValue::Object *members = entry.object())
    for (const auto &[name, value] : *members)
      if (std::ranges::find(known, name) == known.end())
        return "a kernel of a manifest has no member '" + name + "'" + suggest(name, known);
  return std::nullopt;
}

ExitCode readKernelOf(const Console &console, const std::string &folder, const JsonValue &entry, Manifest &manifest) {
  const JsonValue *text = entry.member("text");
  std::vector<std::string> args, configs;
  if (!text || !text->text() || !readStrings(entry, "args", args) || !readStrings(entry, "configs", configs))
    return console.failed(
        ExitCode::InvalidInput,
        "each kernel needs \"text\", a path, and may have \"args\" and \"configs\", lists of strings");
  if (std::optional<std::string> problem = unknownMember(entry))
    return console.failed(ExitCode::InvalidInput, *problem);
  auto source = std::make_unique<KernelSource>();
  std::string path = (std::filesystem::path(folder) / *text->text()).string();
  if (ExitCode code = readKernel(console, path, *source); code != ExitCode::Ok)
    return code;
  auto values = std::make_unique<std::vector<tawa_arg_t>>();
  if (std::optional<std::string> problem = matchArguments(*source, args, true, *values))
    return console.failed(ExitCode::InvalidInput, path + ": " + *problem);
  if (configs.empty())
    configs.emplace_back();
  for (const std::string &config : configs)
    manifest.items.push_back({source.get(), values.get(), config});
  manifest.sources.push_back(std::move(source));
  manifest.args.push_back(std::move(values));
  return ExitCode::Ok;
}

ExitCode readManifest(const Console &console, const std::string &path, Manifest &manifest) {
  std::string text, problem;
  if (std::optional<std::string> unread = readFile(path, text))
    return console.failed(ExitCode::InvalidInput, *unread);
  JsonValue document;
  if (!readJson(text, document, problem))
    return console.failed(ExitCode::InvalidInput, path + ":" + problem);
  const JsonValue *kernels = document.member("kernels");
  if (!kernels || !kernels->array())
    return console.failed(ExitCode::InvalidInput, path + ": expected {\"kernels\": [...]}");
  std::string folder = std::filesystem::path(path).parent_path().string();
  for (const JsonValue &entry : *kernels->array())
    if (ExitCode code = readKernelOf(console, folder, entry, manifest); code != ExitCode::Ok)
      return code;
  return ExitCode::Ok;
}

/// The outcome of all items.
struct Outcome {
  std::atomic<int64_t> compiled = 0, there = 0, failed = 0;
  std::atomic<int> code = 0; ///< The exit code of the first failure.
};

void warmItem(const Console &console, tawa_runtime_t runtime, const Item &item, const std::string &target,
              tawa_policy_t policy, Outcome &outcome) {
  tawa_compile_request_t request = requestFor(*item.source, *item.args, item.config);
  request.policy = policy;
  ErrorSink error;
  uint32_t wasThere = 0;
  if (tawa_compile_to_cache(runtime, &request, target.empty() ? nullptr : target.c_str(), &wasThere, error)) {
    int none = 0;
    outcome.code.compare_exchange_strong(none, static_cast<int>(console.failed(error)));
    ++outcome.failed;
    return;
  }
  ++(wasThere ? outcome.there : outcome.compiled);
}

/// With a GPU, configurations are searched; without one, the performance model chooses until there is one.
tawa_policy_t policyFor(tawa_runtime_t runtime, const WarmOptions &given) {
  tawa_device_info_t device = TAWA_DEVICE_INFO_INIT;
  bool isGpu = !tawa_runtime_device_info(runtime, &device) && device.kind == TAWA_DEVICE_CUDA;
  return given.target.empty() && isGpu ? TAWA_POLICY_BLOCKING : TAWA_POLICY_PREDICTED;
}

void warmAll(const Console &console, tawa_runtime_t runtime, const Manifest &manifest, const WarmOptions &given,
             Outcome &outcome) {
  Progress progress(console.showsProgress());
  std::mutex mutex; // of the count: it never goes back
  size_t done = 0;
  tawa_policy_t policy = policyFor(runtime, given);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < manifest.items.size(); i = next++) {
      warmItem(console, runtime, manifest.items[i], given.target, policy, outcome);
      std::lock_guard lock(mutex);
      progress.show("warm", ++done, manifest.items.size(), manifest.items[i].source->path);
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(static_cast<size_t>(given.jobs), manifest.items.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

ExitCode openRuntimeOn(const Console &console, const WarmOptions &given, RuntimeHandle &runtime) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = given.target.empty() ? nullptr : "emulator"; // a target that is named needs no device
  options.cache_dir = given.cache.empty() ? nullptr : given.cache.c_str();
  options.frozen = TAWA_SWITCH_OFF;
  options.log_level = console.isQuiet() ? TAWA_LOG_ERROR : TAWA_LOG_DEFAULT;
  ErrorSink error;
  tawa_runtime_t opened = nullptr;
  if (tawa_runtime_create(&options, &opened, error))
    return console.failed(error);
  runtime.reset(opened);
  return ExitCode::Ok;
}

} // namespace

ExitCode runWarm(const Command &command, int count, char **arguments) {
  WarmOptions given;
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, files, kOneFile))
    return *code;
  Console console(given.json, given.quiet);
  if (given.jobs < 1)
    return console.failed(ExitCode::Usage, "--jobs wants a number from 1 on");
  Manifest manifest;
  if (ExitCode code = readManifest(console, files[0], manifest); code != ExitCode::Ok)
    return code;
  RuntimeHandle runtime;
  if (ExitCode code = openRuntimeOn(console, given, runtime); code != ExitCode::Ok)
    return code;
  Outcome outcome;
  warmAll(console, runtime.get(), manifest, given, outcome);
  if (given.json) {
    JsonWriter writer;
    writer.beginObject().integer("compiled", outcome.compiled).integer("there", outcome.there);
    writer.integer("failed", outcome.failed).endObject();
    std::fputs(writer.take().c_str(), stdout);
  } else {
    std::printf("compiled %lld, there already %lld, failed %lld\n", static_cast<long long>(outcome.compiled),
                static_cast<long long>(outcome.there), static_cast<long long>(outcome.failed));
  }
  return static_cast<ExitCode>(outcome.code.load());
}

} // namespace tawa::cli
