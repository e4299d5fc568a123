// The pre-lexer: rewrites syntax that newer releases of LLVM print and MLIR 19 cannot read, so that text dumped by any
// Triton 3.x parses unchanged. Line numbers are preserved; columns only move to the right of a rewritten place.
//
//   llvm.intr.assume %c : i1               -> "llvm.intr.assume"(%c) : (i1) -> (); operand bundles are dropped
//   arith.trunci %x overflow<nsw>          -> the flag is blanked: it only permits optimizations
//   arith.* nneg, exact, disjoint          -> likewise; and fastmath<> of conversions
//   cf.cond_br %c weights([..])            -> likewise
//   gpu.barrier, ttg.barrier local|all     -> tt.debug_barrier, the barrier of this compiler's dialect
//   nvvm.griddepcontrol wait               -> blanked: no kernel is launched before its predecessor has ended; the same
//                                             as inline assembly becomes the constant 0
//   tt.experimental_descriptor_load (3.3)  -> tt.descriptor_load; so for store, gather, scatter
//   loc("x"(#later)), #later defined below -> all locations are blanked, since none is worth a failure;
//                                             likewise where one is a range ("f.py":1:2 to 3:4)
//
// Refused with a location: MLIR bytecode, more than 1 MiB, words of more than 4 KiB, numbers of more than 64 digits,
// brackets nested deeper than 64, NUL bytes, `scf.for unsigned` (dropping the flag would change the loop), float types
// that no phase supports (f8E8M0FNU, those of AMD), operations in the generic form of dialects that Triton does not
// print, text of a later stage of Triton (.ttgir), affine maps, and values used before a region that defines them
// (ValueOrder.h).
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
