// The Device interface on an NVIDIA GPU.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/cuda/Context.h"

namespace tawa::cuda {

struct CudaOptions {
  int ordinal = 0;         ///< Below 0: the first one with compute capability 9.0, or that of `context`.
  void *context = nullptr; ///< CUcontext to work in; see ContextSource.
};

/// NoDevice where there is no driver, no such device, or (ordinal below 0) none that can run our code.
Result<std::unique_ptr<Device>> openCudaDevice(const CudaOptions &options, const Logger &log);

} // namespace tawa::cuda
