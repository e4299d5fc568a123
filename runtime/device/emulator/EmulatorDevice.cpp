// Schedules and launches of the emulator device.
#include "runtime/device/emulator/EmulatorDevice.h"

#include "runtime/artifact/ParamLayout.h"
#include "runtime/device/TensorMapRules.h"
#include "runtime/device/emulator/MemoryTable.h"
#include "runtime/hardware/Builtin.h"
#include "runtime/hardware/HardwareDescription.h"
#include "runtime/support/Environment.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

namespace tawa {

namespace {

/// Not the actual concurrency (host threads determine that), but the number reported to kernels that size their grid by
/// it.
uint32_t pretendedMultiprocessors() {
  uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
  return env::count(env::Variable::EmuMultiprocessors).value_or(threads);
}

/// CTAs of a kernel on one multiprocessor.
uint32_t ctasPerMultiprocessor(const LaunchMetadata &meta) {
  const HardwareDescription &has = defaultHardware();
  double threads = std::max(meta.threads, 1u), registers = std::max(meta.registersPerThread, 1u);
  double most = std::min({has.ctasPerMultiprocessor, has.threadsPerMultiprocessor / threads,
                          has.registersPerMultiprocessor / (threads * registers),
                          has.sharedPerMultiprocessor / (meta.sharedBytes + has.sharedReservedPerBlock)});
  return std::max(1u, static_cast<uint32_t>(most));
}

struct alignas(kTensorMapBytes) Line {
  std::byte bytes[kTensorMapBytes];
};

/// Global memory that a launch brings along, zero at first.
class LaunchMemory {
public:
  explicit LaunchMemory(uint64_t bytes) : lines((bytes + sizeof(Line) - 1) / sizeof(Line)) {}
  uint64_t bytes() const { return lines.size() * sizeof(Line); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(lines.data()); }
  emu::MemoryRegion region(const char *name) { return {lines.data(), bytes(), name, true}; }

private:
  std::vector<Line> lines;
};

/// A copy of a launch's parameters with the addresses of such memory.
class ParamsOfLaunch {
public:
  explicit ParamsOfLaunch(const LaunchRequest &request)
      : lines((request.paramBytes + sizeof(Line) - 1) / sizeof(Line)) {
    std::memcpy(lines.data(), request.params, request.paramBytes);
  }
  void set(uint32_t offset, uint64_t address) {
    std::memcpy(reinterpret_cast<std::byte *>(lines.data()) + offset, &address, sizeof address);
  }
  const void *data() const { return lines.data(); }

private:
  std::vector<Line> lines;
};

/// The workspaces that no launch uses at the moment. Streams do not order launches here: each takes one, and gives it
/// back as the next launch is to find it.
class Workspaces {
public:
  LaunchMemory take(uint64_t bytes) {
    std::lock_guard lock(mutex);
    auto found = std::ranges::find_if(unused, [&](const LaunchMemory &each) { return each.bytes() >= bytes; });
    if (found == unused.end())
      return LaunchMemory(bytes);
    LaunchMemory taken = std::move(*found);
    unused.erase(found);
    return taken;
  }
  void giveBack(LaunchMemory memory) {
    std::lock_guard lock(mutex);
    unused.push_back(std::move(memory));
  }

private:
  std::mutex mutex;
  std::vector<LaunchMemory> unused;
};

class EmulatorKernel final : public LoadedKernel {
public:
  EmulatorKernel(const KernelArtifact &artifact, HostCode code, const MemoryTable &memory, uint32_t multiprocessors,
                 double milliseconds)
      : code(std::move(code)), memory(memory), meta(artifact.launch) {
    for (const LogicalArgument &argument : artifact.arguments)
      names.push_back(argument.name);
    for (const KernelParam &param : artifact.params)
      if (param.source == KernelParam::Source::Scratch)
        scratchOffset = param.offset;
      else if (param.source == KernelParam::Source::Workspace)
        workspaceOffset = param.offset;
    facts.registersPerThread = artifact.launch.registersPerThread;
    facts.residentCtas = multiprocessors * ctasPerMultiprocessor(meta);
    facts.linkMilliseconds = milliseconds;
  }

