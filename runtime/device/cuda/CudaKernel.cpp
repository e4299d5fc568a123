// Linking, loading per context, tensor maps and launches of one kernel.
#include "runtime/device/cuda/CudaKernel.h"

#include "runtime/device/TensorMapRules.h"
#include "runtime/device/cuda/JitLog.h"
#include "runtime/device/cuda/Linker.h"

#include <chrono>

namespace tawa::cuda {

namespace {

constexpr uint32_t kSharedWithoutAsking = 48 * 1024; // more needs a function attribute
constexpr uint32_t kPortableCluster = 8;             // likewise

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

CUtensorMapDataType mapType(ElementType type) {
  switch (type) {
  case ElementType::I16:
    return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  case ElementType::I32:
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  case ElementType::I64:
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  case ElementType::F16:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case ElementType::BF16:
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  case ElementType::F32:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  case ElementType::F64:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::F8E4M3:
  case ElementType::F8E5M2:
    return CU_TENSOR_MAP_DATA_TYPE_UINT8; // TMA only moves bytes; it need not know what they mean
  }
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

uint32_t clusterSize(const LaunchMetadata &meta) { return meta.cluster[0] * meta.cluster[1] * meta.cluster[2]; }

Status checkDevice(const DeviceInfo &device, const KernelArtifact &artifact) {
  if (artifact.target != TargetKind::Ptx)
    return {StatusCode::TargetMismatch, "kernel '" + artifact.entry + "' was compiled for the emulator, not for " +
                                            device.name};
  if (device.computeMajor != 9 || device.computeMinor != 0)
    return {StatusCode::TargetMismatch, "kernel '" + artifact.entry + "' is sm_90a code; " + device.name + " (" +
                                            device.description + ") has compute capability " +
                                            std::to_string(device.computeMajor) + "." +
                                            std::to_string(device.computeMinor)};
  if (artifact.launch.sharedBytes > device.sharedBytesPerBlock)
    return {StatusCode::Unsupported, "kernel '" + artifact.entry + "' needs " +
                                         std::to_string(artifact.launch.sharedBytes) + " bytes of shared memory, " +
                                         device.name + " has " + std::to_string(device.sharedBytesPerBlock) +
                                         " per CTA; choose a smaller tile or D"};
  return Status::ok();
}

} // namespace

Result<std::unique_ptr<LoadedKernel>> CudaKernel::create(const Driver &driver, const ContextSource &contexts,
                                                         const DeviceInfo &device, const Logger &log,
                                                         const KernelArtifact &artifact) {
  if (Status status = checkDevice(device, artifact); !status)
    return status;
  Result<ContextRef> context = contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  std::unique_ptr<CudaKernel> kernel(new CudaKernel(driver, contexts, artifact));
  if (Status status = kernel->link(artifact, log); !status)
    return status;
  Stopwatch watch;
  Result<const Instance *> instance = kernel->load(*context);
  if (!instance)
    return instance.status();
  kernel->facts.loadMilliseconds = watch.milliseconds();
  if (Status status = kernel->describe(**instance); !status)
    return status;
  return std::unique_ptr<LoadedKernel>(std::move(kernel));
}

CudaKernel::~CudaKernel() {
  Instance *instance = instances.load();
  while (instance) {
    // A context that is gone has taken its modules along; its number tells it from a new one at the same address.
    unsigned long long id = 0;
    bool alive = driver.cuCtxGetId(instance->context.handle, &id) == CUDA_SUCCESS && id == instance->context.id;
    if (alive) {
      ContextRef context = instance->context;
      context.isCurrent = false;
      ContextScope scope(driver, context);
      driver.cuModuleUnload(instance->module);
    }
    delete std::exchange(instance, instance->next);
  }
}

Status CudaKernel::link(const KernelArtifact &artifact, const Logger &log) {
  Stopwatch watch;
  Result<LinkedCode> code = linkPtx(driver, artifact.code, artifact.entry);
  if (!code)
    return code.status();
  facts.linkMilliseconds = watch.milliseconds();
  facts.cubin = std::move(code->cubin);
  facts.log = std::move(code->log);
  facts.spillBytes = spillBytes(facts.log);
  facts.ptxVersion = ptxVersion(artifact.code);
  if (std::string notices = otherNotices(facts.log); !notices.empty())
    log.warning([&] { return "kernel '" + entry + "': " + notices; });
  return Status::ok();
}

Result<const CudaKernel::Instance *> CudaKernel::load(const ContextRef &context) const {
  std::lock_guard lock(loading);
  if (const Instance *there = find(context))
    return there;
  auto instance = std::make_unique<Instance>();
  instance->context = context;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuModuleLoadData, &instance->module, facts.cubin.data()); !status)
    return status;
  if (Status status = prepare(*instance); !status) {
    driver.cuModuleUnload(instance->module);
    return status;
  }
  instance->next = instances.load(std::memory_order_relaxed);
  instances.store(instance.get(), std::memory_order_release);
  return static_cast<const Instance *>(instance.release());
}

