// Barriers of CTA, warp and cluster, proxy fence, elect, shuffle (PTX ISA, "bar", "bar.warp.sync", "barrier.cluster",
// "fence", "elect.sync", "shfl.sync", "mapa").
#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <bit>

namespace tawa::emu {

// --- named barriers --------------------------------------------------------------------------------------------------

/// All have arrived: the waiting threads learn what all have released, and the barrier is free again.
static void completeNamedBarrier(Cluster &cluster, NamedBarrier &barrier) {
  const Warp *taught = nullptr;
  while (Thread *thread = barrier.waiters.pop()) {
    if (cluster.detecting() && thread->warp != taught) {
      thread->warp->acquire(barrier.gathered);
      taught = thread->warp;
    }
    cluster.scheduler.wake(*thread);
  }
  barrier.expected = barrier.arrived = 0;
  barrier.gathered.clear();
  barrier.arrivedThreads.assign(barrier.arrivedThreads.size(), false);
}

/// True when the caller was the last.
static bool arriveNamed(Thread &self, uint32_t id, uint32_t threads, const char *what) {
  self.noteMeeting();
  Cluster &cluster = *self.cta->cluster;
  if (id >= kNamedBarriers)
    cluster.fail(self, "%s: barrier %u; legal are 0 to %u", what, id, kNamedBarriers - 1);
  if (threads == 0 || threads % kWarpThreads || threads > self.ntid[0])
    cluster.fail(self, "%s: barrier %u for %u threads; legal are multiples of 32 up to the CTA's %u", what, id, threads,
                 self.ntid[0]);
  NamedBarrier &barrier = self.cta->barriers[id];
  if (barrier.expected && barrier.expected != threads)
    cluster.fail(self, "%s: barrier %u for %u threads, but others arrived at it for %u", what, id, threads,
                 barrier.expected);
  if (barrier.arrivedThreads[self.tid[0]])
    cluster.fail(self, "%s: barrier %u: this thread arrives a second time before the first phase is complete", what,
                 id);
  barrier.expected = threads;
  barrier.arrivedThreads[self.tid[0]] = true;
  ++barrier.arrived;
  if (cluster.detecting())
    self.warp->releaseTo(barrier.gathered);
  return barrier.arrived == threads;
}

// --- cluster barrier -------------------------------------------------------------------------------------------------

void completeClusterBarrierIfAll(Cluster &cluster) {
  auto &barrier = cluster.barrier;
  if (barrier.arrived == 0 || barrier.arrived < barrier.live)
    return;
  ++barrier.generation;
  barrier.arrived = 0;
  cluster.scheduler.wakeAll(barrier.waiters);
}

// --- lanes of a warp seeing each other's values ----------------------------------------------------------------------

const LaneValues *exchangeValues(Thread &self, uint32_t value, uint32_t extra) {
  Warp &warp = *self.warp;
  Scheduler &scheduler = self.cta->cluster->scheduler;
  Warp::Exchange &slot = warp.exchange[self.exchanges++ & 1];
  slot.values[self.laneId] = {value, extra};
  if (++slot.arrived < kWarpThreads) {
    scheduler.block(self, {Wait::Kind::Exchange, 0, 0});
    return slot.values;
  }
  slot.arrived = 0;
  for (uint32_t lane = 0; lane < kWarpThreads; ++lane)
    if (&warp.lanes[lane] != &self)
      scheduler.wake(warp.lanes[lane]);
  return slot.values;
}

/// The current barrier of the lanes of this mask. The reference holds until another mask's first sync.
static Warp::Sync &syncOfMask(Warp &warp, uint32_t mask) {
  Warp::Sync *free = nullptr;
  for (Warp::Sync &sync : warp.syncs) {
    if (sync.arrived && sync.mask == mask)
      return sync;
    if (!sync.arrived)
      free = &sync;
  }
  return free ? *free : warp.syncs.emplace_back();
}

/// The lane a shuffle reads from (PTX ISA, "shfl.sync"); the own one where the source is out of range.
static uint32_t shuffleSource(uint32_t mode, uint32_t lane, uint32_t b, uint32_t c) {
  uint32_t clamp = c & 31, segment = (c >> 8) & 31, delta = b & 31;
  uint32_t first = lane & segment, last = first | (clamp & ~segment & 31);
  switch (mode) {
  case 0: // up: clamp is the lowest lane there is
    return lane >= delta && lane - delta >= last ? lane - delta : lane;
  case 1:
    return lane + delta <= last ? lane + delta : lane;
  case 2:
    return (lane ^ delta) <= last ? lane ^ delta : lane;
  default: {
    uint32_t source = first | (delta & ~segment & 31);
    return source <= last ? source : lane;
  }
  }
}

namespace abi {

extern "C" v tawa_emu_barrier_sync(p thread, i id, i threads) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  bool last = arriveNamed(caller, id, threads, "bar.sync");
  NamedBarrier &barrier = caller.cta->barriers[id];
  if (!last) {
    barrier.waiters.push(caller);
    cluster.scheduler.block(caller, {Wait::Kind::NamedBarrier, id, threads});
    return;
  }
  if (cluster.detecting())
    caller.warp->acquire(barrier.gathered);
  completeNamedBarrier(cluster, barrier);
}

extern "C" v tawa_emu_barrier_arrive(p thread, i id, i threads) {
  Thread &caller = self(thread);
  if (arriveNamed(caller, id, threads, "bar.arrive"))
    completeNamedBarrier(*caller.cta->cluster, caller.cta->barriers[id]);
}

extern "C" v tawa_emu_warp_sync(p thread, i mask) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  Warp &warp = *caller.warp;
  uint32_t own = 1u << caller.laneId;
  if (!(mask & own))
    cluster.fail(caller, "bar.warp.sync with mask 0x%08x, which leaves the calling lane out", mask);
  Warp::Sync &sync = syncOfMask(warp, mask);
  sync.mask = mask;
  sync.arrived |= own;
  if (sync.arrived != mask) {
    sync.waiters.push(caller);
    cluster.scheduler.block(caller, {Wait::Kind::WarpSync, mask, 0});
    return;
  }
  sync.arrived = 0;
  for (uint32_t lane = 0; lane < kWarpThreads; ++lane) // only now: a lane still on its way here has not synchronized
    if (mask >> lane & 1)
      warp.lanes[lane].noteMeeting();
  cluster.scheduler.wakeAll(sync.waiters);
}

