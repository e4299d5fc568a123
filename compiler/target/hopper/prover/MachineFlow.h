// A role's code, read once for all ways through it: of the branches of a condition, and of the rounds of a loop, the
// least that is known is kept, until nothing changes.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tawa::verify {

/// Who knows something of what a thread did: it alone, its warp (behind `bar.warp.sync`), all of the role (behind its
/// named barrier).
enum class Level : uint8_t { NoRole, Thread, Warp, Role };

/// `State` has only finitely many values, each of which a join can only make worse; so this ends.
template <typename State> class MachineFlow {
public:
  virtual ~MachineFlow() = default;

protected:
  /// Begins in `state`, and leaves there what is known at the end.
  void runBlock(mlir::Block &block, State &state) {
    for (mlir::Operation &op : block)
      if (finding)
        return;
      else if (op.getNumRegions() == 0)
        execute(op, state);
      else if (matters(&op))
        runRegions(op, state);
  }

  virtual void execute(mlir::Operation &op, State &state) = 0;
  /// The worse of both; true if that is worse than `state` was.
  virtual bool join(State &state, const State &other) = 0;
  /// Whether there is anything in the regions of an operation that this is about.
  virtual bool matters(mlir::Operation *) { return true; }
  /// Whether a branch only chooses who executes it: what is in there happens.
  virtual bool happens(mlir::scf::IfOp) { return false; }
  /// What follows where a branch is not taken.
  virtual void passBy(mlir::scf::IfOp, State &) {}
  void fail(mlir::Operation *op, const llvm::Twine &what) {
    if (!finding)
      finding = RoleFinding{op, what.str()};
  }

  std::optional<RoleFinding> finding;

private:
  /// One after the other in a branch; again and again in a loop.
  void runRegions(mlir::Operation &op, State &state) {
    if (auto branch = mlir::dyn_cast<mlir::scf::IfOp>(op)) {
      State otherwise = state;
      runBlock(*branch.thenBlock(), state);
      if (happens(branch) && !branch.elseBlock())
        return;
      passBy(branch, otherwise);
      if (branch.elseBlock())
        runBlock(*branch.elseBlock(), otherwise);
      join(state, otherwise);
      return;
    }
    for (bool isWorse = true; isWorse && !finding;) {
      State next = state;
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &block : region)
          runBlock(block, next);
      isWorse = join(state, next);
    }
  }
};

} // namespace tawa::verify
