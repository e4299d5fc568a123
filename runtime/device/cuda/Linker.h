// PTX to cubin through the driver's linker, which unlike loading PTX as a module runs in parallel on many threads and
// hands the cubin back for the store.
#pragma once

#include "runtime/device/cuda/Driver.h"

#include <string>

namespace tawa::cuda {

struct LinkedCode {
  std::string cubin;
  std::string log;
};

/// Needs a current context. PtxRejected carries the driver's log, also where it took the PTX with a notice that
/// rejectedNotices() names.
Result<LinkedCode> linkPtx(const Driver &driver, const std::string &ptx, const std::string &kernel);

} // namespace tawa::cuda
