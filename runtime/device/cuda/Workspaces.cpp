// Finding and allocating of workspaces.
#include "runtime/device/cuda/Workspaces.h"

#include <algorithm>
#include <utility>

namespace tawa::cuda {

namespace {

/// Lets a thread allocate memory while one of its streams is being captured: what it allocates is no part of the graph.
class OutsideCapture {
public:
  explicit OutsideCapture(const Driver &driver) : driver(driver) { driver.cuThreadExchangeStreamCaptureMode(&mode); }
  ~OutsideCapture() { driver.cuThreadExchangeStreamCaptureMode(&mode); }
  OutsideCapture(const OutsideCapture &) = delete;

private:
  const Driver &driver;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED; // then what it was before
};

/// On a stream that waits for no other, and that none waits for.
Status fillWithZeros(const Driver &driver, CUdeviceptr address, uint64_t bytes) {
  CUstream stream = nullptr;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING); !status)
    return status;
  Status status = TAWA_CUDA_CHECKED(driver, cuMemsetD8Async, address, 0, bytes, stream);
  if (status)
    status = TAWA_CUDA_CHECKED(driver, cuStreamSynchronize, stream);
  driver.cuStreamDestroy(stream);
  return status;
}

Result<CUdeviceptr> allocateZeros(const Driver &driver, uint64_t bytes) {
  OutsideCapture outside(driver);
  CUdeviceptr address = 0;
  if (Status status = TAWA_CUDA_CHECKED(driver, cuMemAlloc, &address, bytes); !status)
    return status;
  if (Status status = fillWithZeros(driver, address, bytes); !status) {
    driver.cuMemFree(address);
    return status;
  }
  return address;
}

} // namespace

Result<Workspaces::User> Workspaces::userOf(const Driver &driver, CUstream stream) {
  User user;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  unsigned long long number = 0;
  if (stream) // the default stream is never captured
    if (Status status =
            TAWA_CUDA_CHECKED(driver, cuStreamGetCaptureInfo, stream, &capture, &number, nullptr, nullptr, nullptr);
        !status)
      return status;
  if (capture != CU_STREAM_CAPTURE_STATUS_NONE) // when a stream does not tell its number
    return User{reinterpret_cast<uintptr_t>(stream), number};
  if (Status status = TAWA_CUDA_CHECKED(driver, cuStreamGetId, stream, &user.stream); !status)
    return status;
  return user;
}

CUdeviceptr Workspaces::known(const User &user, uint64_t bytes) const {
  for (const Workspace *each = list.load(std::memory_order_acquire); each; each = each->next)
    if (each->user == user && each->bytes >= bytes)
      return each->address;
  return 0;
}

Result<CUdeviceptr> Workspaces::find(const Driver &driver, CUstream stream, uint64_t bytes, uint64_t most) {
  Result<User> user = userOf(driver, stream);
  if (!user)
    return user.status();
  if (CUdeviceptr address = known(*user, bytes))
    return address;
  std::lock_guard lock(adding);
  if (CUdeviceptr address = known(*user, bytes))
    return address;
  uint64_t size = std::max(bytes, most);
  Result<CUdeviceptr> address = allocateZeros(driver, size);
  if (!address)
    return Status(address.status().code(),
                  "a workspace of " + std::to_string(size) + " bytes: " + address.status().message());
  list.store(new Workspace{*user, *address, size, list.load(std::memory_order_relaxed)}, std::memory_order_release);
  return *address;
}

Workspaces::~Workspaces() {
  for (Workspace *each = list.load(); each;)
    delete std::exchange(each, each->next);
}

void Workspaces::free(const Driver &driver) const {
  for (const Workspace *each = list.load(); each; each = each->next)
    driver.cuMemFree(each->address);
}

} // namespace tawa::cuda
