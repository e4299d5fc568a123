// Choice, retention and scoping of contexts.
#include "runtime/device/cuda/Context.h"

namespace tawa::cuda {

ContextSource::~ContextSource() {
  if (primary)
    driver.cuDevicePrimaryCtxRelease(device);
}

Result<CUcontext> ContextSource::primaryContext() const {
  std::lock_guard lock(mutex);
  if (!primary)
    if (Status status = TAWA_CUDA_CHECKED(driver, cuDevicePrimaryCtxRetain, &primary, device); !status)
      return status;
  return primary;
}

Result<ContextRef> ContextSource::resolve() const {
  ContextRef context;
  CUcontext current = nullptr;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuCtxGetCurrent, &current); !status)
    return status;
  CUdevice currentDevice = -1;
  if (!given && current)
    driver.cuCtxGetDevice(&currentDevice);
  if (given) {
    context.handle = given;
  } else if (current && currentDevice == device) {
    context.handle = current;
  } else {
    Result<CUcontext> own = primaryContext();
    if (!own)
      return own.status();
    context.handle = *own;
  }
  context.isCurrent = context.handle == current;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuCtxGetId, context.handle, &context.id); !status)
    return status;
  return context;
}

ContextRef ContextSource::current() const {
  ContextRef context;
  if (driver.cuCtxGetCurrent(&context.handle) || !context.handle || (given && given != context.handle))
    return {};
  context.isCurrent = driver.cuCtxGetId(context.handle, &context.id) == CUDA_SUCCESS;
  return context;
}

Result<ContextRef> ContextSource::refer(CUcontext handle) const {
  ContextRef context{handle, 0, false};
  CUcontext current = nullptr;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuCtxGetCurrent, &current); !status)
    return status;
  context.isCurrent = current == handle;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuCtxGetId, handle, &context.id); !status)
    return status;
  ContextScope scope(driver, context);
  CUdevice its = -1;
  Status status = scope.status() ? TAWA_CUDA_CHECKED(driver, cuCtxGetDevice, &its) : scope.status();
  if (!status)
    return status;
  if (its != device)
    return Status(StatusCode::TargetMismatch, "the context is of device " + std::to_string(its) +
                                                  ", the runtime works on " + std::to_string(device));
  return context;
}

ContextScope::ContextScope(const Driver &driver, const ContextRef &context) : driver(driver) {
  if (context.isCurrent)
    return;
  pushed = TAWA_CUDA_CHECKED(driver, cuCtxPushCurrent, context.handle);
  mustPop = pushed.isOk();
}

ContextScope::~ContextScope() {
  CUcontext popped;
  if (mustPop)
    driver.cuCtxPopCurrent(&popped);
}

} // namespace tawa::cuda
