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

/// Iterations of a loop, as an i32.
mlir::Value tripCount(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

/// The iterations of a loop in equal parts that follow each other; all are i32.
struct IterationParts {
  mlir::Value parts;
  mlir::Value each, left; ///< Iterations of a part; the first `left` of them have one more.
};

IterationParts cutIterations(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value iterations, mlir::Value parts);

/// Leaves a loop the iterations of part number `part`: its bounds and what it carries begin and end there.
void takePart(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value part, const IterationParts &parts);

} // namespace tawa
