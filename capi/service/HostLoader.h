// Connects the emulator device, which needs callable host objects, to the loader, which makes them.
#pragma once

#include "runtime/device/emulator/EmulatorDevice.h"

namespace tawa::capi {

HostObjectLoader hostObjectLoader();

} // namespace tawa::capi
