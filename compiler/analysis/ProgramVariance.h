// ProgramVariance: the values of a kernel that may differ between programs that run side by side, that is, whose ids
// are neighbours along x. All others follow from parameters, constants, the size of the grid and the other two ids. If
// asked about all programs, along any axis, those ids count as differing too.
//
//   %p = tt.get_program_id x       varies
//   %q = tt.get_program_id y       does not
//   %r = arith.divsi %p, %c8       varies, although neighbours often get the same
//   %k = induction variable        does not, where its loop begins and steps alike in all programs
//
// Values loaded from memory count as varying: two programs need not read it at the same time.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace tawa {

class ProgramVariance {
public:
  enum class Among { Neighbours, All };
  explicit ProgramVariance(mlir::Operation *root, Among programs = Among::Neighbours);

  bool varies(mlir::Value value) const { return varying.contains(value); }
  /// Whether all programs run a loop equally often, with the same induction variable.
  bool isUniform(mlir::scf::ForOp loop) const {
    return !varies(loop.getLowerBound()) && !varies(loop.getUpperBound()) && !varies(loop.getStep());
  }

private:
  bool mark(mlir::Value value) { return varying.insert(value).second; }
  bool markAll(mlir::ValueRange values);
  bool isDifferingId(mlir::Operation *op) const;
  /// Propagates facts from an operation's operands to its results; true if anything changed.
  bool visit(mlir::Operation *op);
  bool visitLoop(mlir::scf::ForOp loop);
  bool visitBranch(mlir::scf::IfOp branch);

  Among programs;
  llvm::DenseSet<mlir::Value> varying;
};

/// Whether a value is the program's id along x itself.
bool isProgramId(mlir::Value value);

} // namespace tawa
