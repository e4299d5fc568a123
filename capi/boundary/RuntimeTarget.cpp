// The GPU that a runtime compiles for.
#include "capi/boundary/RuntimeTarget.h"

#include "runtime/device/Device.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/hardware/TargetOf.h"

namespace tawa::capi {

Result<Target> RuntimeTarget::of(const Device &device) const {
  std::call_once(once, [&] {
    if (device.target() == TargetKind::Host) {
      found = defaultTarget(); // the emulated multiprocessor has its limits
      return;
    }
    Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
    found = catalogue ? Result<Target>(catalogue->targetOf(device.info())) : catalogue.status();
  });
  return *found;
}

Result<Target> targetNamed(const std::string &name) {
  if (name == "emulator")
    return defaultTarget();
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
  if (!catalogue)
    return catalogue.status();
  Result<HardwareDescription> found = catalogue->find(name);
  return found ? Result<Target>(targetOf(*found)) : found.status();
}

} // namespace tawa::capi
