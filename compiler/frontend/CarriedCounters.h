// Numbers that a loop carries in its own steps, which its induction variable says as well.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tawa {

/// What a carried number is more than the induction variable, in every iteration; nothing where it is another number.
std::optional<int64_t> aheadOfLoop(mlir::scf::ForOp loop, mlir::BlockArgument carried);

/// Has the body use the induction variable instead of such a number.
void foldCarriedCounter(mlir::scf::ForOp loop, mlir::BlockArgument carried, int64_t ahead);

} // namespace tawa
