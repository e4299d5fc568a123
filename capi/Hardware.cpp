// Hardware descriptions, as text.
#include "capi/Guard.h"
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
  return guard(error, [&]() -> Status {
    if (!text)
      return nullArgument("text");
    *text = nullptr;
    if (!runtime && !name)
      return nullArgument("runtime, where no name is given,");
    Result<HardwareDescription> found = describe(runtime, name);
    return found ? handOut(found->str(), text) : found.status();
  });
}

tawa_status_t tawa_hardware_names(char **names, tawa_error_t *error) {
  return guard(error, [&]() -> Status {
    if (!names)
      return nullArgument("names");
    *names = nullptr;
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
