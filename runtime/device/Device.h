// Device: runs kernels. There are two, with the same contract: "cuda:N" and "emulator".
//
// A device is thread-safe. It allocates memory, and loads a KernelArtifact made for its kind as a LoadedKernel, which
// must not outlive it. Nothing here knows about logical arguments beyond what tensor maps and error messages need;
// runtime/jit fills parameter buffers.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/artifact/KernelArtifact.h"
#include "runtime/support/Log.h"
#include "runtime/support/Status.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tawa {

/// Addresses are numbers everywhere in the runtime; this converts one where a pointer is needed.
inline void *pointerTo(uint64_t address) {
  return reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr)
}

struct DeviceInfo {
  std::string name;        ///< "cuda:0", "emulator"
  std::string description; ///< For people.
  bool isEmulator = false;
  uint32_t computeMajor = 0;
  uint32_t computeMinor = 0;
  uint32_t multiprocessors = 0;
  uint32_t driverVersion = 0; ///< 1000 * major + 10 * minor
  uint32_t sharedBytesPerBlock = 0;
  uint64_t memoryBytes = 0;
  // Reported by the driver for runtime/hardware; 0 where unknown.
  uint32_t clockKHz = 0, memoryClockKHz = 0, memoryBusBits = 0, l2Bytes = 0;
  uint32_t sharedBytesPerMultiprocessor = 0, registersPerMultiprocessor = 0, threadsPerMultiprocessor = 0;
};

/// One launch, with a parameter buffer laid out as the artifact says.
struct LaunchRequest {
  std::array<uint32_t, 3> grid{1, 1, 1}; ///< None of them 0.
  const void *params = nullptr;
  size_t paramBytes = 0;
  void *stream = nullptr;
  std::span<const ArgumentValue> arguments; ///< The logical ones; the emulator bounds memory accesses by them.
  const char *emulatorSchedule = nullptr;   ///< Null: what the environment says.
};

/// Results of loading.
struct LoadInfo {
  uint32_t registersPerThread = 0;
  uint32_t localBytes = 0;
  uint32_t spillBytes = 0;
  uint32_t ptxVersion = 0;   ///< 10 * major + minor
  uint32_t residentCtas = 1; ///< CTAs of the kernel that the whole device holds at once.
  std::string log;           ///< Of the driver's compiler; empty where its cache had the kernel.
  /// A launch may begin before the one ahead in its stream is over, because the kernel itself waits for that.
  bool beginsEarly = false;
  double contextMilliseconds = 0; ///< Until a context was current: the first need of a primary one makes it.
  double linkMilliseconds = 0;    ///< PTX or host object to code in memory.
  double loadMilliseconds = 0;
};

struct DeviceTime {
  double milliseconds = 0;
  /// The device reached the work before all of it was enqueued, so that the time may include waits for the host.
  bool hostWasLate = false;
};

class LoadedKernel {
public:
  virtual ~LoadedKernel() = default;
  const LoadInfo &info() const { return facts; }

  /// Builds the 128 bytes of one tensor map at `map` (64-byte aligned) after checking every TMA rule.
  virtual Status encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value,
                                 void *map) const = 0;
  virtual Status launch(const LaunchRequest &request) const = 0;
  /// Makes the kernel ready in a CUcontext (null: the one that a launch of this thread would work in), so that its
  /// first launch there loads nothing.
  virtual Status load(void *context) const = 0;
  /// The CUfunction for the calling thread's context.
  virtual Result<void *> function() const = 0;

protected:
  LoadInfo facts;
};

class Device {
public:
  virtual ~Device() = default;
  const DeviceInfo &info() const { return facts; }
  virtual TargetKind target() const = 0;

  virtual Result<uint64_t> allocate(size_t size) = 0;
  virtual Status free(uint64_t address) = 0;
  /// Makes host memory, which stays the caller's, reachable for kernels at its own address.
  virtual Status registerHost(uint64_t address, size_t size) = 0;
  virtual Status unregisterHost(uint64_t address) = 0;
  virtual Status copyTo(uint64_t device, const void *host, size_t size) = 0;
  virtual Status copyFrom(void *host, uint64_t device, size_t size) = 0;
  virtual Status fill(uint64_t device, uint8_t value, size_t size) = 0;
  /// From one place of the device's memory to another; the two do not overlap.
  virtual Status copyWithin(uint64_t to, uint64_t from, size_t size) = 0;
  virtual Status synchronize(void *stream) = 0;
  /// Ok while kernels can run; Cuda once a fault has made the context useless for good. Waits for nothing.
  virtual Status check() = 0;

  virtual Result<std::unique_ptr<LoadedKernel>> load(const KernelArtifact &artifact) = 0;

  /// A kernel's cubin, made by the device's own means.
  virtual Result<std::string> cubin(const KernelArtifact &artifact) = 0;

  /// Times the work that `enqueue` puts on `stream`; waits for it.
  virtual Result<DeviceTime> time(void *stream, const std::function<Status()> &enqueue) = 0;

protected:
  DeviceInfo facts;
};

} // namespace tawa
