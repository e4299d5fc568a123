// Runs the toolkit's assembler, if installed: it makes cubins of every kernel without a GPU. Never needed to run
// kernels; only for requests for a cubin.
#pragma once

#include "runtime/support/Status.h"

#include <string>

namespace tawa {

/// The assembler's path: what TAWA_PTXAS says, else the first ptxas in PATH or in /usr/local/cuda/bin; empty: none.
std::string findPtxas();

/// PTX for that architecture to cubin. PtxRejected carries what the assembler said, also where it took the
/// PTX with a notice that rejectedNotices() names.
Result<std::string> assembleWithPtxas(const std::string &ptxas, const std::string &ptx,
                                      const std::string &architecture);

} // namespace tawa
