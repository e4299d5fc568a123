// A kernel on an NVIDIA GPU: its PTX, loaded once per CUcontext that launches it.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/cuda/Context.h"
#include "runtime/device/cuda/Workspaces.h"

#include <atomic>

namespace tawa::cuda {

class CudaKernel : public LoadedKernel {
public:
  /// Compiles and loads for the context that `contexts` resolves to on this thread.
  static Result<std::unique_ptr<LoadedKernel>> create(const Driver &driver, const ContextSource &contexts,
                                                      const DeviceInfo &device, const Logger &log,
                                                      const KernelArtifact &artifact);
  ~CudaKernel() override;

  Status encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value,
                         void *map) const override;
  Status launch(const LaunchRequest &request) const override;
  Status load(void *context) const override;
  Result<void *> function() const override;

private:
  /// The kernel in one context. Instances are only ever prepended to the list, so that a launch reads it without a
  /// lock.
  struct Instance {
    ContextRef context;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    uint32_t residentCtas = 1;
    mutable Workspaces workspaces;
    Instance *next = nullptr;
  };

  /// The first driver whose stream capture supports launches that begin early.
  static constexpr int kEarlyLaunches = 12030;

  CudaKernel(const Driver &driver, const ContextSource &contexts, const DeviceInfo &device,
             const KernelArtifact &artifact)
      : driver(driver), contexts(contexts), multiprocessors(device.multiprocessors), entry(artifact.entry),
        ptx(artifact.code), meta(artifact.launch),
        waitsItself(driver.version >= kEarlyLaunches && ptx.find("griddepcontrol.wait") != std::string::npos) {
    for (const KernelParam &param : artifact.params) {
      if (param.source == KernelParam::Source::Scratch)
        scratchParam = paramOffsets.size();
      if (param.source == KernelParam::Source::Workspace)
        workspaceParam = paramOffsets.size();
      paramOffsets.push_back(param.offset);
    }
  }
  Result<const Instance *> loadInto(const ContextRef &context, LoadInfo &info) const;
  Status prepare(Instance &instance) const;
  Status describe(const Instance &instance, LoadInfo &info) const;
  /// CTAs that the whole device holds at once.
  Status countResident(const Instance &instance, uint32_t &ctas) const;
  const Instance *find(const ContextRef &context) const;
  Status launchIn(const Instance &instance, const LaunchRequest &request) const;
  Status launchWithScratch(const Instance &instance, const LaunchRequest &request, CUdeviceptr workspace) const;
  /// The memory that the launch brings along.
  struct LaunchMemory {
    CUdeviceptr scratch = 0, workspace = 0;
  };
  Status start(CUfunction function, const LaunchRequest &request, LaunchMemory memory) const;
  Result<const Instance *> findOrLoad(const ContextRef &context, CUstream stream) const;

  const Driver &driver;
  const ContextSource &contexts;
  uint32_t multiprocessors;
  std::string entry;
  std::string ptx;
  LaunchMetadata meta;
  bool waitsItself; // for the previous launch in its stream, so that this one may begin before that is over
  std::vector<uint32_t> paramOffsets;   // in the parameter buffer, in the order of the kernel's parameters
  std::optional<size_t> scratchParam;   // position of the parameter with the address of scratch memory
  std::optional<size_t> workspaceParam; // likewise, of the workspace
  mutable std::mutex loading;           // one load at a time; launches of a loaded kernel never take it
  mutable std::atomic<Instance *> instances{nullptr};
};

} // namespace tawa::cuda
