// The driver's log buffers, its two compilers, and the interpretation of their results.
#include "runtime/device/cuda/PtxCompiler.h"

#include "runtime/device/Device.h"
#include "runtime/device/PtxLog.h"

namespace tawa::cuda {

namespace {

constexpr size_t kLogBytes = size_t{64} << 10;

/// The options that make the driver talk, and the buffers it talks into.
struct JitLog {
  std::string info = std::string(kLogBytes, '\0');
  std::string errors = std::string(kLogBytes, '\0');
  static constexpr unsigned kCount = 5;
  CUjit_option options[kCount] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                                  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
  void *values[kCount] = {info.data(), asValue(kLogBytes), errors.data(), asValue(kLogBytes), asValue(1)};

  JitLog() = default;
  JitLog(const JitLog &) = delete; // the driver knows the buffers by address
  /// A number as the driver takes it among pointers.
  static void *asValue(uint64_t number) { return pointerTo(number); }
};

std::string versionText(unsigned major, unsigned minor) { return std::to_string(major) + "." + std::to_string(minor); }

Status refused(const Driver &driver, CUresult result, const char *call, const std::string &ptx,
               const std::string &kernel, const JitLog &log) {
  Status status = driver.check(result, call);
  if (status.code() == StatusCode::OutOfMemory)
    return status;
  unsigned version = ptxVersion(ptx);
  std::string errors = log.errors.c_str();
  return {StatusCode::PtxRejected,
          "the driver (CUDA " + versionText(driver.version / 1000, driver.version % 1000 / 10) +
              ") refused the PTX (version " + versionText(version / 10, version % 10) + ") of kernel '" + kernel +
              "': " + status.message() + (errors.empty() ? "" : "\n" + errors)};
}

/// A link in progress; its buffers must live until the state is destroyed.
struct Link {
  const Driver &driver;
  JitLog log;
  CUlinkState state = nullptr;
  ~Link() {
    if (state)
      driver.cuLinkDestroy(state);
  }
};

} // namespace

Result<LoadedPtx> loadPtx(const Driver &driver, const std::string &ptx, const std::string &kernel) {
  JitLog log;
  LoadedPtx loaded;
  if (CUresult result = driver.cuModuleLoadDataEx(&loaded.module, ptx.c_str(), JitLog::kCount, log.options, log.values))
    return refused(driver, result, "cuModuleLoadDataEx", ptx, kernel, log);
  loaded.log = log.info.c_str();
  if (Status status = checkNotices(loaded.log, "the driver", "kernel '" + kernel + "'"); !status) {
    driver.cuModuleUnload(loaded.module);
    return status;
  }
  return loaded;
}

Result<std::string> linkPtx(const Driver &driver, const std::string &ptx, const std::string &kernel) {
  Link link{driver, {}};
  if (Status status =
          TAWA_CUDA_CHECKED(driver, cuLinkCreate, JitLog::kCount, link.log.options, link.log.values, &link.state);
      !status)
    return status;
  // The size counts the terminating zero, which the driver wants.
  CUresult result = driver.cuLinkAddData(link.state, CU_JIT_INPUT_PTX, const_cast<char *>(ptx.c_str()), ptx.size() + 1,
                                         kernel.c_str(), 0, nullptr, nullptr);
  void *image = nullptr;
  size_t size = 0;
  if (result == CUDA_SUCCESS)
    result = driver.cuLinkComplete(link.state, &image, &size);
  if (result != CUDA_SUCCESS)
    return refused(driver, result, "cuLink", ptx, kernel, link.log);
  if (Status status = checkNotices(link.log.info.c_str(), "the driver", "kernel '" + kernel + "'"); !status)
    return status;
  return std::string(static_cast<const char *>(image), size); // the image dies with the state
}

} // namespace tawa::cuda
