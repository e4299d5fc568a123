// Value equivalence across roles: two values are known to be equal when their expressions are, down to parameters,
// program ids, the induction variables of loops with equal trip counts, and numbers that one role hands to others.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tawa::verify {

/// Structural 64-bit hashes of such expressions: equal values of two roles have equal hashes.
class Identities {
public:
  virtual ~Identities() = default;
  uint64_t of(mlir::Value value);
  /// Equal for loops with equal trip counts.
  uint64_t ofLoop(mlir::scf::ForOp loop);
  uint64_t ofLoop(mlir::scf::WhileOp loop);
  /// A role puts `origin` into a ring; `value` is what some role puts or gets under this number of the ring. Put n is
  /// what get n reads, which the proof of the rings shows.
  void handOn(mlir::Value value, mlir::Value origin, mlir::Value number) { handed[value] = {origin, number}; }

protected:
  /// The identity of a value of which something is known; otherwise its expression says it.
  virtual std::optional<uint64_t> given(mlir::Value value);
  /// Of a value that is equal to no other one.
  static uint64_t onlyItself(mlir::Value value);

private:
  uint64_t compute(mlir::Value value);
  uint64_t ofResult(mlir::OpResult result);
  uint64_t ofArgument(mlir::BlockArgument argument);
  uint64_t ofCarried(mlir::BlockArgument argument, uint64_t start, mlir::Value next);

  llvm::DenseMap<mlir::Value, uint64_t> known;
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>> handed;
  /// Carried values whose identity is being computed, by nesting: inside, their initial value stands for them.
  llvm::DenseMap<mlir::Value, unsigned> open;
};

} // namespace tawa::verify
