// Selects the CUcontext of a call: the one given to the runtime; else the calling thread's current one, if it is on our
// device; else the device's primary one, retained at first need.
#pragma once

#include "runtime/device/cuda/Driver.h"

#include <mutex>

namespace tawa::cuda {

/// A context with the number that distinguishes it from a later one at the same address.
struct ContextRef {
  CUcontext handle = nullptr;
  unsigned long long id = 0;
  bool isCurrent = false; ///< On the thread that resolved it.
};

class ContextSource {
public:
  ContextSource(const Driver &driver, CUdevice device, CUcontext given)
      : driver(driver), device(device), given(given) {}
  ~ContextSource();
  ContextSource(const ContextSource &) = delete;

  Result<ContextRef> resolve() const;
  /// The calling thread's current one, unless another was given; isCurrent false: none. Its device is not asked for,
  /// which costs a call of the driver: a kernel loaded in it tells.
  ContextRef current() const;
  /// The one named, whatever is current; TargetMismatch where it is of another device.
  Result<ContextRef> refer(CUcontext context) const;

private:
  Result<CUcontext> primaryContext() const;

  const Driver &driver;
  CUdevice device;
  CUcontext given;
  mutable std::mutex mutex; // guards the retaining of `primary`, once in a source's life
  mutable CUcontext primary = nullptr;
};

/// Makes a context current for a scope and puts back what was.
class ContextScope {
public:
  ContextScope(const Driver &driver, const ContextRef &context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  const Status &status() const { return pushed; }

private:
  const Driver &driver;
  bool mustPop = false;
  Status pushed;
};

} // namespace tawa::cuda
