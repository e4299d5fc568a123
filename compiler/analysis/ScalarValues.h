// Values of scalars that follow from others by integer arithmetic.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace tawa {

using ScalarValues = llvm::DenseMap<mlir::Value, int64_t>;
/// What constants are taken to be instead.
using OtherConstants = std::map<int64_t, int64_t>;

/// Whether an operation computes an integer from integers as evaluateScalar() does.
bool isScalarArithmetic(mlir::Operation *op);

/// The number that follows from those that are known, and adds to these; none where it depends on anything else, or
/// something is divided by zero.
std::optional<int64_t> evaluateScalar(mlir::Value value, ScalarValues &known, const OtherConstants &constants);

} // namespace tawa
