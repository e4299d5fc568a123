// Life of one cluster: setup, a fiber for every thread, the main loop until all have ended, and a check for leftovers.
#include "runtime/emulator/Sm.h"

#include <algorithm>
#include <cstring>

namespace tawa::emu {

// --- knowledge of a warp ---------------------------------------------------------------------------------------------

Epoch Warp::access(uint16_t flags) {
  if (released) {
    released = false;
    knows.seen.raise(agent, knows.seen[agent] + 1);
    ++version;
  }
  return {knows.seen[agent], agent, flags};
}

void Warp::releaseTo(GatheredKnowledge &into) {
  if (into.lastWarp == this && into.lastVersion == version)
    return;
  into.join(knows);
  into.lastWarp = this;
  into.lastVersion = version;
  released = true;
}

void Warp::acquire(const Knowledge &from) {
  knows.join(from);
  ++version;
}

// --- setting up ------------------------------------------------------------------------------------------------------

/// Shared memory starts and ends where swizzle patterns do: shuffling chunks never leaves the buffer.
static size_t alignShared(size_t value) { return (value + 1023) & ~size_t(1023); }

bool Cluster::reserveMemory() {
  size_t size = plan->clusterSize;
  if (!stacks.reserve(size * plan->config.threads))
    return false;
  while (ctas.size() < size)
    ctas.push_back(std::make_unique<Cta>());
  while (sharedStorage.size() < size)
    sharedStorage.push_back(std::make_unique<uint8_t[]>(alignShared(maxSharedBytes()) + 1024));
  return true;
}

void Cluster::resetThread(Cta &cta, uint32_t index) {
  Thread &thread = cta.threads[index];
  const LaunchConfig &config = plan->config;
  thread = Thread{};
  thread.tid[0] = index;
  thread.ntid[0] = config.threads;
  thread.ntid[1] = thread.ntid[2] = 1;
  std::copy(std::begin(cta.index), std::end(cta.index), thread.ctaid);
  std::copy(std::begin(config.grid), std::end(config.grid), thread.nctaid);
  thread.clusterCtaRank = cta.rank;
  thread.laneId = index % kWarpThreads;
  thread.warpId = index / kWarpThreads;
  thread.sharedBase = kSharedBase;
  thread.cta = &cta;
  thread.warp = &cta.warps[thread.warpId];
  thread.group = cta.groups[index / kGroupThreads].get();
  prepareFiber(thread.fiber, stacks[size_t(cta.rank) * config.threads + index], runThread, &thread);
  scheduler.wake(thread);
}

static void resetWarp(Cta &cta, uint32_t number, AgentTable &agents) {
  Warp &warp = cta.warps[number];
  warp.cta = &cta;
  warp.number = number;
  warp.lanes = &cta.threads[size_t{number} * kWarpThreads];
  std::string name = "warp " + std::to_string(number);
  warp.agent =
      agents.add(cta.cluster->plan->clusterSize > 1 ? name + " of CTA rank " + std::to_string(cta.rank) : name);
  warp.copyAgent = 0;
  warp.knows.clear();
  warp.knows.seen.raise(warp.agent, 1);
  warp.version = 1;
  warp.fencedVersion = 0;
  warp.released = false;
  warp.exchange[0].arrived = warp.exchange[1].arrived = 0;
  warp.mma[0].arrived = warp.mma[1].arrived = 0;
  warp.syncs.clear();
  warp.stores.reset();
  warp.storeWaiters = {};
}

static void resetGroup(Cta &cta, uint32_t number, AgentTable &agents) {
  const LaunchConfig &config = cta.cluster->plan->config;
  WarpGroup &group = *cta.groups[number];
  group.reset();
  group.cta = &cta;
  group.number = number;
  group.complete = (number + 1) * kGroupThreads <= config.threads;
  group.agent = agents.add("wgmma of warp group " + std::to_string(number), 4);
  group.registers = config.registersPerThread;
}

void Cluster::resetCta(Cta &cta, uint64_t number) {
  const LaunchConfig &config = plan->config;
  uint64_t perRow = config.grid[0] / config.cluster[0], perPlane = perRow * (config.grid[1] / config.cluster[1]);
  uint64_t corner[3] = {number % perRow, number % perPlane / perRow, number / perPlane};
  uint32_t rank = cta.rank, inCluster[3] = {rank % config.cluster[0], rank / config.cluster[0] % config.cluster[1],
                                            rank / (config.cluster[0] * config.cluster[1])};
  for (unsigned d = 0; d < 3; ++d)
    cta.index[d] = static_cast<uint32_t>(corner[d]) * config.cluster[d] + inCluster[d];
  cta.cluster = this;
  cta.live = config.threads;
  cta.sharedBytes = config.sharedBytes;
  uint8_t *storage = sharedStorage[rank].get();
  auto begin = reinterpret_cast<uintptr_t>(storage);
  cta.shared = storage + (alignShared(begin) - begin);
  memset(cta.shared, 0xff, alignShared(config.sharedBytes)); // NaN in every format: nothing reads 0 by luck
  cta.shadow.reset(detecting() ? config.sharedBytes : 0);
  cta.mbarriers.reset(config.sharedBytes);
  for (NamedBarrier &barrier : cta.barriers) {
    barrier = NamedBarrier{};
    barrier.arrivedThreads.assign(config.threads, false);
  }
  cta.freeRegisters = 0;
  cta.registerQueue.clear();
  cta.backEdges = cta.work = 0;
  cta.threads.resize(config.threads);
  cta.warps.resize(config.threads / kWarpThreads);
  uint32_t groups = (config.threads + kGroupThreads - 1) / kGroupThreads;
  while (cta.groups.size() < groups)
    cta.groups.push_back(std::make_unique<WarpGroup>());
  cta.groups.resize(groups);
  for (uint32_t warp = 0; warp < cta.warps.size(); ++warp)
    resetWarp(cta, warp, agents);
  for (uint32_t group = 0; group < groups; ++group)
    resetGroup(cta, group, agents);
}

void Cluster::reset(uint64_t number) {
  failure.clear();
  code = StatusCode::Ok;
  agents.reset();
  scheduler.reset(size_t(plan->clusterSize) * plan->config.threads);
  tma.reset(schedule().seed + number, schedule().shuffleTma);
  yields = 0;
  stats = {};
  barrier.arrived = 0;
  barrier.live = plan->clusterSize * plan->config.threads;
  barrier.generation = 0;
  barrier.waiters = {};
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank) {
    ctas[rank]->rank = rank;
    resetCta(*ctas[rank], number);
  }
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank)
    for (uint32_t thread = 0; thread < plan->config.threads; ++thread)
      resetThread(*ctas[rank], thread);
}

