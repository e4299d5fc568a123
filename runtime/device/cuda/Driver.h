// The CUDA driver as a table of functions, filled from libcuda.so.1 at run time. A machine without it is normal: the
// table is then a Status that says so.
#pragma once

#include "runtime/device/cuda/DriverTypes.h"
#include "runtime/support/DynamicLibrary.h"
#include "runtime/support/Status.h"

#include <memory>

namespace tawa::cuda {

struct Driver {
  // NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names and parameter lists
#define TAWA_CUDA_FN(member, exported, params) CUresult(*member) params = nullptr;
#define TAWA_CUDA_OPTIONAL(member, exported, params) CUresult(*member) params = nullptr;
#include "runtime/device/cuda/DriverSymbols.def"
#undef TAWA_CUDA_OPTIONAL
#undef TAWA_CUDA_FN
  // NOLINTEND(bugprone-macro-parentheses)

  int version = 0; ///< 1000 * major + 10 * minor, filled by shared().

  /// The process's driver: loaded and initialized by the first call, never unloaded. Failures are remembered: a driver
  /// does not appear while a process runs.
  static Result<const Driver *> shared();

  /// Fills a table from the named library, without calling anything in it.
  static Result<std::unique_ptr<Driver>> load(const std::string &name);

  /// Ok for CUDA_SUCCESS, else a Status naming the call, the result and the driver's explanation.
  Status check(CUresult result, const char *call) const;

private:
  explicit Driver(DynamicLibrary library) : library(std::move(library)) {}
  DynamicLibrary library;
};

/// Calls a driver function by name and turns its result into a Status.
#define TAWA_CUDA_CHECKED(driver, member, ...) (driver).check((driver).member(__VA_ARGS__), #member)

} // namespace tawa::cuda
