// Value equivalence across roles: two values are known to be equal when their expressions are, down to parameters,
// program ids and the induction variables of loops with equal trip counts.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tawa::verify {

/// Structural 64-bit hashes of such expressions: equal values of two roles have equal hashes.
class Identities {
public:
  uint64_t of(mlir::Value value);
  /// Equal for loops with equal trip counts.
  uint64_t ofLoop(mlir::scf::ForOp loop);
  uint64_t ofLoop(mlir::scf::WhileOp loop);

private:
  uint64_t ofResult(mlir::OpResult result);
  uint64_t ofArgument(mlir::BlockArgument argument);
  uint64_t ofCarried(mlir::BlockArgument argument, uint64_t start, mlir::Value next);

  llvm::DenseMap<mlir::Value, uint64_t> known;
  /// Carried values whose identity is being computed, by nesting: inside, their initial value stands for them.
  llvm::DenseMap<mlir::Value, unsigned> open;
};

} // namespace tawa::verify