  Status encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value,
                         void *map) const override;
  Status launch(const LaunchRequest &request) const override;
  Status load(void *) const override { return Status::ok(); } // nothing is per context here
  Result<void *> function() const override {
    return Status(StatusCode::Unsupported, "the emulator has no CUfunction; use device cuda:N");
  }

private:
  Result<emu::MemoryRegion> regionOf(const std::string &name, const ArgumentValue &value) const;
  Result<std::vector<emu::MemoryRegion>> regions(std::span<const ArgumentValue> arguments) const;
  emu::LaunchConfig configFor(const LaunchRequest &request) const;

  HostCode code;
  const MemoryTable &memory;
  LaunchMetadata meta;
  std::vector<std::string> names;        // of the logical arguments
  std::optional<uint32_t> scratchOffset; // of the parameter with the address of scratch memory
  std::optional<uint32_t> workspaceOffset;
  mutable Workspaces workspaces;
};

class EmulatorDevice final : public Device {
public:
  EmulatorDevice(HostObjectLoader loader, const std::string &note) : loader(std::move(loader)) {
    facts.name = "emulator";
    facts.description = "emulated Hopper SM on the CPU" + (note.empty() ? "" : " (" + note + ")");
    facts.isEmulator = true;
    facts.computeMajor = 9;
    facts.multiprocessors = pretendedMultiprocessors();
    facts.sharedBytesPerBlock = emu::maxSharedBytes();
  }

  TargetKind target() const override { return TargetKind::Host; }
  Result<uint64_t> allocate(size_t size) override { return memory.allocate(size); }
  Status free(uint64_t address) override { return memory.free(address); }
  Status registerHost(uint64_t address, size_t size) override { return memory.registerHost(address, size); }
  Status unregisterHost(uint64_t address) override { return memory.unregisterHost(address); }
  Status copyTo(uint64_t device, const void *host, size_t size) override;
  Status copyFrom(void *host, uint64_t device, size_t size) override;
  Status fill(uint64_t device, uint8_t value, size_t size) override;
  Status copyWithin(uint64_t to, uint64_t from, size_t size) override;
  Status synchronize(void *) override { return Status::ok(); } // launches have finished when they return
  Status check() override { return Status::ok(); }             // a kernel that was stopped leaves nothing broken
  Result<std::unique_ptr<LoadedKernel>> load(const KernelArtifact &artifact) override;
  Result<std::string> cubin(const KernelArtifact &) override {
    return Status(StatusCode::NoDevice, "the emulator makes no cubins; install ptxas or use device cuda:N");
  }
  Result<DeviceTime> time(void *, const std::function<Status()> &) override {
    return Status(StatusCode::Unsupported, "the emulator's time says nothing about a GPU's; use device cuda:N");
  }

private:
  HostObjectLoader loader;
  MemoryTable memory;
};

Status EmulatorKernel::encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument,
                                       const ArgumentValue &value, void *map) const {
  Result<TensorMapGeometry> geometry = tensorMapGeometry(recipe, argument, value);
  if (!geometry)
    return geometry.status();
  emu::TensorMapFields fields;
  fields.base = geometry->address;
  fields.type = recipe.elementType;
  fields.rank = geometry->rank;
  fields.strides[0] = elementBytes(recipe.elementType);
  for (uint32_t d = 0; d < geometry->rank; ++d) {
    fields.dims[d] = geometry->dims[d];
    fields.box[d] = geometry->box[d];
    if (d > 0)
      fields.strides[d] = geometry->strideBytes[d - 1];
  }
  fields.swizzle = recipe.swizzle;
  fields.fill = recipe.fill;
  emu::encodeTensorMap(fields, map);
  return Status::ok();
}

