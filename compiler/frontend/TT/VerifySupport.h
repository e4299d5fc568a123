// What the verifiers of the tt dialect share: checks of a type against what the rules give.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa::tt {

/// Demands that a derived type is what the rules give, but for its encoding.
mlir::LogicalResult expectType(mlir::Operation *op, llvm::StringRef what, mlir::Type actual,
                               llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// Demands that two operands or results have the same type, but for encodings.
mlir::LogicalResult expectSameType(mlir::Operation *op, llvm::StringRef what, mlir::Type actual, llvm::StringRef like,
                                   mlir::Type expected);

} // namespace tawa::tt
