// UniformTripCounts: whether the CTAs of a cluster execute an operation equally often, and the launch checks that this
// requires.
#pragma once

#include "compiler/analysis/ProgramVariance.h"

#include "llvm/ADT/SetVector.h"

namespace tawa {

class UniformTripCounts {
public:
  UniformTripCounts(const ProgramVariance &variance, unsigned cluster) : variance(variance), cluster(cluster) {}

  /// Whether all loops and conditions of its role around an operation have the same outcome in all CTAs.
  bool holdAround(mlir::Operation *op);
  /// Launch expressions that the cluster size must divide for the answers so far to hold.
  llvm::ArrayRef<mlir::StringAttr> divided() const { return divisible.getArrayRef(); }

private:
  bool walksTiles(mlir::scf::ForOp loop);
  bool isDivisible(mlir::Value value);

  const ProgramVariance &variance;
  unsigned cluster;
  llvm::SetVector<mlir::StringAttr> divisible;
};

} // namespace tawa
