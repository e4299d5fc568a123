// Device selection, memory and timing on a GPU; kernels are in CudaKernel.cpp.
#include "runtime/device/cuda/CudaDevice.h"

#include "runtime/artifact/Target.h"
#include "runtime/device/cuda/CudaKernel.h"
#include "runtime/device/cuda/PtxCompiler.h"

#include <algorithm>

namespace tawa::cuda {

namespace {

constexpr unsigned kMapped = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;

class CudaDevice final : public Device {
public:
  CudaDevice(const Driver &driver, CUdevice handle, CUcontext given, const Logger &log)
      : driver(driver), contexts(driver, handle, given), log(log) {}
  Status describe(CUdevice handle, int ordinal);

  TargetKind target() const override { return TargetKind::Ptx; }
  Result<uint64_t> allocate(size_t size) override;
  Status free(uint64_t address) override;
  Status registerHost(uint64_t address, size_t size) override;
  Status unregisterHost(uint64_t address) override;
  Status copyTo(uint64_t device, const void *host, size_t size) override;
  Status copyFrom(void *host, uint64_t device, size_t size) override;
  Status fill(uint64_t device, uint8_t value, size_t size) override;
  Status copyWithin(uint64_t to, uint64_t from, size_t size) override;
  Status synchronize(void *stream) override;
  Status check() override;
  Result<std::unique_ptr<LoadedKernel>> load(const KernelArtifact &artifact) override {
    return CudaKernel::create(driver, contexts, facts, log, artifact);
  }
  Result<std::string> cubin(const KernelArtifact &artifact) override;
  Result<DeviceTime> time(void *stream, const std::function<Status()> &enqueue) override;

private:
  /// Runs `body` with our context current.
  template <typename Body> Status inContext(Body body) const {
    Result<ContextRef> context = contexts.resolve();
    if (!context)
      return context.status();
    ContextScope scope(driver, *context);
    return scope.status() ? body() : scope.status();
  }

  const Driver &driver;
  ContextSource contexts;
  const Logger &log;
};

/// Two events of a measurement, destroyed with it.
struct EventPair {
  const Driver &driver;
  CUevent start = nullptr;
  CUevent stop = nullptr;
  Status create() {
    if (Status status = TAWA_CUDA_CHECKED(driver, cuEventCreate, &start, 0); !status)
      return status;
    return TAWA_CUDA_CHECKED(driver, cuEventCreate, &stop, 0);
  }
  ~EventPair() {
    for (CUevent event : {start, stop})
      if (event)
        driver.cuEventDestroy(event);
  }
};

Status CudaDevice::describe(CUdevice handle, int ordinal) {
  char name[256] = "";
  size_t memory = 0;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuDeviceGetName, name, sizeof(name), handle); !status)
    return status;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuDeviceTotalMem, &memory, handle); !status)
    return status;
  const std::pair<CUdevice_attribute, uint32_t DeviceInfo::*> attributes[] = {
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &DeviceInfo::multiprocessors},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &DeviceInfo::computeMajor},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &DeviceInfo::computeMinor},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &DeviceInfo::sharedBytesPerBlock},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &DeviceInfo::clockKHz},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &DeviceInfo::memoryClockKHz},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &DeviceInfo::memoryBusBits},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &DeviceInfo::l2Bytes},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &DeviceInfo::sharedBytesPerMultiprocessor},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &DeviceInfo::registersPerMultiprocessor},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &DeviceInfo::threadsPerMultiprocessor},
  };
  for (auto [attribute, member] : attributes) {
    int value = 0;
    if (Status status = TAWA_CUDA_CHECKED(driver, cuDeviceGetAttribute, &value, attribute, handle); !status)
      return status;
    facts.*member = static_cast<uint32_t>(value);
  }
  facts.name = "cuda:" + std::to_string(ordinal);
  facts.description = name;
  facts.memoryBytes = memory;
  facts.driverVersion = static_cast<uint32_t>(driver.version);
  return Status::ok();
}

Result<uint64_t> CudaDevice::allocate(size_t size) {
  CUdeviceptr address = 0;
  Status status = inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemAlloc, &address, size); });
  if (!status)
    return status;
  return uint64_t{address};
}

Status CudaDevice::free(uint64_t address) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemFree, address); });
}

Status CudaDevice::registerHost(uint64_t address, size_t size) {
  return inContext([&]() -> Status {
    void *host = pointerTo(address);
    CUdeviceptr mapped = 0;
    if (Status status = TAWA_CUDA_CHECKED(driver, cuMemHostRegister, host, size, kMapped); !status)
      return status;
    Status status = TAWA_CUDA_CHECKED(driver, cuMemHostGetDevicePointer, &mapped, host, 0);
    if (status && mapped != address)
      status = {StatusCode::Unsupported, "this GPU gives registered host memory another address than the host has"};
    if (!status)
      driver.cuMemHostUnregister(host);
    return status;
  });
}

Status CudaDevice::unregisterHost(uint64_t address) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemHostUnregister, pointerTo(address)); });
}

Status CudaDevice::copyTo(uint64_t device, const void *host, size_t size) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemcpyHtoD, device, host, size); });
}

Status CudaDevice::copyFrom(void *host, uint64_t device, size_t size) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemcpyDtoH, host, device, size); });
}

Status CudaDevice::fill(uint64_t device, uint8_t value, size_t size) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemsetD8, device, value, size); });
}

