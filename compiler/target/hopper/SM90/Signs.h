// What is known of the signs of floats that machine code computes.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace tawa::sm90 {

class Signs {
public:
  /// Whether a value is zero, above it, or NaN, in every thread and every iteration. Results of ex2 are, and what is
  /// added and multiplied up from such; everything else is said not to be.
  bool isNotBelowZero(mlir::Value value);

private:
  bool find(mlir::Value value);

  llvm::DenseSet<mlir::Value> assumed, refuted;
};

} // namespace tawa::sm90