/// The memory of an argument: the tensor's own extent where it has a shape, else the block around it.
Result<emu::MemoryRegion> EmulatorKernel::regionOf(const std::string &name, const ArgumentValue &value) const {
  auto refuse = [&](const std::string &what) {
    return Status(StatusCode::InvalidArgument, "argument '" + name + "': " + what);
  };
  std::optional<TensorExtent> extent = value.rank ? extentOf(value) : TensorExtent{value.address, 1};
  if (!extent)
    return refuse("its shape and strides lead out of the address space");
  if (extent->bytes == 0)
    return emu::MemoryRegion{pointerTo(extent->base), 0, name, true};
  std::optional<MemoryBlock> block = memory.find(value.address);
  if (!block)
    return refuse("address " + std::to_string(value.address) +
                  " is in no memory of the emulator; allocate it with tawa_memory_allocate(), or make host memory "
                  "known with tawa_memory_register()");
  if (value.rank == 0)
    return emu::MemoryRegion{pointerTo(block->base), block->size, name, true};
  if (!block->holds(extent->base, extent->bytes))
    return refuse("its tensor spans " + std::to_string(extent->bytes) + " bytes and leaves its " +
                  (block->isRegistered ? "registered memory" : "allocation") + " of " + std::to_string(block->size) +
                  " bytes");
  return emu::MemoryRegion{pointerTo(extent->base), extent->bytes, name, true};
}

Result<std::vector<emu::MemoryRegion>> EmulatorKernel::regions(std::span<const ArgumentValue> arguments) const {
  std::vector<emu::MemoryRegion> regions;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != LogicalArgument::Kind::Tensor || arguments[i].address == 0)
      continue;
    Result<emu::MemoryRegion> region = regionOf(names[i], arguments[i]);
    if (!region)
      return region.status();
    if (region->bytes)
      regions.push_back(std::move(*region));
  }
  return regions;
}

emu::LaunchConfig EmulatorKernel::configFor(const LaunchRequest &request) const {
  emu::LaunchConfig config;
  for (int i = 0; i < 3; ++i) {
    config.grid[i] = request.grid[i];
    config.cluster[i] = meta.cluster[i];
  }
  config.threads = meta.threads;
  config.sharedBytes = meta.sharedBytes;
  config.registersPerThread = meta.registersPerThread;
  return config;
}

Result<emu::Schedule> scheduleFor(const LaunchRequest &request) {
  if (request.emulatorSchedule)
    return parseSchedule(request.emulatorSchedule);
  if (auto text = env::get(env::Variable::EmuSchedule))
    return parseSchedule(*text);
  return emu::Schedule::eager();
}

Result<std::chrono::duration<double>> limitOfTime() {
  constexpr double kDefaultSeconds = 600;
  auto text = env::get(env::Variable::EmuSeconds);
  if (!text)
    return std::chrono::duration<double>(kDefaultSeconds);
  double seconds = 0;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (error == std::errc() && end == text->data() + text->size() && seconds >= 0)
    return std::chrono::duration<double>(seconds);
  return Status(StatusCode::InvalidArgument, std::string(env::name(env::Variable::EmuSeconds)) + " is '" + *text +
                                                 "', not a number of seconds (0: no limit)");
}

/// How a launch without a limit, or with another one, is made.
Status withRemedy(const Status &status) {
  if (status.code() != StatusCode::Timeout)
    return status;
  return {StatusCode::Timeout,
          status.message() + "; " + env::name(env::Variable::EmuSeconds) + " sets another limit, 0 none"};
}

