// TMA: asynchronous copies of tensor boxes between global and shared memory, and st.async, which likewise counts its
// bytes on an mbarrier when they have landed. A copy is checked completely when it is issued; afterwards it cannot
// fail, so that it may run at any time, on any stack.
#pragma once

#include "runtime/emulator/TensorMap.h"
#include "runtime/emulator/VectorClock.h"

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace tawa::emu {

class Cluster;
struct Cta;
struct MBarrier;
struct Thread;

/// One copy, issued and not yet done. A multicast load is one copy per destination.
struct TmaCopy {
  const void *mapAddress = nullptr; ///< Null for st.async, which brings its bytes along.
  HostTensorMap map = {};           ///< As it was when the copy was checked.
  int32_t coordinates[5] = {};
  uint8_t bytes[16] = {}; ///< Of st.async, the first `count`.
  uint32_t count = 0;
  Cta *cta = nullptr;           ///< Whose shared memory.
  uint32_t offset = 0;          ///< There, from its first byte.
  MBarrier *mbarrier = nullptr; ///< Load: told of the bytes. Null for a store.
  uint32_t tick = 0;            ///< Load: of the barrier's agent.
  Thread *storer = nullptr;     ///< Store: whose bulk group it belongs to.
  uint64_t group = 0;           ///< Its number.
  bool adds = false;            ///< Store: f32 are added to what is there.
  Knowledge issuer;             ///< What the issuing warp knew: the bytes' reader learns it too.
};

/// The bulk groups of one thread, stores only (loads complete on mbarriers).
struct BulkStores {
  AgentId agent = 0;  ///< Reads of the thread's stores; 0 until its first one (0 is always a warp).
  uint32_t tick = 0;  ///< Of that agent: stores issued.
  uint64_t first = 0; ///< Number of the group groups[0].
  struct Group {
    uint32_t stores = 0;  ///< Issued in it.
    uint32_t pending = 0; ///< Of those, not yet done.
    uint32_t lastTick = 0;
  };
  std::vector<Group> groups; ///< Committed and not waited for, then the open one.

  Group &group(uint64_t number) { return groups[number - first]; }
  uint64_t openNumber() const { return first + groups.size() - 1; }
  void reset() { *this = BulkStores{}; }
};

class TmaQueue {
public:
  void reset(uint64_t seed, bool shuffle);
  bool empty() const { return waiting.empty(); }
  /// Whether a waiting copy uses this map.
  bool uses(const void *map) const;
  /// A new copy to fill in, then submit().
  TmaCopy &add() { return waiting.emplace_back(); }
  /// Runs the copy just added if `now`, else leaves it waiting.
  void submit(Cluster &cluster, bool now);
  /// Runs one waiting copy, if any.
  void runOne(Cluster &cluster);

private:
  void execute(Cluster &cluster, TmaCopy &copy);
  std::deque<TmaCopy> waiting;
  std::mt19937_64 random;
  bool shuffled = false;
};

} // namespace tawa::emu
