// Checks barrier initialization, named barriers, register counts and cluster attributes of a machine kernel.
#include "compiler/target/hopper/prover/MachineFrame.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/prover/MachineTurns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;

namespace tawa::verify {

using Finding = std::optional<RoleFinding>;

static Finding found(Operation *op, const llvm::Twine &what) { return RoleFinding{op, what.str()}; }

/// The operation in the kernel's outermost block that contains all roles; with one role, the first that waits for a
/// barrier, or the last one where none does, as where no iteration of its loops runs.
static Operation *roleBranch(MachineKernel &kernel) {
  Block &outermost = kernel.func.getBody().front();
  if (kernel.roles.size() == 1) {
    for (Operation &op : outermost)
      if (op.walk([](sm90::MBarrierWaitParityOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return &op;
    return outermost.getTerminator();
  }
  return outermost.findAncestorOpInBlock(*kernel.roles.front().body->getParentOp());
}

template <typename Op> static bool contains(Operation *around) {
  return around->walk([](Op) { return WalkResult::interrupt(); }).wasInterrupted();
}

//===--- Initialization -------------------------------------------------------------------------------------------===//

namespace {

/// What the outermost block does before the roles.
struct Frame {
  Operation *fence = nullptr, *sync = nullptr, *clusterArrive = nullptr, *clusterWait = nullptr;

  void read(Operation *from, Operation *to) {
    for (Operation *op = from; op && op != to; op = op->getNextNode()) {
      if (op->getNumRegions() != 0)
        op->walk([&](sm90::FenceMBarrierInitOp inner) { fence = inner; });
      if (isa<sm90::BarrierSyncOp>(op))
        sync = op;
      if (isa<sm90::ClusterArriveOp>(op))
        clusterArrive = op;
      if (isa<sm90::ClusterWaitOp>(op) && clusterArrive)
        clusterWait = op;
    }
  }
};

} // namespace

/// One thread initializes all barriers and fences; all threads synchronize before the roles begin.
Finding checkInitialization(MachineKernel &kernel) {
  Operation *roles = roleBranch(kernel);
  Operation *setup = nullptr, *last = nullptr;
  Finding finding;
  kernel.func.walk([&](sm90::MBarrierInitOp init) {
    Operation *around = kernel.func.getBody().front().findAncestorOpInBlock(*init);
    setup = setup ? setup : around;
    last = init;
    auto branch = dyn_cast<scf::IfOp>(around);
    const std::vector<uint32_t> *makes = branch ? kernel.threads.of(branch.getCondition()) : nullptr;
    bool isOne = makes && llvm::count_if(*makes, [](uint32_t holds) { return holds != 0; }) == 1;
    if (!finding && (around != setup || init->getParentOp() != around || !isOne || !around->isBeforeInBlock(roles)))
      finding = found(init, "not exactly one thread makes this barrier before the roles begin");
  });
  if (finding || !setup)
    return finding;
  Frame frame;
  frame.read(setup, roles);
  bool isNeeded = hasFeature(kernel.func, Feature::Tma); // the CTA's own threads see them after its barrier
  bool isFenced = frame.fence && frame.fence->getBlock() == last->getBlock() && last->isBeforeInBlock(frame.fence);
  if (isNeeded && !isFenced)
    return found(last, "no fence makes the barriers' initialization visible to the async proxy");
  if (!frame.sync) // the cluster's barrier orders nothing else
    return found(last, "roles begin before they know that the barriers are initialized");
  return std::nullopt;
}

//===--- Cluster --------------------------------------------------------------------------------------------------===//

/// CTAs that use each other's barriers or slots begin together. None ends before the slots of shared rings are free
/// (RoleRules::finishAll), and those that sums are sent to wait for them (MachineSums.cpp).
static Finding checkSharing(MachineKernel &kernel, Operation *roles) {
  Frame before;
  before.read(&kernel.func.getBody().front().front(), roles);
  if (!before.clusterWait)
    return found(roles, "a CTA may use barriers of another one of its cluster before they are initialized");
  return std::nullopt;
}

/// A CTA sends sums, and tells of free bytes, only to CTAs that have begun; these wait for it, so they cannot have
/// ended (MachineSums.cpp).
static Finding checkSending(MachineKernel &kernel, Operation *roles) {
  Frame before;
  before.read(&kernel.func.getBody().front().front(), roles);
  if (!before.clusterArrive)
    return found(roles, "CTAs of a cluster do not wait until the others have begun");
  for (MachineRole &role : kernel.roles) {
    SmallVector<sm90::ClusterWaitOp> waits;
    role.body->walk([&](sm90::ClusterWaitOp wait) { waits.push_back(wait); });
    if (waits.size() != 1 || waits.front()->getBlock() != role.body)
      return found(roles, role.name + " do not wait once for the other CTAs of the cluster");
    Finding finding;
    role.body->walk([&](Operation *op) {
      if (!isa<sm90::StoreAsyncOp, sm90::MBarrierArriveClusterOp>(op))
        return;
      if (!finding && !waits.front()->isBeforeInBlock(role.body->findAncestorOpInBlock(*op)))
        finding = found(op, "this is sent to a CTA that may not have begun");
    });
    if (finding)
      return finding;
  }
  return std::nullopt;
}

Finding checkCluster(MachineKernel &kernel) {
  if (kernel.cluster() == 1)
    return std::nullopt;
  Operation *roles = roleBranch(kernel);
  bool multicasts = kernel.func
                        .walk([](sm90::TmaLoadOp load) {
                          return load.getMulticastMask() ? WalkResult::interrupt() : WalkResult::advance();
                        })
                        .wasInterrupted();
  bool sends = contains<sm90::StoreAsyncOp>(kernel.func);
  if (multicasts || (contains<sm90::MBarrierArriveClusterOp>(kernel.func) && !sends))
    return checkSharing(kernel, roles); // all that is sent, too, comes after the barrier of the cluster
  return sends ? checkSending(kernel, roles) : std::nullopt;
}

//===--- Named barriers -------------------------------------------------------------------------------------------===//

namespace {

/// The roles that use a named barrier, and how.
struct BarrierUsers {
  llvm::SmallPtrSet<const MachineRole *, 2> waiting, arriving;
  bool isOfAll = false;

  unsigned threads() const {
    unsigned sum = 0;
    for (const MachineRole *role : waiting)
      sum += role->threads;
    for (const MachineRole *role : arriving)
      sum += role->threads;
    return sum;
  }
  bool isAlone() const { return waiting.size() == 1 && arriving.empty(); }
  bool isPingPong() const {
    return waiting.size() == 1 && arriving.size() == 1 && *waiting.begin() != *arriving.begin();
  }
};

} // namespace

/// A barrier belongs to the kernel, to one role, or to two roles of which one waits for the other.
static Finding checkUsers(MachineKernel &kernel, Operation *op, bool isOfRole, const BarrierUsers &users) {
  auto [id, threads] = idAndThreads(op);
  if (users.isOfAll ? isOfRole : !users.isPingPong() && !users.isAlone())
    return found(op, "named barrier " + llvm::Twine(id) + " is used by roles that do not synchronize there");
  unsigned comes = isOfRole ? users.threads() : kernel.info.threads;
  if (threads == comes)
    return std::nullopt;
  return found(op, "named barrier " + llvm::Twine(id) + " counts " + llvm::Twine(threads) + " threads, and " +
                       llvm::Twine(comes) + " come");
}

/// Turns of warp groups, at barriers that serve nothing else.
static Finding checkTurnsOf(MachineKernel &kernel, const std::map<uint32_t, BarrierUsers> &users) {
  llvm::DenseSet<uint32_t> ofTurns; // of the roles before
  for (MachineRole &role : kernel.roles) {
    SmallVector<Operation *> turns;
    role.body->walk([&](Operation *op) {
      if (isa<sm90::BarrierSyncOp, sm90::BarrierArriveOp>(op) && isOfTurn(op))
        turns.push_back(op);
    });
    for (Operation *op : turns)
      if (auto id = idAndThreads(op).first; users.contains(id) || ofTurns.contains(id))
        return found(op, "named barrier " + llvm::Twine(id) + " is one of turns and of something else");
    if (Finding finding = checkTurns(kernel, role, turns))
      return finding;
    for (Operation *op : turns)
      ofTurns.insert(idAndThreads(op).first);
  }
  return std::nullopt;
}

Finding checkNamedBarriers(MachineKernel &kernel, PingPongs &pingPongs) {
  std::map<uint32_t, BarrierUsers> users;
  llvm::DenseSet<Operation *> ofRoles;
  Finding finding;
  auto forEach = [&](auto around, auto visit) {
    around->walk([&](Operation *op) {
      if (!finding && isa<sm90::BarrierSyncOp, sm90::BarrierArriveOp>(op) && !isOfTurn(op))
        visit(op);
    });
  };
  for (MachineRole &role : kernel.roles)
    forEach(role.body, [&](Operation *op) {
      ofRoles.insert(op);
      BarrierUsers &known = users[idAndThreads(op).first];
      (isa<sm90::BarrierSyncOp>(op) ? known.waiting : known.arriving).insert(&role);
      if (kernel.performersOf(role, op).threads.size() != role.threads)
        finding = found(op, "not all threads of " + role.name + " reach this named barrier");
    });
  forEach(kernel.func, [&](Operation *op) { users[idAndThreads(op).first].isOfAll |= !ofRoles.contains(op); });
  forEach(kernel.func, [&](Operation *op) {
    const BarrierUsers &known = users[idAndThreads(op).first];
    finding = checkUsers(kernel, op, ofRoles.contains(op), known);
    if (known.isPingPong())
      pingPongs.try_emplace(idAndThreads(op).first, pingPongs.size());
  });
  if (!finding && pingPongs.size() > kMostPingPongBarriers)
    finding = found(kernel.func, "there are more ping-pong barriers than the prover supports");
  return finding ? finding : checkTurnsOf(kernel, users);
}

//===--- Registers ------------------------------------------------------------------------------------------------===//

/// Every setmaxnreg can be satisfied: the roles together have no more registers than the CTA had at entry.
Finding checkRegisters(MachineKernel &kernel) {
  uint32_t entry = kernel.info.entryRegisters.value_or(0), asked = 0;
  for (MachineRole &role : kernel.roles) {
    uint32_t has = entry;
    Finding finding;
    role.body->walk([&](sm90::SetMaxRegistersOp change) {
      bool raises = change.getChange() == sm90::RegisterChange::Inc;
      uint32_t count = change.getCount();
      if (change->getBlock() != role.body || has != entry)
        finding = found(change, role.name + " change their registers more than once");
      else if (raises ? count < has : count > has)
        finding =
            found(change, role.name + " have " + llvm::Twine(has) + " registers per thread, which setmaxnreg cannot " +
                              (raises ? "raise" : "lower") + " to " + llvm::Twine(count));
      has = count;
    });
    if (finding)
      return finding;
    asked += has * role.threads;
  }
  if (asked <= entry * kernel.info.threads)
    return std::nullopt;
  return found(kernel.func, "the roles ask for " + llvm::Twine(asked) + " registers, and " +
                                llvm::Twine(entry * kernel.info.threads) + " are there at entry");
}

} // namespace tawa::verify
