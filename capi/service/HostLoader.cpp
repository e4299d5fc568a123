// Hands the loader of host objects to the emulator device.
#include "capi/service/HostLoader.h"

#include "runtime/emulator/ObjectLoader.h"

namespace tawa::capi {

HostObjectLoader hostObjectLoader() {
  return [](std::string_view object, std::string_view entry) -> Result<HostCode> {
    Result<std::shared_ptr<LoadedObject>> loaded = loadHostObject(object, entry, emu::symbols());
    if (!loaded)
      return loaded.status();
    return HostCode{(*loaded)->entry, *loaded};
  };
}

} // namespace tawa::capi
