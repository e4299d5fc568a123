// The wire between the emulator device, which needs host objects made callable, and the loader, which does it.
#pragma once

#include "runtime/device/emulator/EmulatorDevice.h"

namespace tawa::capi {

HostObjectLoader hostObjectLoader();

} // namespace tawa::capi
