// dlopen and dlsym; RTLD_LOCAL, so that what we open changes no name lookup of the host program.
#include "runtime/support/DynamicLibrary.h"

#include <dlfcn.h>

namespace tawa {

Result<DynamicLibrary> DynamicLibrary::open(const std::string &name) {
  if (void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
    return DynamicLibrary(handle);
  const char *reason = dlerror();
  return Status(StatusCode::Unsupported, reason ? reason : "dlopen(" + name + ") failed");
}

DynamicLibrary::~DynamicLibrary() {
  if (handle)
    dlclose(handle);
}

void *DynamicLibrary::symbol(const char *name) const { return dlsym(handle, name); }

} // namespace tawa
