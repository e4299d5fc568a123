// Helpers of the tt verifiers: checks of a type against the type that the rules require.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa::tt {

/// Requires that a derived type is as the rules say, except for its encoding.
mlir::LogicalResult expectType(mlir::Operation *op, llvm::StringRef what, mlir::Type actual,
                               llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// Requires that two operands or results have the same type, except for encodings.
mlir::LogicalResult expectSameType(mlir::Operation *op, llvm::StringRef what, mlir::Type actual, llvm::StringRef like,
                                   mlir::Type expected);

} // namespace tawa::tt
