// The values that the other programs of a cluster have, made from this program's code, and which of them are the same
// (tawa-multicast-tiles).
#pragma once

#include "compiler/analysis/ProgramVariance.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tawa {

/// The place before the loops in which nothing depends on the program: there the neighbours' coordinates are made.
struct NeighbourScope {
  mlir::scf::ForOp tiles; ///< The loop over tiles around it, whose induction variable differs between programs.
  mlir::Operation *anchor = nullptr; ///< What contains the put, or the put itself.

  bool isTile(mlir::Value value) const {
    mlir::scf::ForOp loop = tiles;
    return loop && value == loop.getInductionVar();
  }
};

/// Which programs of a cluster have the same values. Values are compared as soon as two programs' are there: with all
/// of them alive, those of eight programs took more registers than a producer has.
class ProgramComparison {
public:
  ProgramComparison(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// `choices` are of sharedBits().
  void add(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<uint32_t> choices);
  /// Makes the values of the other programs, and compares them.
  void run(const ProgramVariance &variance, NeighbourScope scope, unsigned cluster);
  /// Of the values that were added first, then of the next ones: the first of the choices such that all programs that
  /// differ in these bits only have the same values.
  mlir::Value bits(llvm::ArrayRef<uint32_t> choices);
  mlir::Value constant(uint32_t value);

private:
  /// That programs which differ in these bits only have the same values, if those do that differ in the bits `inside`.
  struct Condition {
    llvm::SmallVector<mlir::Value> values;
    uint32_t bits, inside;
    mlir::Value holds;

    /// Of programs that differ in the bits inside only; and it is to be compared with another.
    bool isFirst(unsigned distance) const { return (distance & inside) == 0 && (distance & bits) != 0; }
  };

  void require(Condition &condition, mlir::Value one, mlir::Value other);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<Condition> conditions;
  size_t used = 0;
};

} // namespace tawa
