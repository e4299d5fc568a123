// Replaces __cxa_atexit inside the library, so that no destructor of a static object is registered.
#include "capi/service/ProcessExit.h"

#include <dlfcn.h>

using ExitFunction = void (*)(void *);
using RegisterExit = int (*)(ExitFunction function, void *argument, void *dso);

/// What the compiler calls to register the destructor of a static object (Itanium C++ ABI, 3.3.6.3). Defined here, it
/// is found before libc's by everything linked into the library, and by nothing else: the name is not exported.
extern "C" int __cxa_atexit(ExitFunction function, void *argument, void *dso) {
  static_cast<void>(function);
  static_cast<void>(argument);
  static_cast<void>(dso);
  return 0;
}

namespace tawa::capi {

bool runAtExit(void (*function)(void *), void *argument) {
  auto registerExit = reinterpret_cast<RegisterExit>(dlsym(RTLD_NEXT, "__cxa_atexit"));
  return registerExit && registerExit(function, argument, nullptr) == 0;
}

} // namespace tawa::capi
