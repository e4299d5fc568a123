// The Device interface on the emulated SM. Memory is the host's, kept in a table so that copies and tensors that leave
// it are refused by name; launches complete before they return.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/emulator/Emulator.h"

namespace tawa {

/// A host object made callable. `owner` keeps the code in memory.
struct HostCode {
  emu::KernelEntry entry = nullptr;
  std::shared_ptr<const void> owner;
};

/// Links a relocatable host object against emu::symbols(). Handed in by capi, so that devices need no LLVM.
using HostObjectLoader = std::function<Result<HostCode>(std::string_view object, std::string_view entry)>;

/// `note` is added to the description: why this device was chosen, where it was not requested.
std::unique_ptr<Device> openEmulator(HostObjectLoader loader, const std::string &note = {});

/// "eager", "wgmma-late", "late-random" or "late-random:SEED".
Result<emu::Schedule> parseSchedule(std::string_view text);

} // namespace tawa
