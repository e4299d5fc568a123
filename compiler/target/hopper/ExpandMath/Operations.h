// The operations that tawa-expand-math replaces, and their expansions.
#pragma once

#include "compiler/target/hopper/ExpandMath/Expr.h"

#include "mlir/IR/Operation.h"

namespace tawa::math {

/// An operation to replace. Its FP8 operands are already bits; the types are those it was written with.
struct Site {
  mlir::Operation *op;
  llvm::SmallVector<mlir::Type> operandTypes;
  mlir::Type resultType;
};

/// Code for the operation's result; null where the operation may stay as it is. On failure an error is emitted at the
/// operation.
using Expansion = mlir::FailureOr<mlir::Value> (*)(const Site &site, Code &code);

/// Null for an operation that stays.
Expansion findExpansion(mlir::Operation *op);

} // namespace tawa::math
