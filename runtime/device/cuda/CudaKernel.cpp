// Linking, loading per context, tensor maps and launches of one kernel.
#include "runtime/device/cuda/CudaKernel.h"

#include "runtime/artifact/ParamLayout.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/Target.h"
#include "runtime/device/PtxLog.h"
#include "runtime/device/TensorMapRules.h"
#include "runtime/device/cuda/PtxCompiler.h"

#include <algorithm>
#include <chrono>

namespace tawa::cuda {

namespace {

constexpr uint32_t kSharedWithoutAsking = 48 * 1024; // more needs a function attribute

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

CUlaunchAttribute clusterAttribute(const LaunchMetadata &meta) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {meta.cluster[0], meta.cluster[1], meta.cluster[2]};
  return attribute;
}

/// The launch may begin before the previous one in its stream is over. Only for code that waits for it itself.
CUlaunchAttribute mayBeginEarlyAttribute() {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  return attribute;
}

Status checkDevice(const DeviceInfo &device, const KernelArtifact &artifact) {
  if (artifact.target != TargetKind::Ptx)
    return {StatusCode::TargetMismatch,
            "kernel '" + artifact.entry + "' was compiled for the emulator, not for " + device.name};
  std::string architecture = architectureOf(artifact.gpu);
  if (!runsCodeFor(architecture, device.computeMajor, device.computeMinor))
    return {StatusCode::TargetMismatch, "kernel '" + artifact.entry + "' is " + architecture + " code; " + device.name +
                                            " (" + device.description + ") has compute capability " +
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
  Stopwatch entering;
  Result<ContextRef> context = contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  std::unique_ptr<CudaKernel> kernel(new CudaKernel(driver, contexts, device, artifact));
  kernel->facts.contextMilliseconds = entering.milliseconds();
  Result<const Instance *> instance = kernel->loadInto(*context, kernel->facts);
  if (!instance)
    return instance.status();
  if (std::string notices = otherNotices(kernel->facts.log); !notices.empty())
    log.warning([&] { return "kernel '" + artifact.entry + "': " + notices; });
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
      instance->workspaces.free(driver);
    }
    delete std::exchange(instance, instance->next);
  }
}

Result<const CudaKernel::Instance *> CudaKernel::loadInto(const ContextRef &context, LoadInfo &info) const {
  std::lock_guard lock(loading);
  if (const Instance *there = find(context))
    return there;
  Stopwatch compiling;
  Result<LoadedPtx> loaded = loadPtx(driver, ptx, entry);
  if (!loaded)
    return loaded.status();
  info.linkMilliseconds = compiling.milliseconds();
  info.log = std::move(loaded->log);
  Stopwatch preparing;
  auto instance = std::make_unique<Instance>();
  instance->context = context;
  instance->module = loaded->module;
  Status status = prepare(*instance);
  if (status)
    status = describe(*instance, info);
  instance->residentCtas = info.residentCtas;
  if (!status) {
    driver.cuModuleUnload(instance->module);
    return status;
  }
  info.loadMilliseconds = preparing.milliseconds();
  instance->next = instances.load(std::memory_order_relaxed);
  instances.store(instance.get(), std::memory_order_release);
  return static_cast<const Instance *>(instance.release());
}

/// Looks up the function and sets the attributes of launches in advance.
Status CudaKernel::prepare(Instance &instance) const {
  CUfunction &function = instance.function;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuModuleGetFunction, &function, instance.module, entry.c_str());
      !status)
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
  if (clusterSize(meta) > kPortableCluster) // likewise
    return TAWA_CUDA_CHECKED(driver, cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                             1);
  return Status::ok();
}

/// The CTAs of a cluster share a group of SMs (GPC), so not every SM need find a place in a cluster.
Status CudaKernel::countResident(const Instance &instance, uint32_t &ctas) const {
  int count = 0;
  uint32_t each = clusterSize(meta);
  Status status;
  if (each == 1) {
    status = TAWA_CUDA_CHECKED(driver, cuOccupancyMaxActiveBlocksPerMultiprocessor, &count, instance.function,
                               static_cast<int>(meta.threads), meta.sharedBytes);
    each = multiprocessors;
  } else {
    CUlaunchAttribute cluster = clusterAttribute(meta);
    CUlaunchConfig config{
        meta.cluster[0], meta.cluster[1], meta.cluster[2], meta.threads, 1, 1, meta.sharedBytes, nullptr, &cluster, 1};
    status = TAWA_CUDA_CHECKED(driver, cuOccupancyMaxActiveClusters, &count, instance.function, &config);
  }
  ctas = static_cast<uint32_t>(std::max(count, 1)) * each;
  return status;
}

/// Queries the properties of the loaded code. The register count reveals whether setmaxnreg was honoured, even where
/// the driver's cache had the kernel and gave no notice.
Status CudaKernel::describe(const Instance &instance, LoadInfo &info) const {
  const std::pair<CUfunction_attribute, uint32_t LoadInfo::*> attributes[] = {
      {CU_FUNC_ATTRIBUTE_NUM_REGS, &LoadInfo::registersPerThread},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &LoadInfo::localBytes},
  };
  for (auto [attribute, member] : attributes) {
    int value = 0;
    if (Status status = TAWA_CUDA_CHECKED(driver, cuFuncGetAttribute, &value, attribute, instance.function); !status)
      return status;
    info.*member = static_cast<uint32_t>(value);
  }
  if (Status status = countResident(instance, info.residentCtas); !status)
    return status;
  info.spillBytes = info.log.empty() ? info.localBytes : spillBytes(info.log);
  info.ptxVersion = ptxVersion(ptx);
  info.beginsEarly = waitsItself;
  bool sharesOutRegisters = ptx.find("setmaxnreg") != ptx.npos && meta.registersPerThread != 0;
  if (sharesOutRegisters && info.registersPerThread != meta.registersPerThread)
    return {StatusCode::PtxRejected, "the driver gave kernel '" + entry + "' " +
                                         std::to_string(info.registersPerThread) +
                                         " registers per thread at entry and ignored setmaxnreg; its roles count on " +
                                         std::to_string(meta.registersPerThread)};
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
                                                 "captured; load it before with tawa_kernel_load()");
  LoadInfo unused; // the facts are those of the first load
  return loadInto(context, unused);
}

