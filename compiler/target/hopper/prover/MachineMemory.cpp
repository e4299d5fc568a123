// Forward data-flow analysis of the accesses of a role to its private shared memory.
//
// All warps of a role run the same code, so one pass over it tracks what all of them have done so far and which threads
// know it to be over. There are finitely many accesses (places of the code), and joining at a loop header only weakens
// their state.
#include "compiler/target/hopper/prover/MachineMemory.h"

#include "compiler/target/hopper/prover/MachineAccesses.h"
#include "compiler/target/hopper/prover/MachineFlow.h"
#include "compiler/target/hopper/prover/MachineProducts.h"
#include "runtime/artifact/PtxShapes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

namespace {

using Kind = PrivateAccess::Kind;

/// State of the last execution of an access.
struct Status {
  static constexpr uint8_t kMostGroups = kMostPendings + 1; ///< Further back than any wait asks for.
  uint8_t age = 0;                                          ///< Asynchronous: commits since, its own included.
  Level over = Level::NoRole;                               ///< Known to be over.
  Level visible = Level::NoRole;                            ///< And to the async proxy.

  void join(const Status &other) {
    age = std::min(age, other.age);
    over = std::min(over, other.over);
    visible = std::min(visible, other.visible);
  }
  bool operator==(const Status &) const = default;
};

using State = std::map<unsigned, Status>; // by number of the access; none: it has not been made

/// The weaker of both; true if `state` changed.
bool joinStates(State &state, const State &other) {
  bool isWorse = false;
  for (const auto &[access, status] : other) {
    auto [entry, isNew] = state.try_emplace(access, status);
    Status before = entry->second;
    entry->second.join(status);
    isWorse |= isNew || !(before == entry->second);
  }
  return isWorse;
}

class MemoryCheck : public MachineFlow<State> {
public:
  MemoryCheck(MachineKernel &kernel, MachineRole &role, const MachineRings &rings)
      : kernel(kernel), role(role), accesses(kernel, role, rings) {}

  std::optional<RoleFinding> run() {
    finding = accesses.finding();
    State state;
    runBlock(*role.body, state);
    for (const auto &[number, status] : state)
      if (accesses[number].kind == Kind::Store && status.over == Level::NoRole)
        fail(accesses[number].op, role.name + " may end while this store still reads shared memory");
    return finding;
  }

private:
  void execute(Operation &op, State &state) override;
  bool join(State &state, const State &other) override { return joinStates(state, other); }
  bool matters(Operation *op) override { return accesses.matters(op); }
  void make(unsigned number, State &state);
  bool isOrdered(const PrivateAccess &before, const Status &status, const PrivateAccess &access);
  void commit(State &state, Kind kind, const std::vector<unsigned> &threads);
  void wait(State &state, Kind kind, unsigned pendings);
  void release(Operation *arrival, unsigned ring, State &state);
  void permit(Operation *arrival, const State &state);
  bool isByAll(Operation *op) { return kernel.performersOf(role, op).threads.size() == role.threads; }