/// Finds the function and sets what a launch relies on, so that launching never has to.
Status CudaKernel::prepare(Instance &instance) const {
  CUfunction &function = instance.function;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuModuleGetFunction, &function, instance.module, entry.c_str()); !status)
    return status;
  if (driver.cuFuncLoad) // with lazy loading the code would else be loaded by the first launch
    if (Status status = TAWA_CUDA_CHECKED(driver, cuFuncLoad, function); !status)
      return status;
  if (meta.sharedBytes > kSharedWithoutAsking)
    if (Status status =
            TAWA_CUDA_CHECKED(driver, cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              static_cast<int>(meta.sharedBytes));
        !status)
      return status;
  if (clusterSize(meta) > kPortableCluster)
    return TAWA_CUDA_CHECKED(driver, cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                             1);
  return Status::ok();
}

Status CudaKernel::describe(const Instance &instance) {
  int registers = 0;
  int local = 0;
  if (Status status =
          TAWA_CUDA_CHECKED(driver, cuFuncGetAttribute, &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, instance.function);
      !status)
    return status;
  if (Status status =
          TAWA_CUDA_CHECKED(driver, cuFuncGetAttribute, &local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, instance.function);
      !status)
    return status;
  facts.registersPerThread = static_cast<uint32_t>(registers);
  facts.localBytes = static_cast<uint32_t>(local);
  return Status::ok();
}

const CudaKernel::Instance *CudaKernel::find(const ContextRef &context) const {
  const Instance *instance = instances.load(std::memory_order_acquire);
  while (instance && (instance->context.handle != context.handle || instance->context.id != context.id))
    instance = instance->next;
  return instance;
}

Result<const CudaKernel::Instance *> CudaKernel::findOrLoad(const ContextRef &context, CUstream stream) const {
  if (const Instance *instance = find(context))
    return instance;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  if (stream)
    driver.cuStreamIsCapturing(stream, &capture);
  if (capture != CU_STREAM_CAPTURE_STATUS_NONE)
    return Status(StatusCode::CaptureUnsafe, "kernel '" + entry +
                                                 "' is not loaded in this context yet, and its stream is being "
                                                 "captured; launch it once before, or ask for its function");
  return load(context);
}

Status CudaKernel::encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value,
                                   void *map) const {
  Result<TensorMapGeometry> geometry = tensorMapGeometry(recipe, argument, value);
  if (!geometry)
    return geometry.status();
  static constexpr uint32_t everyElement[kMaxTensorMapRank] = {1, 1, 1, 1, 1};
  return TAWA_CUDA_CHECKED(
      driver, cuTensorMapEncodeTiled, static_cast<CUtensorMap *>(map), mapType(recipe.elementType), geometry->rank,
      reinterpret_cast<void *>(geometry->address), geometry->dims.data(), geometry->strideBytes.data(),
      geometry->box.data(), everyElement, CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(recipe.swizzle),
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, static_cast<CUtensorMapFloatOOBfill>(recipe.fill));
}

Status CudaKernel::launch(const LaunchRequest &request) const {
  auto stream = static_cast<CUstream>(request.stream);
  Result<ContextRef> context = contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  Result<const Instance *> instance = findOrLoad(*context, stream);
  if (!instance)
    return instance.status();

  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {meta.cluster[0], meta.cluster[1], meta.cluster[2]};
  CUlaunchConfig config{request.grid[0], request.grid[1],  request.grid[2], meta.threads, 1, 1,
                        meta.sharedBytes, stream, &cluster, clusterSize(meta) > 1 ? 1u : 0u};
  size_t paramBytes = request.paramBytes;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<void *>(request.params), CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &paramBytes, CU_LAUNCH_PARAM_END};
  return TAWA_CUDA_CHECKED(driver, cuLaunchKernelEx, &config, (*instance)->function, nullptr, extra);
}

Result<void *> CudaKernel::function() const {
  Result<ContextRef> context = contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  Result<const Instance *> instance = findOrLoad(*context, nullptr);
  if (!instance)
    return instance.status();
  return static_cast<void *>((*instance)->function);
}

} // namespace tawa::cuda