Status CudaKernel::encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value,
                                   void *map) const {
  Result<TensorMapGeometry> geometry = tensorMapGeometry(recipe, argument, value);
  if (!geometry)
    return geometry.status();
  // Encoding touches no memory of the device, but the driver wants a context all the same.
  Result<ContextRef> context = contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  static constexpr uint32_t everyElement[kMaxTensorMapRank] = {1, 1, 1, 1, 1};
  // Rows of odd multiples of 16 bytes arrive up to a fifth later with 256 bytes, others 1 to 4 % later with 128
  // (perf/LOG.md).
  CUtensorMapL2promotion fetched =
      beginsAtLines(*geometry) ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  return TAWA_CUDA_CHECKED(driver, cuTensorMapEncodeTiled, static_cast<CUtensorMap *>(map), mapType(recipe.elementType),
                           geometry->rank, pointerTo(geometry->address), geometry->dims.data(),
                           geometry->strideBytes.data(), geometry->box.data(), everyElement,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(recipe.swizzle), fetched,
                           static_cast<CUtensorMapFloatOOBfill>(recipe.fill));
}

/// Scratch memory is allocated and freed in stream order, around the launch: launches on other streams, and the next
/// one on this stream, never see it, and a graph that captures the launch captures it too.
Status CudaKernel::launchWithScratch(const Instance &instance, const LaunchRequest &request,
                                     CUdeviceptr workspace) const {
  auto stream = static_cast<CUstream>(request.stream);
  CUdeviceptr scratch = 0;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuMemAllocAsync, &scratch, scratchBytes(meta, request.grid), stream);
      !status)
    return status;
  Status started = start(instance.function, request, {scratch, workspace});
  Status freed = TAWA_CUDA_CHECKED(driver, cuMemFreeAsync, scratch, stream);
  return started ? freed : started;
}

Status CudaKernel::launchIn(const Instance &instance, const LaunchRequest &request) const {
  CUdeviceptr workspace = 0;
  if (workspaceParam) {
    Result<CUdeviceptr> found =
        instance.workspaces.find(driver, static_cast<CUstream>(request.stream), workspaceBytes(meta, request.grid),
                                 workspaceBytes(meta, {instance.residentCtas, 1, 1}));
    if (!found)
      return {found.status().code(), "kernel '" + entry + "' needs " + found.status().message()};
    workspace = *found;
  }
  return scratchParam ? launchWithScratch(instance, request, workspace)
                      : start(instance.function, request, {0, workspace});
}

Status CudaKernel::launch(const LaunchRequest &request) const {
  if (ContextRef current = contexts.current(); current.isCurrent)
    if (const Instance *instance = find(current)) // as a rule
      return launchIn(*instance, request);
  Result<ContextRef> context = contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  Result<const Instance *> instance = findOrLoad(*context, static_cast<CUstream>(request.stream));
  return instance ? launchIn(**instance, request) : instance.status();
}

Status CudaKernel::start(CUfunction function, const LaunchRequest &request, LaunchMemory memory) const {
  CUlaunchAttribute attributes[2];
  unsigned count = 0;
  if (clusterSize(meta) > 1)
    attributes[count++] = clusterAttribute(meta);
  if (waitsItself)
    attributes[count++] = mayBeginEarlyAttribute();
  CUlaunchConfig config{request.grid[0],
                        request.grid[1],
                        request.grid[2],
                        meta.threads,
                        1,
                        1,
                        meta.sharedBytes,
                        static_cast<CUstream>(request.stream),
                        attributes,
                        count};
  void *params[kMaxParams];
  auto *buffer = static_cast<char *>(const_cast<void *>(request.params));
  for (size_t i = 0; i < paramOffsets.size(); ++i)
    params[i] = buffer + paramOffsets[i];
  if (scratchParam)
    params[*scratchParam] = &memory.scratch;
  if (workspaceParam)
    params[*workspaceParam] = &memory.workspace;
  return TAWA_CUDA_CHECKED(driver, cuLaunchKernelEx, &config, function, params, nullptr);
}

Status CudaKernel::load(void *given) const {
  Result<ContextRef> context = given ? contexts.refer(static_cast<CUcontext>(given)) : contexts.resolve();
  if (!context)
    return context.status();
  ContextScope scope(driver, *context);
  if (!scope.status())
    return scope.status();
  return findOrLoad(*context, nullptr).status();
}

Result<void *> CudaKernel::function() const {
  if (scratchParam || workspaceParam)
    return Status(StatusCode::Unsupported, "kernel '" + entry + "' " +
                                               (scratchParam ? "makes tensor maps" : "keeps parts of sums (stream=1)") +
                                               " in memory that each launch brings along; let Tawa launch it");
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
