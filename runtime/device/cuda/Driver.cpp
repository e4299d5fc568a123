// Loading of libcuda and the one place where its results become Statuses.
#include "runtime/device/cuda/Driver.h"

#include "runtime/support/Environment.h"

namespace tawa::cuda {

static Status noDriver(const std::string &name, const std::string &reason) {
  return {StatusCode::NoDevice, name + " not found; use device emulator or install the NVIDIA driver (" + reason + ")"};
}

static Status tooOld(const char *symbol) {
  return {StatusCode::NoDevice, std::string("the CUDA driver has no ") + symbol +
                                    "; install a driver of CUDA 12.0 or newer, or use device emulator"};
}

Result<std::unique_ptr<Driver>> Driver::load(const std::string &name) {
  Result<DynamicLibrary> library = DynamicLibrary::open(name);
  if (!library)
    return noDriver(name, library.status().message());
  std::unique_ptr<Driver> driver(new Driver(std::move(*library)));
  // NOLINTBEGIN(bugprone-macro-parentheses): see Driver.h
#define TAWA_CUDA_OPTIONAL(member, exported, params)                                                                   \
  driver->member = reinterpret_cast<CUresult(*) params>(driver->library.symbol(#exported));
#define TAWA_CUDA_FN(member, exported, params)                                                                         \
  TAWA_CUDA_OPTIONAL(member, exported, params)                                                                         \
  if (!driver->member)                                                                                                 \
    return tooOld(#exported);
#include "runtime/device/cuda/DriverSymbols.def"
#undef TAWA_CUDA_FN
#undef TAWA_CUDA_OPTIONAL
  // NOLINTEND(bugprone-macro-parentheses)
  return driver;
}

static Result<std::unique_ptr<Driver>> loadAndInitialize() {
  auto name = env::get(env::Variable::CudaLibrary);
  Result<std::unique_ptr<Driver>> driver = Driver::load(name.value_or("libcuda.so.1"));
  if (!driver)
    return driver;
  if (CUresult result = (*driver)->cuInit(0)) {
    Status status = (*driver)->check(result, "cuInit");
    return Status(StatusCode::NoDevice, status.message() + "; use device emulator or repair the NVIDIA driver");
  }
  if (Status status = TAWA_CUDA_CHECKED(**driver, cuDriverGetVersion, &(*driver)->version); !status)
    return status;
  return driver;
}

Result<const Driver *> Driver::shared() {
  // Never freed: the driver's own exit handlers run at an unknown time relative to ours.
  static const auto *loaded = new Result<std::unique_ptr<Driver>>(loadAndInitialize());
  if (!*loaded)
    return loaded->status();
  return static_cast<const Driver *>((*loaded)->get());
}

Status Driver::check(CUresult result, const char *call) const {
  if (result == CUDA_SUCCESS)
    return Status::ok();
  const char *name = nullptr;
  const char *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  StatusCode code = result == CUDA_ERROR_OUT_OF_MEMORY ? StatusCode::OutOfMemory
                    : result == CUDA_ERROR_NO_DEVICE   ? StatusCode::NoDevice
                                                       : StatusCode::Cuda;
  return {code, std::string(call) + " failed: " + (name ? name : "unknown result") + " (" + std::to_string(result) +
                    ")" + (text ? std::string(", ") + text : "")};
}

} // namespace tawa::cuda