// --- running ---------------------------------------------------------------------------------------------------------

void Cluster::runThread(void *argument) {
  enterFiber();
  Thread &self = *static_cast<Thread *>(argument);
  Cluster &cluster = *self.cta->cluster;
  cluster.plan->entry(static_cast<ThreadState *>(&self), cluster.plan->params);
  contained(self, [&] { cluster.endThread(self); });
  cluster.scheduler.finish(self);
}

void Cluster::endThread(Thread &self) {
  checkThreadEnd(self);
  self.finished = true;
  --self.cta->live;
  --barrier.live;
  completeClusterBarrierIfAll(*this); // a thread that has ended counts as arrived at barrier.cluster
}

void Cluster::mainLoop() {
  while (!failed()) {
    if (scheduler.anyReady())
      scheduler.runReady();
    else if (!tma.empty())
      tma.runOne(*this);
    else if (barrier.live)
      reportDeadlock();
    else
      return checkEnd();
  }
}

bool Cluster::run(const LaunchPlan &launchPlan, uint64_t number) {
  plan = &launchPlan;
  if (!reserveMemory()) {
    failure = "out of address space for the stacks of " + std::to_string(plan->config.threads) + " threads";
    code = StatusCode::Emulator;
    return false;
  }
  reset(number);
  mainLoop();
  stats.fiberSwitches = scheduler.switches;
  stats.ctas = plan->clusterSize;
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank)
    stats.backEdges += ctas[rank]->backEdges;
  return !failed();
}

// --- what must not be left over --------------------------------------------------------------------------------------

void Cluster::checkThreadEnd(Thread &self) {
  BulkStores &bulk = self.bulk;
  for (const BulkStores::Group &group : bulk.groups)
    if (group.stores)
      fail(self, "the thread ends with TMA stores in flight that no cp.async.bulk.wait_group covers; its shared memory "
                 "may be gone before they have read it");
  if (!self.asyncCopies.copies.empty())
    fail(self, "the thread ends with cp.async in flight that no cp.async.wait_group covers");
  if (self.clusterArrived)
    fail(self, "the thread ends between barrier.cluster.arrive and barrier.cluster.wait");
}

void Cluster::checkCtaEnd(Cta &cta) {
  for (const Warp &warp : cta.warps)
    if (!warp.stores.empty())
      note(&cta, nullptr, "warp %u ended, but only %u of its 32 lanes executed a stmatrix", warp.number,
           warp.stores.front().lanes);
  for (const auto &group : cta.groups) {
    if (!group->deposits.empty())
      note(&cta, nullptr, "warp group %u ended, but only %u of its 128 threads executed a wgmma, commit or setmaxnreg",
           group->number, group->deposits.front().threads);
    if (!group->products.empty())
      note(&cta, nullptr, "warp group %u ended with %zu wgmma that no wgmma.wait_group covers", group->number,
           group->products.size());
  }
  for (size_t i = 0; i < cta.mbarriers.count(); ++i) {
    const MBarrier &one = cta.mbarriers[i];
    if (one.live && one.transactionBytes)
      note(&cta, nullptr, "the CTA ended, but mbarrier 0x%x still expects %lld bytes", one.address,
           static_cast<long long>(one.transactionBytes));
  }
}

void Cluster::checkEnd() {
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank)
    checkCtaEnd(*ctas[rank]);
}

} // namespace tawa::emu
