// UniformTripCounts: whether the CTAs of a cluster come to a place of their code equally often, and what a launch has
// to check for that.
#pragma once

#include "compiler/analysis/ProgramVariance.h"

#include "llvm/ADT/SetVector.h"

namespace tawa {

class UniformTripCounts {
public:
  UniformTripCounts(const ProgramVariance &variance, unsigned cluster) : variance(variance), cluster(cluster) {}

  /// Whether all loops and conditions of its role around an operation come out alike in all CTAs.
  bool holdAround(mlir::Operation *op);
  /// Launch expressions that the size of the cluster has to divide for what was said so far.
  llvm::ArrayRef<mlir::StringAttr> divided() const { return divisible.getArrayRef(); }

private:
  bool walksTiles(mlir::scf::ForOp loop);
  bool isDivisible(mlir::Value value);
  bool isAlwaysDivisible(mlir::Value value) const;

  const ProgramVariance &variance;
  unsigned cluster;
  llvm::SetVector<mlir::StringAttr> divisible;
};

} // namespace tawa