/// All that relaxed arrivals order: barriers whose initialization is fenced, and known to the thread.
static void publishInits(Thread &self) {
  MBarrierTable &mbarriers = self.cta->mbarriers;
  for (size_t i = 0; i < mbarriers.count(); ++i) {
    MBarrier &barrier = mbarriers[i];
    if (barrier.initFenced && !barrier.knownAfter && barrier.init.coveredBy(self.warp->knows.seen))
      barrier.knownAfter = self.clusterWaits;
  }
}

extern "C" v tawa_emu_cluster_arrive(p thread) {
  Thread &caller = self(thread);
  caller.noteMeeting();
  Cluster &cluster = *caller.cta->cluster;
  if (caller.clusterArrived)
    cluster.fail(caller, "barrier.cluster.arrive twice without barrier.cluster.wait");
  caller.clusterArrived = true;
  caller.clusterGeneration = cluster.barrier.generation;
  ++cluster.barrier.arrived;
  if (cluster.detecting())
    publishInits(caller);
  completeClusterBarrierIfAll(cluster);
}

extern "C" v tawa_emu_cluster_wait(p thread) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  if (!caller.clusterArrived)
    cluster.fail(caller, "barrier.cluster.wait without barrier.cluster.arrive");
  if (cluster.barrier.generation == caller.clusterGeneration) {
    cluster.barrier.waiters.push(caller);
    cluster.scheduler.block(caller, {Wait::Kind::Cluster, 0, 0});
  }
  caller.clusterArrived = false;
  ++caller.clusterWaits;
}

extern "C" i tawa_emu_map_shared_rank(p thread, i address, i rank) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  if (rank >= cluster.ctas.size() || rank >= cluster.plan->clusterSize)
    cluster.fail(caller, "mapa to CTA rank %u of a cluster of %u", rank, cluster.plan->clusterSize);
  return (address & ((1u << kRankShift) - 1)) | (rank + 1) << kRankShift;
}

extern "C" v tawa_emu_fence_proxy_async(p thread) {
  Thread &caller = self(thread);
  Warp &warp = *caller.warp;
  if (!caller.cta->cluster->detecting() || (warp.fencedVersion == warp.version && warp.released))
    return;
  warp.knows.async = warp.knows.seen;
  warp.released = true;
  warp.fencedVersion = ++warp.version;
}

extern "C" i tawa_emu_elect_sync(p thread, i mask) {
  Thread &caller = self(thread);
  if (!(mask >> caller.laneId & 1))
    caller.cta->cluster->fail(caller, "elect.sync with mask 0x%08x, which leaves the calling lane out", mask);
  return caller.laneId == static_cast<uint32_t>(std::countr_zero(mask));
}

extern "C" i tawa_emu_shuffle(p thread, i mode, i value, i lane, i clampAndMask) {
  Thread &caller = self(thread);
  const LaneValues *values = exchangeValues(caller, value, mode | lane << 2);
  if ((values[0].extra & 3) != mode)
    caller.cta->cluster->fail(caller, "shfl.sync: mode %u here, %u in lane 0", mode, values[0].extra & 3);
  return values[shuffleSource(mode, caller.laneId, lane, clampAndMask)].value;
}

extern "C" v tawa_emu_back_edge(p thread) {
  Thread &caller = self(thread);
  Cta &cta = *caller.cta;
  Cluster &cluster = *cta.cluster;
  constexpr uint64_t kSlice = 128; // iterations between two turns of the other threads
  constexpr uint64_t kClock = 256; // of the CTA, between two looks at the clock
  ++caller.backEdges;
  ++cta.backEdges;
  if (++cta.work > cluster.plan->options.instructionBudget)
    cluster.fail(caller,
                 "instruction budget spent: the CTA's threads took %llu loop iterations, this one %llu of them; "
                 "an endless loop, or a larger budget is needed",
                 static_cast<unsigned long long>(cta.backEdges), static_cast<unsigned long long>(caller.backEdges));
  if (cta.backEdges % kClock == 0)
    cluster.checkTime(caller);
  if (caller.backEdges % kSlice)
    return;
  // A thread that polls memory is never blocked, so deferred copies must make progress here too.
  if (++cluster.yields % 64 == 0) {
    cluster.tma.runOne(cluster);
    cluster.leaveIfFailed(caller);
  }
  cluster.scheduler.yield(caller);
}

extern "C" v tawa_emu_trap(p thread) {
  Thread &caller = self(thread);
  caller.cta->cluster->fail(caller, "trap");
}

} // namespace abi
} // namespace tawa::emu
