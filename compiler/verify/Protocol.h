// The state of all agents, barriers and asynchronous operations of a CTA, and the rules by which it changes.
//
// An agent stands for one or several warps that do the same. What a rule forbids (a race, a lost arrival, a phase that
// completes before a waiter has seen the last one) ends the proof; so does a state in which nobody can go on.
#pragma once

#include "compiler/verify/Accesses.h"
#include "compiler/verify/Number.h"

#include <string>

namespace tawa::verify {

/// Warps of one role that no comparison tells apart.
struct AgentInfo {
  std::string name;
  unsigned firstWarp = 0, warps = 1;
};

/// Why a kernel is not proved.
struct Finding {
  mlir::Operation *op = nullptr;
  std::string what;
};

enum class Step { Done, Blocked, Failed };

/// Groups of asynchronous operations of one thread or warp group: those committed, oldest first, and the open one.
struct Groups {
  llvm::SmallVector<Bits, 2> committed;
  Bits open;
  bool operator==(const Groups &) const = default;
};

struct AgentState {
  std::array<Known, kLaneClasses> known; ///< Per class of lanes.
  Groups products;                       ///< wgmma
  std::array<Groups, kLaneClasses> stores;
  std::array<Bits, kLaneClasses> copies; ///< cp.async that no arrival covers yet.
  unsigned registers = 0;
  bool needsProductFence = true; ///< Registers of an accumulator were written since the last wgmma.fence.
};

struct MBarrierState {
  bool initialized = false;
  bool parity = false;   ///< Of the phase that is not complete yet.
  uint8_t completed = 0; ///< Phases that are; 2 means two or more.
  int32_t count = 0, pending = 0;
  int64_t bytes = 0;        ///< Announced and not yet counted.
  Known arriving, complete; ///< What those know who arrived in this phase, in the last one.
  /// Per agent: how many phases ago the last one was that it waited for; 0: it has not waited yet.
  llvm::SmallVector<uint8_t, 8> behind;
};

struct NamedBarrierState {
  unsigned arrived = 0; ///< Warps.
  uint32_t threads = 0;
  uint64_t waiting = 0, released = 0; ///< Sets of agents.
  Known known;
};

inline constexpr unsigned kNamedBarriers = 16;

struct ProtocolState {
  Bits live; ///< Accesses that have been made and not been written over.
  std::vector<AgentState> agents;
  std::vector<MBarrierState> barriers;
  std::array<NamedBarrierState, kNamedBarriers> named;
  int64_t freeRegisters = 0;
  bool initFenced = false;

  /// Appends to a key all but what is known.
  void describe(std::vector<uint64_t> &key) const;
  /// Appends the rest.
  void describeKnown(std::vector<uint64_t> &key) const;
  void forgetAllBut(const Bits &accesses);
  /// Keeps what is known in the other state, too; true if that is less than before. Keys are equal.
  bool intersect(const ProtocolState &other);
};

/// The rules. One object for all states; a rule that is broken leaves a finding.
class Protocol {
public:
  explicit Protocol(std::vector<AgentInfo> agents) : agents(std::move(agents)) {}

  ProtocolState start(unsigned entryRegisters) const;
  /// The barrier at this address, made known by its initialization. None: no barrier is there.
  std::optional<unsigned> barrierAt(int64_t address) const;
  unsigned addBarrier(int64_t address, std::string name);

  /// What agent `agent` does with some of its lanes. All of these may be repeated after Blocked.
  struct Actor {
    ProtocolState &state;
    unsigned agent;
    Lanes lanes;
    mlir::Operation *op;
  };
  Step initialize(Actor actor, unsigned barrier, int32_t count);
  /// Made before any agent starts.
  Step initializeForAll(Actor actor, unsigned barrier, int32_t count);
  Step fenceInit(Actor actor);
  Step wait(Actor actor, unsigned barrier, bool parity);
  Step arrive(Actor actor, unsigned barrier, int64_t bytes = 0);
  Step asyncLoad(Actor actor, unsigned barrier, llvm::ArrayRef<Range> to, int64_t bytes);
  Step access(Actor actor, AccessKind kind, llvm::ArrayRef<Range> ranges);
  Step copy(Actor actor, llvm::ArrayRef<Range> to);
  Step arriveAfterCopies(Actor actor, unsigned barrier);
  Step multiply(Actor actor, llvm::ArrayRef<Range> from);
  Step commitProducts(Actor actor);
  Step waitProducts(Actor actor, unsigned pendings);
  Step store(Actor actor, llvm::ArrayRef<Range> from);
  Step commitStores(Actor actor);
  Step waitStores(Actor actor, unsigned pendings);
  Step syncWarp(Actor actor);
  Step fenceProxy(Actor actor);
  Step syncNamed(Actor actor, unsigned id, unsigned threads, bool waits);
  Step changeRegisters(Actor actor, bool increase, unsigned count);
  /// What must hold when an agent has come to its end, and when all have.
  Step finish(Actor actor);
  Step finishAll(ProtocolState &state);

  /// Who is in the way when nobody can go on.
  std::string describeWait(const ProtocolState &state, unsigned agent, unsigned barrier) const;

  const AgentInfo &info(unsigned agent) const { return agents[agent]; }
  const std::string &barrierName(unsigned barrier) const { return barrierNames[barrier]; }
  unsigned agentCount() const { return agents.size(); }
  const AccessTable &accesses() const { return table; }
  void forgetFinding() { found.reset(); }
  const std::optional<Finding> &finding() const { return found; }
  Step fail(mlir::Operation *op, std::string what);

private:
  /// Whoever begins an access must know that those it must not meet are over.
  Step check(Actor actor, unsigned access, Lanes lanes);
  /// The access has begun: nobody knows it to be over.
  void begin(ProtocolState &state, unsigned access);
  Step checkAndBegin(Actor actor, unsigned access);
  /// The same for each class of lanes: they access places of their own, so they need not know of each other.
  Step beginInLanes(Actor actor, AccessKind kind, llvm::ArrayRef<Range> ranges,
                    std::array<unsigned, kLaneClasses> &accesses);
  void renew(ProtocolState &state, unsigned access);
  Step checkUse(Actor actor, unsigned barrier);
  Step checkUsers(Actor actor, unsigned id, unsigned threads);
  /// Counts arrivals of the actor's lanes, who tell what they know.
  Step count(Actor actor, unsigned barrier, const std::array<Bits, kLaneClasses> *alsoDone = nullptr);
  /// Completes the phase if nothing is missing.
  Step settle(Actor actor, unsigned barrier);
  std::optional<unsigned> track(Actor actor, AccessKind kind, unsigned part, llvm::ArrayRef<Range> ranges);
  /// Numbers of what is not memory: a barrier's last phase, an agent's last wait for it, the initialization of all.
  std::optional<unsigned> event(Actor actor, AccessKind kind, unsigned agent, unsigned part);
  Known &knownBy(Actor actor, unsigned lane) { return actor.state.agents[actor.agent].known[lane]; }
  std::string nameOf(unsigned access) const;

  std::vector<AgentInfo> agents;
  AccessTable table;
  std::vector<int64_t> barrierAddresses;
  std::vector<std::string> barrierNames;
  std::array<uint64_t, kNamedBarriers> namedUsers{}; ///< Sets of agents, over all states.
  std::optional<Finding> found;
};

} // namespace tawa::verify
