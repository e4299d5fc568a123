// An agent's knowledge of the others' progress, for the race detector. An agent is anything that accesses shared memory
// independently: a warp, the TMA unit on behalf of one mbarrier, a warp group's wgmma, a thread's bulk stores.
//
// Tick t of agent a in another agent's clock: everything a did up to its tick t happened before that agent's next
// access.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tawa::emu {

using AgentId = uint16_t;

class VectorClock {
public:
  uint32_t operator[](AgentId agent) const { return agent < ticks.size() ? ticks[agent] : 0; }

  void raise(AgentId agent, uint32_t tick) {
    if (agent >= ticks.size())
      ticks.resize(agent + 1u);
    ticks[agent] = std::max(ticks[agent], tick);
  }

  /// Adds the knowledge of `other`.
  void join(const VectorClock &other) {
    if (other.ticks.size() > ticks.size())
      ticks.resize(other.ticks.size());
    for (size_t i = 0, n = other.ticks.size(); i < n; ++i)
      ticks[i] = std::max(ticks[i], other.ticks[i]);
  }

  /// Keeps only knowledge shared with `other`.
  void meet(const VectorClock &other) {
    if (ticks.size() > other.ticks.size())
      ticks.resize(other.ticks.size());
    for (size_t i = 0, n = ticks.size(); i < n; ++i)
      ticks[i] = std::min(ticks[i], other.ticks[i]);
  }

  void clear() { ticks.clear(); }

private:
  std::vector<uint32_t> ticks; // missing ones are 0
};

/// The two clocks of sm90's memory model. `seen` orders ordinary accesses. `async` is the part of it that the async
/// proxy (TMA, wgmma) sees: ordinary writes enter it only through fence.proxy.async, which copies `seen` to it.
/// Ticks of asynchronous agents are the same in both.
struct Knowledge {
  VectorClock seen;
  VectorClock async;

  void join(const Knowledge &other) {
    seen.join(other.seen);
    async.join(other.async);
  }
  void meet(const Knowledge &other) {
    seen.meet(other.seen);
    async.meet(other.async);
  }
  void raise(AgentId agent, uint32_t tick) {
    seen.raise(agent, tick);
    async.raise(agent, tick);
  }
  void clear() {
    seen.clear();
    async.clear();
  }
};

/// Knowledge that threads release into a synchronization object. The 32 lanes of a warp mostly release the same: the
/// last releasing warp, with the version of its knowledge, is recorded to avoid joining it again.
struct GatheredKnowledge : Knowledge {
  const void *lastWarp = nullptr;
  uint64_t lastVersion = 0;

  void clear() {
    Knowledge::clear();
    lastWarp = nullptr;
  }
};

} // namespace tawa::emu
