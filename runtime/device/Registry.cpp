// Parsing of device names; the only place that knows both kinds.
#include "runtime/device/Registry.h"

#include "runtime/device/cuda/CudaDevice.h"
#include "runtime/support/Environment.h"

#include <charconv>

namespace tawa {

static Result<int> parseOrdinal(std::string_view name) {
  std::string_view digits = name.substr(std::string_view("cuda:").size());
  int ordinal = -1;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc() || end != digits.data() + digits.size() || ordinal < 0)
    return Status(StatusCode::InvalidArgument,
                  "device '" + std::string(name) + "': '" + std::string(digits) + "' is no device number");
  return ordinal;
}

static Result<std::unique_ptr<Device>> openAny(const DeviceOptions &options, const Logger &log) {
  Result<std::unique_ptr<Device>> gpu = cuda::openCudaDevice({-1, options.cudaContext}, log);
  if (gpu)
    return gpu;
  log.info([&] { return "device auto takes the emulator: " + gpu.status().message(); });
  return openEmulator(options.hostLoader, gpu.status().message());
}

Result<std::unique_ptr<Device>> openDevice(const DeviceOptions &options, const Logger &log) {
  std::string name = options.name;
  if (name.empty())
    name = env::get(env::Variable::Device).value_or("auto");
  if (name == "auto")
    return openAny(options, log);
  if (name == "emulator")
    return openEmulator(options.hostLoader);
  if (name == "cuda")
    return cuda::openCudaDevice({-1, options.cudaContext}, log);
  if (!name.starts_with("cuda:"))
    return Status(StatusCode::InvalidArgument, "device '" + name + "' is none of auto, cuda, cuda:N, emulator");
  Result<int> ordinal = parseOrdinal(name);
  if (!ordinal)
    return ordinal.status();
  return cuda::openCudaDevice({*ordinal, options.cudaContext}, log);
}

} // namespace tawa
