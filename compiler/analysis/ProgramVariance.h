// ProgramVariance: the values of a kernel that may differ between programs that run side by side, that is, whose ids
// are neighbours along x. All others follow from parameters, constants, the size of the grid and the other two ids. If
// asked about all programs, along any axis, those ids count as differing too.
//
//   %p = tt.get_program_id x       varies
//   %q = tt.get_program_id y       does not
//   %r = arith.divsi %p, %c8       varies, although neighbours often get the same
//   %k = induction variable        does not, where its loop begins and steps alike in all programs
//
// Asked about the CTAs of a cluster, whose ids begin at a multiple of its size, it knows more: a number that counts
// them on from such a multiple, divided by another one, is the same in all.
//
//   for %u = %p to %n step %e      varies; counts them, where the cluster divides %e, as it does the number of programs
//   %i = arith.remui %u, %m        varies, and still counts them, where the cluster divides %m
//   %j = arith.divui %u, %m        does not
//
// Values loaded from memory count as varying: two programs need not read it at the same time.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace tawa {

/// Whether the size of a cluster, a power of two, divides a number in every launch: the number of programs along x is
/// one, as launches with clusters are checked.
bool isMultipleOf(mlir::Value value, unsigned cluster);

class ProgramVariance {
public:
  /// Of the CTAs of clusters of this size, a power of two.
  ProgramVariance(mlir::Operation *root, unsigned cluster);
  /// Of all programs of a launch.
  static ProgramVariance ofAll(mlir::Operation *root) { return {root, kAll}; }

  bool varies(mlir::Value value) const { return varying.contains(value); }
  /// Whether all programs run a loop equally often, with the same induction variable.
  bool isUniform(mlir::scf::ForOp loop) const {
    return !varies(loop.getLowerBound()) && !varies(loop.getUpperBound()) && !varies(loop.getStep());
  }

private:
  static constexpr unsigned kAll = 0;

  bool mark(mlir::Value value) { return varying.insert(value).second; }
  bool markAll(mlir::ValueRange values);
  bool isDifferingId(mlir::Operation *op) const;
  /// Whether a value is the CTA's number in the cluster, added to a multiple of its size that all CTAs have.
  bool countsCtas(mlir::Value value) const;
  /// Whether all CTAs have the same multiple of the cluster's size here.
  bool isCommonMultiple(mlir::Value value) const { return !varies(value) && isMultipleOf(value, cluster); }
  /// Whether an operation makes something common of what differs.
  bool unites(mlir::Operation *op) const;
  /// Propagates facts from an operation's operands to its results; true if anything changed.
  bool visit(mlir::Operation *op);
  bool visitLoop(mlir::scf::ForOp loop);
  bool visitBranch(mlir::scf::IfOp branch);

  unsigned cluster;
  llvm::DenseSet<mlir::Value> varying;
};

/// Whether a value is the program's id along x itself.
bool isProgramId(mlir::Value value);

} // namespace tawa
