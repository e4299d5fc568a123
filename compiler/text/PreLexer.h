// The pre-lexer: rewrites the few things that newer releases of LLVM print and MLIR 19 cannot read, so that text dumped
// by any Triton 3.x parses unchanged. Lines stay where they are; columns move only to the right of a rewritten place.
//
//   llvm.intr.assume %c : i1               -> "llvm.intr.assume"(%c) : (i1) -> ()
//   arith.trunci %x overflow<nsw>          -> the flag is blanked: it only permits optimizations
//   arith.extui|uitofp %x nneg             -> likewise
//   cf.cond_br %c weights([..])            -> likewise
//   loc("x"(#later)), #later defined below -> all locations are blanked, since none of the others is worth a failure
//
// Refused with a place: MLIR bytecode, more than 1 MiB, words of more than 4 KiB, brackets nested deeper than 64, NUL
// bytes, `scf.for unsigned` (dropping the flag would change the loop), the type f8E8M0FNU, gpu.barrier and affine maps,
// and values used before a region that defines them (ValueOrder.h).
#pragma once

#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa {

struct PrelexOptions {
  /// Drop all `loc(...)`. Diagnostics then name lines of this text, not of the program it was printed from.
  bool stripLocations = false;
};

/// `name` is the file name for diagnostics.
Result<std::string> prelex(std::string_view text, std::string_view name, PrelexOptions options = {});

} // namespace tawa
