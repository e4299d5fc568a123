// SharedIterations: whether several CTAs can share the iterations of a loop, each of which adds up some of the terms of
// its sums, and where the loop stands after some of them.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tawa {

/// The operand by which a carried value grows in each iteration, if defined before the loop; else null.
mlir::OpOperand *stepOf(mlir::scf::ForOp loop, mlir::BlockArgument carried);

/// Whether a carried tensor starts from zero and is only ever added to.
bool isSum(mlir::scf::ForOp loop, mlir::BlockArgument carried);

/// Whether CTAs can share a loop's iterations: besides sums it carries only values that each CTA can compute for any
/// iteration, and that are not used afterwards.
bool canShareIterations(mlir::scf::ForOp loop);

/// Whether it can be observed that another CTA repeats what stands before the end of the loop, in the loop's own block.
bool showsUpTo(mlir::scf::ForOp loop);

/// `value` times an i32, in the value's own type.
mlir::Value scaled(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value factor);

/// What a carried value with a step is after so many iterations (an i32).
mlir::Value afterIterations(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::BlockArgument carried,
                            mlir::Value iterations);

} // namespace tawa
