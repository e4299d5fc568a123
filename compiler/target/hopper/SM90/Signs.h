// Sign analysis of the floats that machine code computes.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace tawa::sm90 {

class Signs {
public:
  /// Whether a value is zero, positive, or NaN, in every thread and every iteration. Results of ex2 are, and sums and
  /// products of such values; everything else counts as unknown.
  bool isNotBelowZero(mlir::Value value);

private:
  bool find(mlir::Value value);

  llvm::DenseSet<mlir::Value> assumed, refuted;
};

} // namespace tawa::sm90
