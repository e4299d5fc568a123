// A shared library opened at run time (libcuda.so.1), so that it is not needed at program start.
#pragma once

#include "runtime/support/Status.h"

#include <string>

namespace tawa {

class DynamicLibrary {
public:
  /// The Status (NoDevice is for the caller to say; here: Unsupported) carries the loader's own words.
  static Result<DynamicLibrary> open(const std::string &name);

  DynamicLibrary(DynamicLibrary &&other) noexcept : handle(other.handle) { other.handle = nullptr; }
  DynamicLibrary &operator=(DynamicLibrary &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~DynamicLibrary();

  /// Address of a symbol, or null.
  void *symbol(const char *name) const;

private:
  explicit DynamicLibrary(void *handle) : handle(handle) {}
  void *handle;
};

} // namespace tawa
