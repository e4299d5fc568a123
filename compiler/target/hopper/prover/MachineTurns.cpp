// MachineTurns.cpp: the only order that a role's warp groups keep among themselves, beside its own barrier.
//
//   arrive b0 if last group
//   for {
//     sync b0 if group 0, sync b1 if group 1
//     nothing that frees a slot
//     arrive b1 if group 0, arrive b0 if group 1
//   }
//
// All groups execute the same operations, so the explorer of roles takes a role as one. That stays right: a group that
// waits for its turn has done all that stands before it, and the one whose turn it is waits for nothing that comes from
// within a turn. No barrier sees two arrivals of a group before its waiter has come, since a group's next turn follows
// that of all others.
#include "compiler/target/hopper/prover/MachineTurns.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa::verify {

namespace {

using Finding = std::optional<RoleFinding>;

Finding found(Operation *op, const llvm::Twine &what) { return RoleFinding{op, what.str()}; }

class TurnCheck {
public:
  TurnCheck(MachineKernel &kernel, const MachineRole &role, ArrayRef<Operation *> uses)
      : kernel(kernel), role(role), uses(uses), groups(role.threads / kThreadsPerGroup) {}

  Finding run() {
    if (role.threads % kThreadsPerGroup != 0 || uses.size() != 1 + 2 * groups)
      return found(uses.front(),
                   "not every warp group of " + role.name + " waits for its turn once and passes it once");
    for (auto [index, op] : llvm::enumerate(uses))
      if (Finding finding = checkUse(op, index))
        return finding;
    return checkPlaces();
  }

private:
  /// First the last group passes to group 0, then group by group waits, then group by group passes to the next.
  Finding checkUse(Operation *op, size_t index) {
    bool waits = index >= 1 && index <= groups;
    size_t group = index == 0 ? groups - 1 : (index - 1) % groups, barrier = waits ? group : (group + 1) % groups;
    if (isa<sm90::BarrierSyncOp>(op) != waits)
      return found(op, "warp groups of " + role.name + " do not wait for their turns before they pass them");
    Performers performers = kernel.performersOf(role, op);
    unsigned begin = role.first + group * kThreadsPerGroup;
    bool isGroup = performers.conditions.empty() && performers.threads.size() == kThreadsPerGroup &&
                   performers.threads.front() == begin && performers.threads.back() == begin + kThreadsPerGroup - 1;
    if (!isGroup)
      return found(op, "a turn is not waited for or passed by warp group " + llvm::Twine(group) + " of " + role.name);
    auto [id, threads] = idAndThreads(op);
    if (index == 0)
      first = id;
    if (id != first + barrier || threads != 2 * kThreadsPerGroup)
      return found(op, "a turn does not pass from one warp group of " + role.name + " to the next");
    return std::nullopt;
  }

  /// The loop is entered once, after the first pass; what another group waits for is not within a turn.
  Finding checkPlaces() {
    Operation *open = uses.front(), *wait = uses[1], *pass = uses.back();
    auto loop = dyn_cast<scf::ForOp>(wait->getParentOp());
    bool isOnce = loop && !loop->getParentOfType<scf::ForOp>() && !loop->getParentOfType<scf::WhileOp>();
    bool areTogether =
        llvm::all_of(uses.drop_front(), [&](Operation *op) { return op->getBlock() == wait->getBlock(); });
    if (!isOnce || !areTogether || open->getBlock() != loop->getBlock() || !open->isBeforeInBlock(loop))
      return found(wait, "turns are not those of one loop that " + role.name + " enter once");
    Operation *awaited = nullptr;
    for (Operation *op = wait; op != pass; op = op->getNextNode())
      op->walk([&](Operation *inner) { awaited = isAwaited(inner) ? inner : awaited; });
    return awaited ? found(awaited, "another warp group may wait for this, which stands within a turn") : std::nullopt;
  }

  static bool isAwaited(Operation *op) {
    bool meets = isa<sm90::BarrierSyncOp, sm90::BarrierArriveOp>(op) && !isOfTurn(op);
    return meets || isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp>(op);
  }

  MachineKernel &kernel;
  const MachineRole &role;
  ArrayRef<Operation *> uses;
  size_t groups;
  uint32_t first = 0; ///< Barrier of group 0.
};

} // namespace

Finding checkTurns(MachineKernel &kernel, const MachineRole &role, ArrayRef<Operation *> uses) {
  return uses.empty() ? std::nullopt : TurnCheck(kernel, role, uses).run();
}

} // namespace tawa::verify
