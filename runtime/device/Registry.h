// Opens a device by its name.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/emulator/EmulatorDevice.h"

namespace tawa {

struct DeviceOptions {
  std::string name; ///< "auto", "cuda", "cuda:N" or "emulator"; empty: what TAWA_DEVICE says, else "auto".
  void *cudaContext = nullptr;
  HostObjectLoader hostLoader;
};

/// "auto" takes the first GPU that kernels run on best, or else the emulator, whose description then has the reason.
/// `log` must outlive the device.
Result<std::unique_ptr<Device>> openDevice(const DeviceOptions &options, const Logger &log);

} // namespace tawa
