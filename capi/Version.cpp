// What this library is: version, build, environment.
#include "capi/boundary/Guard.h"
#include "capi/boundary/Wrap.h"
#include "runtime/store/Store.h"
#include "runtime/support/BuildId.h"
#include "runtime/support/Environment.h"

#include <llvm/Config/llvm-config.h>

#include <string>

#define TAWA_TEXT_OF(x) #x
#define TAWA_TEXT(x) TAWA_TEXT_OF(x)
#define TAWA_VERSION_TEXT                                                                                              \
  TAWA_TEXT(TAWA_VERSION_MAJOR) "." TAWA_TEXT(TAWA_VERSION_MINOR) "." TAWA_TEXT(TAWA_VERSION_PATCH)
static_assert(std::string_view(TAWA_VERSION_TEXT) == TAWA_PROJECT_VERSION, "tawa.h and CMakeLists.txt disagree");

extern "C" {

const char *tawa_version(void) { return TAWA_VERSION_TEXT; }

uint32_t tawa_abi_version(void) { return TAWA_ABI_VERSION; }

const char *tawa_build_info(void) {
  static const std::string text =
      "{\"tawa\":\"" TAWA_VERSION_TEXT "\",\"abi\":" TAWA_TEXT(TAWA_ABI_VERSION) ",\"id\":\"" + tawa::buildId() +
      "\",\"llvm\":\"" LLVM_VERSION_STRING "\",\"compiler\":\"" __VERSION__ "\",\"build\":\"" TAWA_BUILD_TYPE "\"}";
  return text.c_str();
}

const char *tawa_environment_help(void) {
  static const std::string text = [] {
    std::string lines;
    for (const tawa::env::Entry &entry : tawa::env::table())
      lines += std::string(entry.name) + " (default: " + entry.fallback + "): " + entry.help + "\n";
    return lines;
  }();
  return text.c_str();
}

tawa_status_t tawa_cache_folder(char **path, tawa_error_t *error) {
  using namespace tawa::capi;
  return guard(error, [&]() -> tawa::Status {
    if (!path)
      return nullArgument("path");
    *path = nullptr;
    return handOut(tawa::store::storeOptionsFromEnvironment().folder, path);
  });
}

} // extern "C"
