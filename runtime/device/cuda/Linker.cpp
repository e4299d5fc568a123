// One link of one PTX text, its log buffers and what they mean.
#include "runtime/device/cuda/Linker.h"

#include "runtime/device/cuda/JitLog.h"

#include <cstring>
#include <iterator>

namespace tawa::cuda {

namespace {

constexpr size_t kLogBytes = 64 * 1024;

/// A link under way: owns its state and the two buffers that the driver writes to until the state is destroyed.
class Link {
public:
  explicit Link(const Driver &driver) : driver(driver), info(kLogBytes, '\0'), errors(kLogBytes, '\0') {}
  ~Link() {
    if (state)
      driver.cuLinkDestroy(state);
  }

  Status create() {
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
    void *values[] = {info.data(), asValue(info.size()), errors.data(), asValue(errors.size()), asValue(1)};
    return TAWA_CUDA_CHECKED(driver, cuLinkCreate, std::size(options), options, values, &state);
  }

  CUresult run(const std::string &ptx, const std::string &kernel, std::string &cubin) {
    // The size counts the terminating zero, which the driver wants.
    CUresult result = driver.cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(ptx.c_str()), ptx.size() + 1,
                                           kernel.c_str(), 0, nullptr, nullptr);
    void *image = nullptr;
    size_t size = 0;
    if (result == CUDA_SUCCESS)
      result = driver.cuLinkComplete(state, &image, &size);
    if (result == CUDA_SUCCESS)
      cubin.assign(static_cast<const char *>(image), size); // the image dies with the state
    return result;
  }

  std::string infoText() const { return info.c_str(); }
  std::string errorText() const { return errors.c_str(); }

private:
  static void *asValue(uintptr_t number) { return reinterpret_cast<void *>(number); }

  const Driver &driver;
  CUlinkState state = nullptr;
  std::string info;
  std::string errors;
};

std::string versionText(int tens, int unit) { return std::to_string(tens) + "." + std::to_string(unit); }

Status refused(const Driver &driver, CUresult result, const std::string &ptx, const std::string &kernel,
               const std::string &errors) {
  Status call = driver.check(result, "cuLink");
  if (call.code() == StatusCode::OutOfMemory)
    return call;
  uint32_t version = ptxVersion(ptx);
  return {StatusCode::PtxRejected,
          "the driver (CUDA " + versionText(driver.version / 1000, driver.version % 1000 / 10) +
              ") refused the PTX (version " + versionText(version / 10, version % 10) + ") of kernel '" + kernel +
              "': " + call.message() + (errors.empty() ? "" : "\n" + errors)};
}

} // namespace

Result<LinkedCode> linkPtx(const Driver &driver, const std::string &ptx, const std::string &kernel) {
  Link link(driver);
  if (Status status = link.create(); !status)
    return status;
  LinkedCode code;
  if (CUresult result = link.run(ptx, kernel, code.cubin))
    return refused(driver, result, ptx, kernel, link.errorText());
  code.log = link.infoText();
  if (std::string notices = rejectedNotices(code.log); !notices.empty())
    return Status(StatusCode::PtxRejected, "the driver took the PTX of kernel '" + kernel +
                                               "' only with a notice that defeats its design:\n" + notices);
  return code;
}

} // namespace tawa::cuda
