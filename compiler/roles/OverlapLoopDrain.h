// OverlapLoopDrain: overlaps the code after a rotated loop with the loop's drain.
//
//   if some {                                    if some {
//     prologue; steady state                       prologue; steady state
//     issue U; wait for U                          issue T'; issue U
//   } else { .. }                          ->      wait for T'; C'; wait for U; the rest of C'
//   T', wait; C'                                 } else { T', wait; C' }
//   U'                                           U'
//
// T' are products after the loop that do not depend on its sums, C' their dependents up to the first product U' of
// their results: a peeled last, masked iteration, for example. Only the uses of values matter, not what the code is.
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

/// Moves the code after the branch into it, as above, if the sums of T' have at most `elements` elements, for which
/// there were registers. False, and no change, where this does not apply.
bool runTailUnderDrain(const StageDrain &drain, int64_t elements);

} // namespace tawa