Status CudaDevice::copyWithin(uint64_t to, uint64_t from, size_t size) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuMemcpyDtoD, to, from, size); });
}

Status CudaDevice::synchronize(void *stream) {
  return inContext([&] { return TAWA_CUDA_CHECKED(driver, cuStreamSynchronize, static_cast<CUstream>(stream)); });
}

/// Every call that concerns a context gives its error once a fault has ended it. This one puts nothing on a stream, so
/// that it is allowed while one is being captured.
Status CudaDevice::check() {
  return inContext([&] {
    size_t unused = 0, all = 0;
    return TAWA_CUDA_CHECKED(driver, cuMemGetInfo, &unused, &all);
  });
}

Result<std::string> CudaDevice::cubin(const KernelArtifact &artifact) {
  Result<std::string> bytes = std::string();
  Status status = inContext([&] {
    bytes = linkPtx(driver, artifact.code, artifact.entry);
    return bytes.status();
  });
  if (!status)
    return status;
  return bytes;
}

Result<DeviceTime> CudaDevice::time(void *stream, const std::function<Status()> &enqueue) {
  float milliseconds = 0;
  bool hostWasLate = false;
  auto cuStream = static_cast<CUstream>(stream);
  Status status = inContext([&]() -> Status {
    EventPair events{driver};
    if (Status status = events.create(); !status)
      return status;
    if (Status status = TAWA_CUDA_CHECKED(driver, cuEventRecord, events.start, cuStream); !status)
      return status;
    if (Status status = enqueue(); !status)
      return status;
    if (Status status = TAWA_CUDA_CHECKED(driver, cuEventRecord, events.stop, cuStream); !status)
      return status;
    hostWasLate = driver.cuEventQuery(events.start) == CUDA_SUCCESS;
    if (Status status = TAWA_CUDA_CHECKED(driver, cuEventSynchronize, events.stop); !status)
      return status;
    return TAWA_CUDA_CHECKED(driver, cuEventElapsedTime, &milliseconds, events.start, events.stop);
  });
  if (!status)
    return status;
  return DeviceTime{milliseconds, hostWasLate};
}

/// Ordinal of the device that a context belongs to. Devices are numbered from 0, and a CUdevice is that number.
Result<int> ordinalOf(const Driver &driver, CUcontext context) {
  ContextScope scope(driver, {context, 0, false});
  CUdevice device = -1;
  if (!scope.status())
    return scope.status();
  if (Status status = TAWA_CUDA_CHECKED(driver, cuCtxGetDevice, &device); !status)
    return status;
  return int{device};
}

struct Capability {
  uint32_t major = 0, minor = 0;
};
Capability capabilityOf(const Driver &driver, int ordinal) {
  int major = 0, minor = 0;
  driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal);
  driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal);
  return {static_cast<uint32_t>(major), static_cast<uint32_t>(minor)};
}

/// The first device that runs code for the best architecture that any of them runs.
Result<int> firstUsable(const Driver &driver, int count) {
  std::string seen;
  for (std::string_view architecture : codeArchitectures()) {
    seen.clear();
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      Capability has = capabilityOf(driver, ordinal);
      if (runsCodeFor(architecture, has.major, has.minor))
        return ordinal;
      seen += " " + std::to_string(has.major) + "." + std::to_string(has.minor);
    }
  }
  return Status(StatusCode::NoDevice, "no GPU of compute capability 8.0 (Ampere) or later among " +
                                          std::to_string(count) + (seen.empty() ? "" : ":" + seen) +
                                          "; use device emulator");
}

Result<int> chooseOrdinal(const Driver &driver, const CudaOptions &options, int count) {
  if (options.context) {
    Result<int> ordinal = ordinalOf(driver, static_cast<CUcontext>(options.context));
    if (ordinal && options.ordinal >= 0 && options.ordinal != *ordinal)
      return Status(StatusCode::InvalidArgument, "device cuda:" + std::to_string(options.ordinal) +
                                                     " and the given CUcontext (on cuda:" + std::to_string(*ordinal) +
                                                     ") disagree");
    return ordinal;
  }
  if (options.ordinal < 0)
    return firstUsable(driver, count);
  if (options.ordinal >= count)
    return Status(StatusCode::NoDevice, "no device cuda:" + std::to_string(options.ordinal) + "; the driver shows " +
                                            std::to_string(count) + " (CUDA_VISIBLE_DEVICES may hide some)");
  return options.ordinal;
}

} // namespace

Result<std::unique_ptr<Device>> openCudaDevice(const CudaOptions &options, const Logger &log) {
  Result<const Driver *> driver = Driver::shared();
  if (!driver)
    return driver.status();
  int count = 0;
  if (Status status = TAWA_CUDA_CHECKED(**driver, cuDeviceGetCount, &count); !status)
    return status;
  Result<int> ordinal = chooseOrdinal(**driver, options, count);
  if (!ordinal)
    return ordinal.status();
  CUdevice handle = 0;
  if (Status status = TAWA_CUDA_CHECKED(**driver, cuDeviceGet, &handle, *ordinal); !status)
    return status;
  auto device = std::make_unique<CudaDevice>(**driver, handle, static_cast<CUcontext>(options.context), log);
  if (Status status = device->describe(handle, *ordinal); !status)
    return status;
  return std::unique_ptr<Device>(std::move(device));
}

} // namespace tawa::cuda
