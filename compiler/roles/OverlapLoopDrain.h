// OverlapLoopDrain: what follows a rotated loop goes on where the loop's drain waits.
//
//   if some {                                    if some {
//     prologue; steady state                       prologue; steady state
//     issue U; wait for U                          issue T'; issue U
//   } else { .. }                          ->      wait for T'; C'; wait for U; the rest of C'
//   T', wait; C'                                 } else { T', wait; C' }
//   U'                                           U'
//
// T' are products behind the loop that need no sum of it, C' what follows from them up to the first product U' of
// its results: a last, masked iteration that was peeled, for one. Nothing is asked about the code but what it uses.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tawa {

/// The end of a rotated loop, in the `then` block of its branch.
struct StageDrain {
  mlir::scf::IfOp branch;
  mlir::Operation *first = nullptr;  ///< Its products are issued from here on,
  mlir::Operation *finish = nullptr; ///< and waited for from here on: the sums, and what follows from them.
  unsigned issued = 0;               ///< Products.
};

/// Moves what follows the branch into it, as above, if the sums of T' have no more than so many elements, for which
/// there were registers. False, and no change, where nothing follows that could.
bool runTailUnderDrain(const StageDrain &drain, int64_t elements);

} // namespace tawa