Status EmulatorKernel::launch(const LaunchRequest &request) const {
  Result<std::vector<emu::MemoryRegion>> memoryRegions = regions(request.arguments);
  if (!memoryRegions)
    return memoryRegions.status();
  Result<emu::Schedule> schedule = scheduleFor(request);
  if (!schedule)
    return schedule.status();
  Result<std::chrono::duration<double>> limit = limitOfTime();
  if (!limit)
    return limit.status();
  emu::LaunchOptions options;
  options.schedule = *schedule;
  options.limit = *limit;
  options.detectRaces = env::flag(env::Variable::EmuRaces, true);
  ParamsOfLaunch params(request);
  LaunchMemory scratch(scratchOffset ? scratchBytes(meta, request.grid) : 0),
      workspace = workspaces.take(workspaceOffset ? workspaceBytes(meta, request.grid) : 0);
  if (scratchOffset) {
    params.set(*scratchOffset, scratch.address());
    memoryRegions->push_back(scratch.region("scratch memory"));
  }
  if (workspaceOffset) {
    params.set(*workspaceOffset, workspace.address());
    memoryRegions->push_back(workspace.region("workspace"));
  }
  Status status = emu::launch(code.entry, params.data(), static_cast<uint32_t>(request.paramBytes), configFor(request),
                              *memoryRegions, options);
  if (status && workspaceOffset)
    workspaces.giveBack(std::move(workspace));
  return withRemedy(status);
}

Status EmulatorDevice::copyTo(uint64_t device, const void *host, size_t size) {
  Status status = memory.check(device, size);
  if (status && size)
    std::memcpy(pointerTo(device), host, size);
  return status;
}

Status EmulatorDevice::copyFrom(void *host, uint64_t device, size_t size) {
  Status status = memory.check(device, size);
  if (status && size)
    std::memcpy(host, pointerTo(device), size);
  return status;
}

Status EmulatorDevice::fill(uint64_t device, uint8_t value, size_t size) {
  Status status = memory.check(device, size);
  if (status && size)
    std::memset(pointerTo(device), value, size);
  return status;
}

Status EmulatorDevice::copyWithin(uint64_t to, uint64_t from, size_t size) {
  for (uint64_t address : {to, from})
    if (Status status = memory.check(address, size); !status)
      return status;
  if (size)
    std::memcpy(pointerTo(to), pointerTo(from), size);
  return Status::ok();
}

Result<std::unique_ptr<LoadedKernel>> EmulatorDevice::load(const KernelArtifact &artifact) {
  if (artifact.target != TargetKind::Host)
    return Status(StatusCode::TargetMismatch,
                  "kernel '" + artifact.entry + "' was compiled for a GPU, not for the emulator");
  if (artifact.launch.sharedBytes > emu::maxSharedBytes())
    return Status(StatusCode::Unsupported,
                  "kernel '" + artifact.entry + "' needs " + std::to_string(artifact.launch.sharedBytes) +
                      " bytes of shared memory, a Hopper SM has " + std::to_string(emu::maxSharedBytes()) +
                      " per CTA; choose a smaller tile or D");
  auto start = std::chrono::steady_clock::now();
  Result<HostCode> code = loader(artifact.code, artifact.entry);
  if (!code)
    return code.status();
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  return std::unique_ptr<LoadedKernel>(
      std::make_unique<EmulatorKernel>(artifact, std::move(*code), memory, facts.multiprocessors, spent.count()));
}

} // namespace

std::unique_ptr<Device> openEmulator(HostObjectLoader loader, const std::string &note) {
  return std::make_unique<EmulatorDevice>(std::move(loader), note);
}

Result<emu::Schedule> parseSchedule(std::string_view text) {
  constexpr std::string_view random = "late-random";
  if (text == "eager")
    return emu::Schedule::eager();
  if (text == "wgmma-late")
    return emu::Schedule::wgmmaLate();
  if (text == random)
    return emu::Schedule::lateRandom(0);
  uint64_t seed = 0;
  if (text.starts_with(random) && text.size() > random.size() + 1 && text[random.size()] == ':') {
    std::string_view digits = text.substr(random.size() + 1);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (error == std::errc() && end == digits.data() + digits.size())
      return emu::Schedule::lateRandom(seed);
  }
  return Status(StatusCode::InvalidArgument, "emulator schedule '" + std::string(text) +
                                                 "' is none of eager, wgmma-late, late-random, late-random:SEED");
}

} // namespace tawa
