// See Protocol.h. Memory and mbarriers here; groups of asynchronous operations, named barriers and registers are in
// ProtocolGroups.cpp.
#include "compiler/verify/Protocol.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

namespace tawa::verify {

static constexpr int64_t kBarrierBytes = 8;

Step Protocol::fail(mlir::Operation *op, std::string what) {
  if (!found)
    found = Finding{op, std::move(what)};
  return Step::Failed;
}

ProtocolState Protocol::start(unsigned entryRegisters) const {
  ProtocolState state;
  state.agents.resize(agents.size());
  for (AgentState &agent : state.agents)
    agent.registers = entryRegisters;
  return state;
}

std::optional<unsigned> Protocol::barrierAt(int64_t address) const {
  auto found = llvm::find(barrierAddresses, address);
  return found == barrierAddresses.end() ? std::nullopt : std::optional<unsigned>(found - barrierAddresses.begin());
}

unsigned Protocol::addBarrier(int64_t address, std::string name) {
  if (auto known = barrierAt(address))
    return *known;
  barrierAddresses.push_back(address);
  barrierNames.push_back(std::move(name));
  return barrierAddresses.size() - 1;
}

//===--- Accesses
//-------------------------------------------------------------------------------------------------------===//

static const char *verbOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "a read";
  case AccessKind::Write:
    return "a write";
  case AccessKind::AsyncRead:
    return "an asynchronous read";
  case AccessKind::AsyncWrite:
    return "an asynchronous write";
  default:
    return "a barrier";
  }
}

std::string Protocol::nameOf(unsigned access) const {
  const Access &made = table[access];
  return std::string(verbOf(made.kind)) + " by " + agents[made.agent].name + " ('" +
         made.op->getName().getStringRef().str() + "')";
}

/// Executed once more: whatever is known is about the time before.
void Protocol::renew(ProtocolState &state, unsigned access) {
  for (AgentState &agent : state.agents) {
    for (Known &known : agent.known)
      known.forget(access);
    agent.products.open.reset(access);
    for (Bits &group : agent.products.committed)
      group.reset(access);
    for (Groups &groups : agent.stores) {
      groups.open.reset(access);
      for (Bits &group : groups.committed)
        group.reset(access);
    }
  }
  for (MBarrierState &barrier : state.barriers) {
    barrier.arriving.forget(access);
    barrier.complete.forget(access);
  }
  for (NamedBarrierState &barrier : state.named)
    barrier.known.forget(access);
}

std::optional<unsigned> Protocol::track(Actor actor, AccessKind kind, unsigned part, llvm::ArrayRef<Range> ranges) {
  size_t before = table.size();
  auto access = table.find(kind, actor.op, actor.agent, part, ranges);
  if (!access)
    fail(actor.op, "the kernel has more accesses to shared memory than are followed");
  if (table.size() == before)
    return access;
  for (auto [barrier, address] : llvm::enumerate(barrierAddresses))
    for (const Range &range : ranges)
      if (range.begin < address + kBarrierBytes && address < range.end) {
        fail(actor.op, std::string(verbOf(kind)) + " touches barrier " + barrierNames[barrier]);
        return std::nullopt;
      }
  return access;
}

Step Protocol::check(Actor actor, unsigned access, Lanes lanes) {
  const ProtocolState &state = actor.state;
  AccessKind kind = table[access].kind;
  Bits met = table.conflicts(access) & state.live;
  for (unsigned lane = 0; met.any() && lane < kLaneClasses; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    const Known &known = knownBy(actor, lane);
    if (auto first = (met - known.done).first())
      return fail(actor.op, std::string(verbOf(kind)) + " by " + agents[actor.agent].name + " may meet " +
                                nameOf(*first) + " of the same bytes");
    auto unfenced = ((met & table.genericWrites()) - known.visible).first();
    if (kind == AccessKind::AsyncRead && unfenced)
      return fail(actor.op, "no fence makes " + nameOf(*unfenced) + " visible to the async proxy");
  }
  return Step::Done;
}

void Protocol::begin(ProtocolState &state, unsigned access) {
  state.live -= table.covered(access);
  state.live.set(access);
  renew(state, access);
}

Step Protocol::checkAndBegin(Actor actor, unsigned access) {
  if (check(actor, access, actor.lanes) == Step::Failed)
    return Step::Failed;
  begin(actor.state, access);
  return Step::Done;
}