  MachineKernel &kernel;
  MachineRole &role;
  PrivateAccesses accesses;
};

void raise(State &state, Level level) {
  for (auto &[number, status] : state) {
    if (status.over != Level::NoRole)
      status.over = std::max(status.over, level);
    if (status.visible != Level::NoRole)
      status.visible = std::max(status.visible, level);
  }
}

//===--- Rules ----------------------------------------------------------------------------------------------------===//

/// Whether the threads of `access` know that `before` is over (and visible, if needed) in all threads whose bytes
/// overlap.
bool MemoryCheck::isOrdered(const PrivateAccess &before, const Status &status, const PrivateAccess &access) {
  bool areAtomics = before.kind == Kind::Atomic && access.kind == Kind::Atomic;
  if (areAtomics || (!before.writes() && !access.writes()))
    return true;
  Meeting meeting = accesses.meetingOf(before, access);
  if (meeting == Meeting::None || (before.number == access.number && !access.isAsync()))
    return true; // a layout gives each element to one thread
  Level needed = meeting == Meeting::InWarp ? Level::Warp : Level::Role;
  if (before.threads.size() == 1 && before.threads == access.threads)
    needed = Level::Thread;
  bool crossesProxies = before.writes() && access.isAsync();
  return status.over >= needed && (!crossesProxies || status.visible >= needed);
}

void MemoryCheck::make(unsigned number, State &state) {
  const PrivateAccess &access = accesses[number];
  bool readsTile = access.ring && (access.kind == Kind::Read || access.kind == Kind::Product);
  for (const auto &[other, status] : state)
    if (readsTile && accesses[other].ring == access.ring && accesses[other].writes())
      return fail(access.op,
                  "this reads a slot of ring " + llvm::Twine(*access.ring) + " that the role has written to");
  for (const auto &[other, status] : state)
    if (!isOrdered(accesses[other], status, access))
      return fail(access.op, describe(access.kind) + llvm::Twine(" may meet ") + describe(accesses[other].kind) +
                                 " of the same bytes (" + accesses[other].op->getName().getStringRef() + ")");
  Status made;
  if (!access.isAsync())
    made.over = Level::Thread;
  state[number] = made;
}

void MemoryCheck::commit(State &state, Kind kind, const std::vector<unsigned> &threads) {
  for (auto &[number, status] : state) {
    const PrivateAccess &access = accesses[number];
    if (access.kind == kind && status.over == Level::NoRole && (access.threads == threads || status.age != 0))
      status.age = std::min<uint8_t>(status.age + 1, Status::kMostGroups);
  }
}

void MemoryCheck::wait(State &state, Kind kind, unsigned pendings) {
  for (auto &[number, status] : state)
    if (accesses[number].kind == kind && status.over == Level::NoRole && status.age > pendings)
      status.over = kind == Kind::Product ? Level::Warp : Level::Thread; // all lanes waited for a product
}

/// One lane releases a slot for its warp: all lanes must have read, and what they wrote there is stored. TMA fills the
/// slot next.
void MemoryCheck::release(Operation *arrival, unsigned ring, State &state) {
  Level needed = isByAll(arrival) ? Level::Thread : Level::Warp;
  for (const auto &[number, status] : state) {
    if (accesses[number].ring != ring)
      continue;
    if (status.over < needed)
      fail(arrival,
           "a lane gives back a slot of ring " + llvm::Twine(ring) + " that others of its warp may still read");
    if (accesses[number].writes() && status.visible < needed)
      fail(arrival, "a slot of ring " + llvm::Twine(ring) + " is given back without a fence after writes to it");
  }
  if (accesses.isWritten(ring) && kernel.performersOf(role, arrival).conditions.empty())
    std::erase_if(state, [&](const auto &entry) { return accesses[entry.first].ring == ring; });
}

/// One lane lets a peer write for its warp: all lanes must have read.
void MemoryCheck::permit(Operation *arrival, const State &state) {
  for (const auto &[number, status] : state)
    if (accesses[number].kind == Kind::Read && status.over < Level::Warp)
      fail(arrival, "a lane tells another CTA that bytes are free which others of its warp may still read");
}

//===--- Code -----------------------------------------------------------------------------------------------------===//

void MemoryCheck::execute(Operation &op, State &state) {
  if (auto number = accesses.madeAt(&op))
    return make(*number, state);
  llvm::TypeSwitch<Operation *>(&op)
      .Case<sm90::FenceProxyAsyncOp>([&](auto fence) {
        if (isByAll(fence))
          for (auto &[number, status] : state)
            status.visible = std::max(status.visible, status.over);
      })
      .Case<sm90::WarpSyncOp>([&](auto sync) {
        if (isByAll(sync))
          raise(state, Level::Warp);
      })
      .Case<sm90::BarrierSyncOp>([&](auto sync) {
        if (meetsIn(sync, role))
          raise(state, Level::Role);
      })
      .Case<sm90::BulkCommitOp>(
          [&](auto commit) { this->commit(state, Kind::Store, kernel.performersOf(role, commit).threads); })
      .Case<sm90::BulkWaitOp>([&](auto wait) {
        if (isByAll(wait))
          this->wait(state, Kind::Store, wait.getPendings());
      })
      .Case<sm90::WgmmaCommitOp>(
          [&](auto commit) { this->commit(state, Kind::Product, kernel.performersOf(role, commit).threads); })
      .Case<sm90::WgmmaWaitOp>([&](auto wait) { this->wait(state, Kind::Product, wait.getPendings()); })
      .Case<sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp>([&](auto arrival) {
        if (auto ring = accesses.rings().releasedBy(arrival))
          release(arrival, *ring, state);
        if (accesses.rings().isOfSum(arrival))
          permit(arrival, state);
      });
}

} // namespace

std::optional<RoleFinding> checkMemory(MachineKernel &kernel, MachineRole &role, const MachineRings &rings) {
  return MemoryCheck(kernel, role, rings).run();
}

} // namespace tawa::verify
