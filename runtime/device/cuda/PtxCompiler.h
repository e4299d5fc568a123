// PTX to machine code by the compiler inside the driver, in the two ways it offers.
//
// Loading as a module compiles the whole program. Linking gives a cubin to keep and runs in parallel on many threads,
// but compiles relocatable code, where setmaxnreg is ignored (notice C7504): no use for kernels whose roles share out
// registers. So kernels are loaded, and the linker only serves where a cubin is asked for.
#pragma once

#include "runtime/device/cuda/Driver.h"

#include <string>

namespace tawa::cuda {

struct LoadedPtx {
  CUmodule module = nullptr;
  std::string log; ///< Empty where the driver took the code from its own cache: then nobody knows its notices.
};

/// Both need a current context. PtxRejected carries the driver's log, also where it took the PTX with a notice that
/// rejectedNotices() names.
Result<LoadedPtx> loadPtx(const Driver &driver, const std::string &ptx, const std::string &kernel);
Result<std::string> linkPtx(const Driver &driver, const std::string &ptx, const std::string &kernel);

} // namespace tawa::cuda
