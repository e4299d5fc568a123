// A shared library opened while the program runs (libcuda.so.1), so that nothing has to be there when it starts.
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
