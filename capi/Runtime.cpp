// Runtimes: a device, a logger and the options that go with them.
#include "capi/boundary/Guard.h"
#include "capi/service/HostLoader.h"
#include "runtime/device/Registry.h"
#include "runtime/support/Environment.h"

using namespace tawa;
using namespace tawa::capi;

namespace {

struct RuntimeDeleter {
  void operator()(tawa_runtime *runtime) const { runtime->release(); }
};

Logger makeLogger(const tawa_runtime_options_t &options) {
  LogLevel level =
      options.log_level == TAWA_LOG_DEFAULT ? logLevelFromEnvironment() : static_cast<LogLevel>(options.log_level);
  if (!options.log)
    return Logger(level);
  return Logger(level, [log = options.log, user = options.log_user](LogLevel at, const std::string &message) {
    log(user, static_cast<tawa_log_level_t>(at), message.c_str());
  });
}

void warnAboutVariables(const Logger &log) {
  for (const std::string &complaint : env::malformedValues())
    log.warning([&] { return "environment: " + complaint; });
  for (const std::string &name : env::unknownNames())
    log.warning(
        [&] { return "environment variable " + name + " is not one of Tawa's; tawa_environment_help() lists them"; });
}

store::StoreOptions storeOptions(const tawa_runtime_options_t &options) {
  store::StoreOptions chosen = store::storeOptionsFromEnvironment();
  if (options.cache_dir)
    chosen.folder = options.cache_dir;
  if (options.cache_readonly)
    chosen.readOnly.assign(options.cache_readonly, options.cache_readonly + options.num_cache_readonly);
  if (options.cache_max_bytes)
    chosen.maxBytes = options.cache_max_bytes;
  return chosen;
}

Status checkReadOnlyCaches(const tawa_runtime_options_t &options) {
  constexpr uint32_t kMostCaches = 1024; // a larger number was never set
  uint32_t count = options.num_cache_readonly;
  if (count > kMostCaches)
    return {StatusCode::InvalidArgument, "num_cache_readonly is " + std::to_string(count) + "; at most " +
                                             std::to_string(kMostCaches) + " are read"};
  if (count && !options.cache_readonly)
    return nullArgument("cache_readonly, of which num_cache_readonly names elements,");
  for (uint32_t i = 0; i < count; ++i)
    if (!options.cache_readonly[i])
      return nullArgument(("cache_readonly[" + std::to_string(i) + "]").c_str());
  return Status::ok();
}

/// What the environment says, or CACHED; nothing for a word that is none.
std::optional<tawa_policy_t> policyFromEnvironment() {
  std::string word = env::get(env::Variable::Policy).value_or("cached");
  constexpr std::pair<std::string_view, tawa_policy_t> words[] = {{"never", TAWA_POLICY_NEVER},
                                                                  {"cached", TAWA_POLICY_CACHED},
                                                                  {"background", TAWA_POLICY_BACKGROUND},
                                                                  {"blocking", TAWA_POLICY_BLOCKING},
                                                                  {"predicted", TAWA_POLICY_PREDICTED}};
  for (const auto &[name, policy] : words)
    if (word == name)
      return policy;
  return std::nullopt;
}

Status choosePolicy(const tawa_runtime_options_t &options, tawa_policy_t &policy) {
  if (static_cast<unsigned>(options.policy) > TAWA_POLICY_PREDICTED)
    return {StatusCode::InvalidArgument, "policy " + std::to_string(options.policy) + " is no tawa_policy_t"};
  std::optional<tawa_policy_t> chosen =
      options.policy == TAWA_POLICY_DEFAULT ? policyFromEnvironment() : std::optional(options.policy);
  if (!chosen)
    return {StatusCode::InvalidArgument, std::string(env::name(env::Variable::Policy)) +
                                             " must be never, cached, predicted, background or blocking"};
  policy = *chosen;
  return Status::ok();
}

Status create(const tawa_runtime_options_t &options, tawa_runtime_t *created) {
  if (static_cast<unsigned>(options.frozen) > TAWA_SWITCH_OFF)
    return {StatusCode::InvalidArgument, "frozen " + std::to_string(options.frozen) + " is no tawa_switch_t"};
  if (static_cast<unsigned>(options.log_level) > TAWA_LOG_DEBUG)
    return {StatusCode::InvalidArgument, "log_level " + std::to_string(options.log_level) + " is no tawa_log_level_t"};
  if (Status status = checkReadOnlyCaches(options); !status)
    return status;
  std::unique_ptr<tawa_runtime, RuntimeDeleter> runtime(new tawa_runtime);
  if (Status status = choosePolicy(options, runtime->policy); !status)
    return status;
  runtime->log = makeLogger(options);
  runtime->generation = forkGeneration();
  runtime->dumpDirectory =
      options.dump_dir ? options.dump_dir : env::get(env::Variable::DumpDir).value_or(std::string());
  runtime->dumpsPasses = env::flag(env::Variable::DumpPasses, false);
  runtime->store = std::make_unique<store::Store>(storeOptions(options), runtime->log);
  runtime->isFrozen = options.frozen == TAWA_SWITCH_DEFAULT ? env::flag(env::Variable::Frozen, false)
                                                            : options.frozen == TAWA_SWITCH_ON;
  warnAboutVariables(runtime->log);
  DeviceOptions device{orEmpty(options.device), options.cuda_context, hostObjectLoader()};
  Result<std::unique_ptr<Device>> opened = openDevice(device, runtime->log);
  if (!opened)
    return opened.status();
  runtime->device = std::move(*opened);
  const DeviceInfo &info = runtime->device->info();
  runtime->log.info([&] { return "device " + info.name + ": " + info.description; });
  *created = runtime.release();
  return Status::ok();
}

} // namespace

