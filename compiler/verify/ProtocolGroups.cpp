// Groups of asynchronous operations, warps, named barriers, registers, and what holds at the end (see Protocol.h).
#include "compiler/verify/Protocol.h"

#include "llvm/ADT/STLExtras.h"

namespace tawa::verify {

static constexpr size_t kMostGroups = 16; // more in flight means that nobody waits for them
static constexpr unsigned kLanesOfWarp = 32;

/// Calls `visit` with every class of lanes in the set.
template <typename Visit> static void forEachLane(Lanes lanes, Visit visit) {
  for (unsigned lane = 0; lane < kLaneClasses; ++lane)
    if (lanes >> lane & 1)
      visit(lane);
}

//===--- wgmma
//----------------------------------------------------------------------------------------------------------===//

Step Protocol::multiply(Actor actor, llvm::ArrayRef<Range> from) {
  AgentState &agent = actor.state.agents[actor.agent];
  if (actor.lanes != kAllLanes)
    return fail(actor.op, "wgmma needs all threads of its warps");
  if (agent.needsProductFence)
    return fail(actor.op, "no wgmma.fence stands between the last write of registers and this product");
  auto access = track(actor, AccessKind::AsyncRead, 0, from);
  if (!access || checkAndBegin(actor, *access) == Step::Failed)
    return Step::Failed;
  agent.products.open.set(*access);
  return Step::Done;
}

Step Protocol::commitProducts(Actor actor) {
  Groups &products = actor.state.agents[actor.agent].products;
  if (products.committed.size() == kMostGroups)
    return fail(actor.op, "nobody waits for the dots of " + agents[actor.agent].name);
  products.committed.push_back(products.open);
  products.open = {};
  return Step::Done;
}

/// Takes the oldest groups off until `pendings` are left; gives what they did.
static Bits retire(Groups &groups, unsigned pendings) {
  Bits done;
  while (groups.committed.size() > pendings) {
    done |= groups.committed.front();
    groups.committed.erase(groups.committed.begin());
  }
  return done;
}

Step Protocol::waitProducts(Actor actor, unsigned pendings) {
  AgentState &agent = actor.state.agents[actor.agent];
  Bits done = retire(agent.products, pendings);
  for (Known &known : agent.known)
    known.done |= done;
  return Step::Done;
}

//===--- Copies: cp.async, TMA stores
//-----------------------------------------------------------------------------------===//

Step Protocol::copy(Actor actor, llvm::ArrayRef<Range> to) {
  std::array<unsigned, kLaneClasses> accesses;
  if (beginInLanes(actor, AccessKind::Write, to, accesses) == Step::Failed)
    return Step::Failed;
  forEachLane(actor.lanes, [&](unsigned lane) { actor.state.agents[actor.agent].copies[lane].set(accesses[lane]); });
  return Step::Done;
}

Step Protocol::arriveAfterCopies(Actor actor, unsigned barrier) {
  AgentState &agent = actor.state.agents[actor.agent];
  if (count(actor, barrier, &agent.copies) == Step::Failed)
    return Step::Failed;
  forEachLane(actor.lanes, [&](unsigned lane) { agent.copies[lane] = {}; });
  return settle(actor, barrier);
}

Step Protocol::store(Actor actor, llvm::ArrayRef<Range> from) {
  if (countLanes(actor.lanes) != 1)
    return fail(actor.op, "more than one lane stores the same tile");
  unsigned lane = llvm::countr_zero(actor.lanes);
  auto access = track(actor, AccessKind::AsyncRead, lane, from);
  if (!access || checkAndBegin(actor, *access) == Step::Failed)
    return Step::Failed;
  actor.state.agents[actor.agent].stores[lane].open.set(*access);
  return Step::Done;
}

Step Protocol::commitStores(Actor actor) {
  forEachLane(actor.lanes, [&](unsigned lane) {
    Groups &stores = actor.state.agents[actor.agent].stores[lane];
    stores.committed.push_back(stores.open);
    stores.open = {};
    if (stores.committed.size() > kMostGroups)
      fail(actor.op, "nobody waits for the stores of " + agents[actor.agent].name);
  });
  return found ? Step::Failed : Step::Done;
}

Step Protocol::waitStores(Actor actor, unsigned pendings) {
  AgentState &agent = actor.state.agents[actor.agent];
  forEachLane(actor.lanes, [&](unsigned lane) { agent.known[lane].done |= retire(agent.stores[lane], pendings); });
  return Step::Done;
}

//===--- Warps and named barriers
//---------------------------------------------------------------------------------------===//

Step Protocol::syncWarp(Actor actor) {
  if (actor.lanes != kAllLanes)
    return fail(actor.op, "not all lanes come to this barrier of the warp");
  AgentState &agent = actor.state.agents[actor.agent];
  Known all = agent.known[0];
  for (Known &known : agent.known)
    all |= known;
  agent.known.fill(all);
  return Step::Done;
}

Step Protocol::fenceProxy(Actor actor) {
  forEachLane(actor.lanes, [&](unsigned lane) { knownBy(actor, lane).visible |= knownBy(actor, lane).done; });
  return Step::Done;
}

/// A barrier that more warps use than it counts would at times be completed by the wrong ones.
Step Protocol::checkUsers(Actor actor, unsigned id, unsigned threads) {
  namedUsers[id] |= uint64_t(1) << actor.agent;
  unsigned warps = 0;
  for (unsigned agent = 0; agent < agents.size(); ++agent)
    if (namedUsers[id] >> agent & 1)
      warps += agents[agent].warps;
  if (warps * kLanesOfWarp > threads)
    return fail(actor.op, "named barrier " + std::to_string(id) + " counts " + std::to_string(threads) +
                              " threads, and " + std::to_string(warps * kLanesOfWarp) + " use it");
  return Step::Done;
}

Step Protocol::syncNamed(Actor actor, unsigned id, unsigned threads, bool waits) {
  if (actor.lanes != kAllLanes)
    return fail(actor.op, "not all lanes come to named barrier " + std::to_string(id));
  NamedBarrierState &barrier = actor.state.named[id];
  uint64_t self = uint64_t(1) << actor.agent;
  if (checkUsers(actor, id, threads) == Step::Failed)
    return Step::Failed;
  if (barrier.released & self) {
    barrier.released &= ~self;
    return Step::Done;
  }
  if (barrier.waiting & self)
    return Step::Blocked;
  if (barrier.arrived != 0 && barrier.threads != threads)
    return fail(actor.op, "named barrier " + std::to_string(id) + " is used with " + std::to_string(barrier.threads) +
                              " and with " + std::to_string(threads) + " threads");
  barrier.threads = threads;
  barrier.arrived += agents[actor.agent].warps;
  for (unsigned lane = 0; lane < kLaneClasses; ++lane)
    barrier.known |= knownBy(actor, lane);
  if (waits)
    barrier.waiting |= self;
  if (barrier.arrived * kLanesOfWarp > threads)
    return fail(actor.op, "more threads come to named barrier " + std::to_string(id) + " than the " +
                              std::to_string(threads) + " it counts");
  if (barrier.arrived * kLanesOfWarp < threads)
    return waits ? Step::Blocked : Step::Done;
  for (unsigned agent = 0; agent < agents.size(); ++agent)
    if (barrier.waiting >> agent & 1)
      for (Known &known : actor.state.agents[agent].known)
        known |= barrier.known;
  uint64_t others = barrier.waiting & ~self;
  barrier = {};
  barrier.released = others;
  return Step::Done;
}

//===--- Registers
//------------------------------------------------------------------------------------------------------===//

Step Protocol::changeRegisters(Actor actor, bool increase, unsigned count) {
  AgentState &agent = actor.state.agents[actor.agent];
  if (actor.lanes != kAllLanes)
    return fail(actor.op, "setmaxnreg needs all threads of its warps");
  if (increase ? count < agent.registers : count > agent.registers)
    return fail(actor.op, agents[actor.agent].name + " has " + std::to_string(agent.registers) +
                              " registers per thread, which setmaxnreg cannot " + (increase ? "raise" : "lower") +
                              " to " + std::to_string(count));
  int64_t change = (int64_t(count) - agent.registers) * agents[actor.agent].warps * kLanesOfWarp;
  if (change > actor.state.freeRegisters)
    return Step::Blocked;
  actor.state.freeRegisters -= change;
  agent.registers = count;
  return Step::Done;
}

//===--- The end
//--------------------------------------------------------------------------------------------------------===//

Step Protocol::finish(Actor actor) {
  const AgentState &agent = actor.state.agents[actor.agent];
  const std::string &name = agents[actor.agent].name;
  if (!agent.products.committed.empty() || agent.products.open.any())
    return fail(actor.op, name + " ends with dots in flight");
  for (const Groups &stores : agent.stores)
    if (!stores.committed.empty() || stores.open.any())
      return fail(actor.op, name + " ends while stores may still read shared memory");
  for (const Bits &copies : agent.copies)
    if (copies.any())
      return fail(actor.op, name + " ends with copies that no barrier waits for");
  return Step::Done;
}

/// Every tile that was fetched has been waited for: nothing lands in the shared memory of a CTA that is gone.
Step Protocol::finishAll(ProtocolState &state) {
  Bits landed;
  for (const AgentState &agent : state.agents)
    for (const Known &known : agent.known)
      landed |= known.done;
  Bits flying = (state.live & table.asyncWrites()) - landed;
  if (auto first = flying.first())
    return fail(table[*first].op, "nobody has waited for " + nameOf(*first) + " when the kernel ends");
  return Step::Done;
}

//===--- States as keys
//-------------------------------------------------------------------------------------------------===//

/// Without the zeros at the end: most sets are small.
static void describe(std::vector<uint64_t> &key, const Bits &bits) {
  size_t used = Bits::kWords;
  while (used != 0 && bits.raw()[used - 1] == 0)
    --used;
  key.push_back(used);
  key.insert(key.end(), bits.raw().begin(), bits.raw().begin() + used);
}

static void describe(std::vector<uint64_t> &key, const Groups &groups) {
  key.push_back(groups.committed.size());
  for (const Bits &group : groups.committed)
    describe(key, group);
  describe(key, groups.open);
}

void ProtocolState::describe(std::vector<uint64_t> &key) const {
  verify::describe(key, live);
  for (const AgentState &agent : agents) {
    for (unsigned lane = 0; lane < kLaneClasses; ++lane) {
      verify::describe(key, agent.stores[lane]);
      verify::describe(key, agent.copies[lane]);
    }
    verify::describe(key, agent.products);
    key.push_back(uint64_t(agent.registers) << 1 | agent.needsProductFence);
  }
  for (const MBarrierState &barrier : barriers) {
    key.push_back(uint64_t(barrier.initialized) | uint64_t(barrier.parity) << 1 | uint64_t(barrier.completed) << 2 |
                  uint64_t(uint32_t(barrier.pending)) << 8);
    key.push_back(barrier.bytes);
    for (uint8_t behind : barrier.behind)
      key.push_back(behind);
  }
  for (const NamedBarrierState &barrier : named) {
    key.push_back(uint64_t(barrier.arrived) << 32 | barrier.threads);
    key.push_back(barrier.waiting);
    key.push_back(barrier.released);
  }
  key.push_back(freeRegisters);
  key.push_back(initFenced);
}

/// Calls `visit` with each set of what somebody or some barrier knows, in an order of its own.
template <typename State, typename Visit> static void forEachKnown(State &state, Visit visit) {
  for (auto &agent : state.agents)
    for (auto &known : agent.known)
      visit(known);
  for (auto &barrier : state.barriers) {
    visit(barrier.arriving);
    visit(barrier.complete);
  }
  for (auto &barrier : state.named)
    visit(barrier.known);
}

void ProtocolState::describeKnown(std::vector<uint64_t> &key) const {
  forEachKnown(*this, [&](const Known &known) {
    verify::describe(key, known.done);
    verify::describe(key, known.visible);
  });
}

void ProtocolState::forgetAllBut(const Bits &accesses) {
  forEachKnown(*this, [&](Known &known) {
    known.done &= accesses;
    known.visible &= accesses;
  });
}

bool ProtocolState::intersect(const ProtocolState &other) {
  llvm::SmallVector<const Known *> others;
  forEachKnown(other, [&](const Known &known) { others.push_back(&known); });
  bool isLess = false;
  auto next = others.begin();
  forEachKnown(*this, [&](Known &known) {
    Known before = known;
    known.done &= (*next)->done;
    known.visible &= (*next++)->visible;
    isLess |= !(known == before);
  });
  return isLess;
}

} // namespace tawa::verify
