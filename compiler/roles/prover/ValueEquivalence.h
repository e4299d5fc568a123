// When two roles are known to compute the same value: what it follows from, down to parameters, program ids and the
// induction variables of loops that go round alike, is the same expression.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tawa::verify {

/// Hashes of such expressions (64 bits; structural, so equal values of two roles have equal ones).
class Identities {
public:
  uint64_t of(mlir::Value value);
  /// Equal for loops that run equally often.
  uint64_t ofLoop(mlir::scf::ForOp loop);

private:
  uint64_t ofResult(mlir::OpResult result);
  uint64_t ofCarried(mlir::scf::ForOp loop, mlir::BlockArgument argument);

  llvm::DenseMap<mlir::Value, uint64_t> known;
  /// Carried values whose identity is being found, by how deep: inside of it they are known by where they start.
  llvm::DenseMap<mlir::Value, unsigned> open;
};

} // namespace tawa::verify
