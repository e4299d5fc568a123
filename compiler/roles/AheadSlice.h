// AheadSlice: what some values of a loop's body follow from, computed for a later iteration.
//
//   for %i iter_args(%p) {                          %q = %p + step          for iteration i + 1, if %p counts on
//     %x = load %p, %i < n                  ->      %m = %i + 1 < n
//     %p + step
//   }
//
// The values that a loop carries, as far as addresses need them, are carried a second time, some iterations ahead.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tawa {

class AheadSlice {
public:
  using IsKnown = llvm::function_ref<bool(mlir::Operation *)>;

  /// Of these values of the loop's body; nothing where they follow from effects, from loads, or from operations with
  /// regions, or where a carried value cannot be computed without knowing that there is another iteration. What loads
  /// that `isKnown` give need not be computed: it is there.
  static std::optional<AheadSlice>
  find(mlir::scf::ForOp loop, mlir::ValueRange roots, IsKnown isKnown = [](mlir::Operation *) { return false; });

  /// Whether the values can be computed for an iteration that may not exist: nothing but integer divisions, whose
  /// divisor may be 0 there, minds.
  bool canBeGuarded() const;
  /// What the loop carries for these values, by position.
  llvm::ArrayRef<unsigned> carried() const { return positions; }
  /// The loads whose results have to be there.
  llvm::ArrayRef<mlir::Operation *> known() const { return knowns.getArrayRef(); }
  /// Where the carried values begin.
  llvm::SmallVector<mlir::Value> start(mlir::scf::ForOp loop) const;

  /// The iteration with this induction variable, carried values being `state`: gives those of the next one.
  llvm::SmallVector<mlir::Value> advance(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value induction,
                                         mlir::ValueRange state, mlir::IRMapping &mapping) const;
  /// The values themselves, after `advance` with the same mapping. Where `exists` is false divisors are 1; without it
  /// the iteration exists.
  void compute(mlir::OpBuilder &builder, mlir::IRMapping &mapping, mlir::Value exists = {}) const;

private:
  bool add(mlir::scf::ForOp loop, mlir::Value value, llvm::SetVector<mlir::Operation *> &into, IsKnown isKnown);
  void sort();

  llvm::SmallVector<unsigned> positions;
  llvm::SetVector<mlir::Operation *> advancing, others; ///< In the order of the block; others are not advancing.
  llvm::SetVector<mlir::Operation *> knowns;
};

/// The loop with more carried values, whose body yields for them what the caller appends to its terminator.
mlir::scf::ForOp appendCarried(mlir::scf::ForOp loop, mlir::ValueRange inits);
void appendYielded(mlir::scf::ForOp loop, mlir::ValueRange values);

/// The induction variable `distance` iterations after `from`.
mlir::Value behind(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value from, unsigned distance);
/// In front of the loop: whether it has more than `distance` iterations.
mlir::Value hasMoreThan(mlir::OpBuilder &builder, mlir::scf::ForOp loop, unsigned distance);
/// In its body: whether `distance` iterations follow this one. `end - i > distance * step` cannot wrap.
mlir::Value hasAhead(mlir::OpBuilder &builder, mlir::scf::ForOp loop, unsigned distance);

} // namespace tawa