Step Protocol::beginInLanes(Actor actor, AccessKind kind, llvm::ArrayRef<Range> ranges,
                            std::array<unsigned, kLaneClasses> &accesses) {
  for (unsigned lane = 0; lane < kLaneClasses; ++lane) {
    if (!(actor.lanes >> lane & 1))
      continue;
    auto access = track(actor, kind, lane, ranges);
    if (!access || check(actor, *access, Lanes(1) << lane) == Step::Failed)
      return Step::Failed;
    accesses[lane] = *access;
  }
  for (unsigned lane = 0; lane < kLaneClasses; ++lane)
    if (actor.lanes >> lane & 1)
      begin(actor.state, accesses[lane]);
  return Step::Done;
}

Step Protocol::access(Actor actor, AccessKind kind, llvm::ArrayRef<Range> ranges) {
  std::array<unsigned, kLaneClasses> accesses;
  if (beginInLanes(actor, kind, ranges, accesses) == Step::Failed)
    return Step::Failed;
  for (unsigned lane = 0; lane < kLaneClasses; ++lane)
    if (actor.lanes >> lane & 1)
      knownBy(actor, lane).done.set(accesses[lane]);
  return Step::Done;
}

//===--- mbarriers
//------------------------------------------------------------------------------------------------------===//

static bool isOneThread(Lanes lanes, const AgentInfo &info) { return countLanes(lanes) * info.warps == 1; }

std::optional<unsigned> Protocol::event(Actor actor, AccessKind kind, unsigned agent, unsigned part) {
  auto number = table.find(kind, nullptr, agent, part);
  if (!number)
    fail(actor.op, "the kernel has more accesses to shared memory than are followed");
  return number;
}

Step Protocol::initialize(Actor actor, unsigned barrier, int32_t count) {
  if (!isOneThread(actor.lanes, agents[actor.agent]))
    return fail(actor.op, "more than one thread initializes a barrier");
  ProtocolState &state = actor.state;
  state.barriers.resize(std::max<size_t>(state.barriers.size(), barrier + 1));
  MBarrierState &made = state.barriers[barrier];
  if (made.initialized)
    return fail(actor.op, "barrier " + barrierNames[barrier] + " is initialized twice");
  made.initialized = true;
  made.count = made.pending = count;
  made.behind.resize(agents.size());
  auto phase = event(actor, AccessKind::Phase, 0, barrier), init = event(actor, AccessKind::Init, 0, 0);
  if (!phase || !init)
    return Step::Failed;
  renew(state, *init);
  Known &own = knownBy(actor, llvm::countr_zero(actor.lanes));
  own.done.set(*phase);
  own.done.set(*init);
  state.initFenced = false;
  return Step::Done;
}

Step Protocol::initializeForAll(Actor actor, unsigned barrier, int32_t count) {
  actor.lanes = kLaneZero;
  if (initialize(actor, barrier, count) == Step::Failed)
    return Step::Failed;
  Known all = knownBy(actor, 0);
  for (AgentState &agent : actor.state.agents)
    for (Known &known : agent.known)
      known |= all;
  return fenceInit(actor);
}

Step Protocol::fenceInit(Actor actor) {
  actor.state.initFenced = true;
  return Step::Done;
}

Step Protocol::checkUse(Actor actor, unsigned barrier) {
  auto init = event(actor, AccessKind::Init, 0, 0);
  if (!init)
    return Step::Failed;
  bool made = barrier < actor.state.barriers.size() && actor.state.barriers[barrier].initialized;
  for (unsigned lane = 0; lane < kLaneClasses; ++lane)
    if (actor.lanes >> lane & 1)
      made &= knownBy(actor, lane).done.test(*init);
  if (!made)
    return fail(actor.op, "barrier " + barrierNames[barrier] + " is used before " + agents[actor.agent].name +
                              " knows it to be initialized");
  return Step::Done;
}

Step Protocol::wait(Actor actor, unsigned barrier, bool parity) {
  if (checkUse(actor, barrier) == Step::Failed)
    return Step::Failed;
  MBarrierState &state = actor.state.barriers[barrier];
  uint8_t &behind = state.behind[actor.agent];
  const std::string &name = agents[actor.agent].name;
  if (behind == 0) {
    // Phase -1 counts as complete, so the first wait is for that one or for phase 0.
    int ahead = state.completed - (parity ? -1 : 0);
    if (ahead > 1)
      return fail(actor.op, "barrier " + barrierNames[barrier] + " has gone on before " + name + " waits for it");
    if (ahead == 0)
      return Step::Blocked;
  } else {
    bool lastParity = state.parity ^ (behind & 1);
    if (parity == lastParity && behind > 1)
      return fail(actor.op, name + " waits for a phase of barrier " + barrierNames[barrier] +
                                " that it has seen, after the next one");
    if (parity != lastParity && behind == 1)
      return Step::Blocked;
  }
  behind = 1;
  auto seen = event(actor, AccessKind::Wait, actor.agent, barrier);
  if (!seen)
    return Step::Failed;
  renew(actor.state, *seen);
  for (unsigned lane = 0; lane < kLaneClasses; ++lane)
    if (actor.lanes >> lane & 1) {
      knownBy(actor, lane) |= state.complete;
      knownBy(actor, lane).done.set(*seen);
    }
  return Step::Done;
}

