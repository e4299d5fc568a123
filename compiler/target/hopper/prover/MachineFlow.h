// Forward dataflow analysis over a role's code: branches and loop iterations are joined to the weakest fact until a
// fixpoint is reached.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tawa::verify {

/// Which threads know that an access of one thread is over: that thread alone, its warp (after `bar.warp.sync`), or the
/// whole role (after its named barrier).
enum class Level : uint8_t { NoRole, Thread, Warp, Role };

/// Terminates because `State` has finitely many values and a join only weakens it.
template <typename State> class MachineFlow {
public:
  virtual ~MachineFlow() = default;

protected:
  /// Starts from `state` and leaves the facts at the end there.
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
  /// The weaker of both; true if `state` changed.
  virtual bool join(State &state, const State &other) = 0;
  /// Whether an operation's regions contain anything relevant.
  virtual bool matters(mlir::Operation *) { return true; }
  /// Whether a branch only selects the executing threads, so that its body always happens.
  virtual bool happens(mlir::scf::IfOp) { return false; }
  /// The effect of a branch that is not taken.
  virtual void passBy(mlir::scf::IfOp, State &) {}
  void fail(mlir::Operation *op, const llvm::Twine &what) {
    if (!finding)
      finding = RoleFinding{op, what.str()};
  }

  std::optional<RoleFinding> finding;

private:
  /// Branches in sequence; loops until nothing changes.
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
