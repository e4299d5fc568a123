// Compiles PTX to machine code with the driver's compiler, in the two ways it offers.
//
// Loading as a module compiles the whole program. Linking gives a cubin to keep and runs in parallel on many threads,
// but compiles relocatable code, where setmaxnreg is ignored (notice C7504): useless for kernels whose roles
// redistribute registers. So kernels are loaded, and the linker only serves requests for a cubin.
#pragma once

#include "runtime/device/cuda/Driver.h"

#include <string>

namespace tawa::cuda {

struct LoadedPtx {
  CUmodule module = nullptr;
  std::string log; ///< Empty where the driver took the code from its own cache: then its notices are unknown.
};

/// Both need a current context. PtxRejected carries the driver's log, also where it accepted the PTX with a notice that
/// rejectedNotices() names.
Result<LoadedPtx> loadPtx(const Driver &driver, const std::string &ptx, const std::string &kernel);
Result<std::string> linkPtx(const Driver &driver, const std::string &ptx, const std::string &kernel);

} // namespace tawa::cuda