Step Protocol::count(Actor actor, unsigned barrier, const std::array<Bits, kLaneClasses> *alsoDone) {
  if (checkUse(actor, barrier) == Step::Failed)
    return Step::Failed;
  auto phase = event(actor, AccessKind::Phase, 0, barrier);
  if (!phase)
    return Step::Failed;
  MBarrierState &state = actor.state.barriers[barrier];
  for (unsigned lane = 0; lane < kLaneClasses; ++lane) {
    if (!(actor.lanes >> lane & 1))
      continue;
    if (!knownBy(actor, lane).done.test(*phase))
      return fail(actor.op, "an arrival of " + agents[actor.agent].name +
                                " may come before the last phase of barrier " + barrierNames[barrier] + " is complete");
    state.arriving |= knownBy(actor, lane);
    if (alsoDone)
      state.arriving.done |= (*alsoDone)[lane];
  }
  state.pending -= countLanes(actor.lanes) * agents[actor.agent].warps;
  if (state.pending < 0)
    return fail(actor.op, "more arrivals at barrier " + barrierNames[barrier] + " than the " +
                              std::to_string(state.count) + " of its initialization");
  return Step::Done;
}

Step Protocol::arrive(Actor actor, unsigned barrier, int64_t bytes) {
  if (count(actor, barrier) == Step::Failed)
    return Step::Failed;
  actor.state.barriers[barrier].bytes += bytes * countLanes(actor.lanes) * agents[actor.agent].warps;
  return settle(actor, barrier);
}

Step Protocol::settle(Actor actor, unsigned barrier) {
  MBarrierState &state = actor.state.barriers[barrier];
  if (state.pending != 0 || state.bytes != 0)
    return Step::Done;
  for (unsigned agent = 0; agent < agents.size(); ++agent) {
    if (state.behind[agent] == 0)
      continue;
    auto seen = event(actor, AccessKind::Wait, agent, barrier);
    if (!seen)
      return Step::Failed;
    if (state.behind[agent] != 1 || !state.arriving.done.test(*seen))
      return fail(actor.op, "barrier " + barrierNames[barrier] + " may complete a phase before " + agents[agent].name +
                                " has seen the one before: one bit of parity cannot tell them apart");
    ++state.behind[agent];
  }
  auto phase = event(actor, AccessKind::Phase, 0, barrier);
  if (!phase)
    return Step::Failed;
  Known complete = state.arriving;
  renew(actor.state, *phase);
  complete.done.set(*phase);
  state.complete = complete;
  state.arriving = {};
  state.pending = state.count;
  state.parity = !state.parity;
  state.completed = std::min(state.completed + 1, 2);
  return Step::Done;
}

Step Protocol::asyncLoad(Actor actor, unsigned barrier, llvm::ArrayRef<Range> to, int64_t bytes) {
  if (checkUse(actor, barrier) == Step::Failed)
    return Step::Failed;
  if (!isOneThread(actor.lanes, agents[actor.agent]))
    return fail(actor.op, "more than one thread starts a copy of a tile");
  if (!actor.state.initFenced)
    return fail(actor.op, "no fence makes the barriers' initialization visible to the async proxy");
  auto access = track(actor, AccessKind::AsyncWrite, barrier, to);
  if (!access || checkAndBegin(actor, *access) == Step::Failed)
    return Step::Failed;
  MBarrierState &state = actor.state.barriers[barrier];
  state.bytes -= bytes;
  state.arriving |= knownBy(actor, llvm::countr_zero(actor.lanes));
  state.arriving.done.set(*access);
  return settle(actor, barrier);
}

std::string Protocol::describeWait(const ProtocolState &state, unsigned agent, unsigned barrier) const {
  const MBarrierState &waited = state.barriers[barrier];
  std::string text = agents[agent].name + " waits for barrier " + barrierNames[barrier] + ", which lacks " +
                     std::to_string(waited.pending) + " of " + std::to_string(waited.count) + " arrivals";
  if (waited.bytes != 0)
    text += " and " + std::to_string(waited.bytes) + " bytes";
  return text;
}

} // namespace tawa::verify
