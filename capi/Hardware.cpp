// Hardware descriptions, as text.
#include "capi/boundary/Guard.h"
#include "runtime/hardware/Catalogue.h"

using namespace tawa;
using namespace tawa::capi;

namespace {

Result<HardwareDescription> describe(const tawa_runtime *runtime, const char *name) {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
  if (!catalogue)
    return catalogue.status();
  return name ? catalogue->lookUp(name) : catalogue->describe(runtime->device->info());
}

} // namespace

extern "C" {

tawa_status_t tawa_hardware_describe(tawa_runtime_t runtime, const char *name, char **text, tawa_error_t *error) {
  clear(text);
  return guard(error, [&]() -> Status {
    if (runtime || !name)
      if (Status status = checkHandle(runtime); !status)
        return status;
    if (!text)
      return nullArgument("text");
    Result<HardwareDescription> found = describe(runtime, name);
    return found ? handOut(found->str(), text) : found.status();
  });
}

tawa_status_t tawa_hardware_names(char **names, tawa_error_t *error) {
  clear(names);
  return guard(error, [&]() -> Status {
    if (!names)
      return nullArgument("names");
    Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
    if (!catalogue)
      return catalogue.status();
    std::string lines;
    for (const HardwareDescription &description : catalogue->all())
      lines += description.name + "\n";
    return handOut(lines, names);
  });
}

} // extern "C"