extern "C" {

tawa_status_t tawa_runtime_create(const tawa_runtime_options_t *options, tawa_runtime_t *runtime, tawa_error_t *error) {
  clear(runtime);
  return guard(error, [&]() -> Status {
    if (!runtime)
      return nullArgument("runtime");
    tawa_runtime_options_t ours = TAWA_RUNTIME_OPTIONS_INIT;
    if (options)
      if (Status status = readStruct(options, ours); !status)
        return status;
    return create(ours, runtime);
  });
}

void tawa_runtime_retain(tawa_runtime_t runtime) {
  if (runtime)
    runtime->retain();
}

void tawa_runtime_release(tawa_runtime_t runtime) {
  if (runtime)
    runtime->release();
}

tawa_status_t tawa_runtime_device_info(tawa_runtime_t runtime, tawa_device_info_t *info) {
  return guard(on(runtime, [&](tawa_runtime &self) -> Status {
    const DeviceInfo &device = self.device->info();
    tawa_device_info_t ours = TAWA_DEVICE_INFO_INIT;
    ours.name = device.name.c_str();
    ours.description = device.description.c_str();
    ours.kind = device.isEmulator ? TAWA_DEVICE_EMULATOR : TAWA_DEVICE_CUDA;
    ours.compute_major = device.computeMajor;
    ours.compute_minor = device.computeMinor;
    ours.multiprocessors = device.multiprocessors;
    ours.driver_version = device.driverVersion;
    ours.shared_bytes_per_block = device.sharedBytesPerBlock;
    ours.memory_bytes = device.memoryBytes;
    return writeStruct(info, ours);
  }));
}

tawa_status_t tawa_runtime_cache_counters(tawa_runtime_t runtime, tawa_cache_counters_t *counters) {
  return guard(on(runtime, [&](tawa_runtime &self) -> Status {
    store::StoreCounters counts = self.store->counters();
    tawa_cache_counters_t ours = TAWA_CACHE_COUNTERS_INIT;
    ours.hits = counts.hits;
    ours.misses = counts.misses;
    ours.writes = counts.writes;
    ours.faults = counts.faults;
    ours.compiles = self.compiles;
    ours.trials = self.trials;
    return writeStruct(counters, ours);
  }));
}

} // extern "C"
