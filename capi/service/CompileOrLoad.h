// From a request to a compiled kernel: loaded from the store if it is there, else compiled and put into the
// store.
#pragma once

#include "capi/boundary/Wrap.h"
#include "runtime/artifact/Serialize.h"

namespace tawa::capi {

/// compileKernel() on a thread with a large stack; its remarks are logged.
Result<CompileOutput> compileOnLargeStack(const CompileInput &input, const Logger &log);

/// The library's build ID, part of keys and rows; empty if it was linked without one.
const std::string &thisBuild();

struct FetchedKernel {
  CompiledKernel kernel;
  bool isFromStore = false;
};

/// CacheMiss where the store lacks it and the runtime is frozen. A request that wants its phases dumped is compiled in
/// any case. Applies forgetShapes() to the input.
Result<FetchedKernel> compileOrLoad(const tawa_runtime &runtime, CompileInput &input);

/// Why compileOrLoad() would compile; "" where it would not.
std::string explainMiss(const tawa_runtime &runtime, CompileInput &input);

/// The same for a target of the input, into the store and nowhere else; true where it was there. CacheIO where it could
/// not be put.
Result<bool> storeKernel(const tawa_runtime &runtime, CompileInput &input);

} // namespace tawa::capi
