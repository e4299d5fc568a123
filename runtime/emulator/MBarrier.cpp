// mbarrier instructions (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier").
#include "runtime/emulator/MBarrier.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <cstdio>
#include <cstring>

namespace tawa::emu {

constexpr uint32_t kMaxCount = (1u << 20) - 1;

void MBarrierTable::reset(uint32_t sharedBytes) {
  numberAt.assign((sharedBytes + 7) / 8, 0);
  used = 0;
}

MBarrier *MBarrierTable::find(uint32_t offset) const {
  uint16_t number = numberAt[offset / 8];
  return number ? barriers[number - 1].get() : nullptr;
}

MBarrier &MBarrierTable::make(uint32_t offset) {
  if (MBarrier *known = find(offset))
    return *known;
  if (used == barriers.size())
    barriers.push_back(std::make_unique<MBarrier>());
  MBarrier &barrier = *barriers[used++];
  barrier = MBarrier{};
  numberAt[offset / 8] = static_cast<uint16_t>(used);
  return barrier;
}

MBarrier *MBarrierTable::overlapping(uint32_t offset, uint32_t bytes) const {
  uint32_t last = (offset + bytes - 1) / 8;
  if (last - offset / 8 < used) { // few bytes: look them up; else look at every barrier
    for (uint32_t word = offset / 8; word <= last; ++word)
      if (MBarrier *barrier = find(word * 8); barrier && barrier->live)
        return barrier;
    return nullptr;
  }
  for (size_t i = 0; i < used; ++i) {
    uint32_t at = barriers[i]->address - kSharedBase;
    if (barriers[i]->live && at < offset + bytes && offset < at + 8)
      return barriers[i].get();
  }
  return nullptr;
}

void MBarrier::completeIfDone() {
  if (pending || transactionBytes)
    return;
  ++phase;
  pending = expected;
  completed.join(gathered);
  knownTo = 0;
  cta->cluster->scheduler.wakeAll(waiters); // each looks at the phase again
}

void MBarrier::completeTransaction(uint32_t bytes) {
  if (!live) {
    cta->cluster->note(cta, nullptr, "%u bytes of a TMA load arrived at mbarrier 0x%x after it was invalidated", bytes,
                       address);
    return;
  }
  transactionBytes -= bytes;
  if (transactionBytes < -int64_t(kMaxCount))
    cta->cluster->note(cta, nullptr,
                       "mbarrier 0x%x: transaction count %lld is out of range; bytes arrive that nothing "
                       "expects",
                       address, static_cast<long long>(transactionBytes));
  completeIfDone();
}

namespace {

SharedSpan resolveBarrier(Thread &self, uint32_t address, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  SharedSpan span = cluster.resolve(self, address, 8, what);
  if (address % 8)
    cluster.fail(self, "%s: mbarrier address 0x%x is not a multiple of 8", what, address);
  return span;
}

void writeMark(const SharedSpan &span) { memcpy(span.data(), &MBarrierTable::kMark, sizeof(uint64_t)); }

void checkMark(Thread &self, const SharedSpan &span, const char *what) {
  uint64_t mark;
  memcpy(&mark, span.data(), sizeof mark);
  if (mark != MBarrierTable::kMark)
    self.cta->cluster->fail(self, "%s: the bytes of mbarrier 0x%x have been overwritten", what,
                            span.offset + kSharedBase);
}

/// A barrier another thread initialized must be known to be initialized, whatever the schedule shows.
void checkInitKnown(Thread &self, MBarrier &barrier, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  if (!cluster.detecting())
    return;
  if (barrier.cta != self.cta && !barrier.initFenced)
    cluster.fail(self,
                 "%s on mbarrier 0x%x of CTA rank %u, whose initialization no fence.mbarrier_init made visible "
                 "to the cluster",
                 what, barrier.address, barrier.cta->rank);
  bool isPublished = barrier.knownAfter && self.clusterWaits > *barrier.knownAfter;
  if (!isPublished && !barrier.init.coveredBy(self.warp->knows.seen))
    cluster.fail(self, "race: %s uses mbarrier 0x%x, which %s initialized, with no barrier between the two", what,
                 barrier.address, cluster.agents[barrier.init.agent].c_str());
}

/// The agent that copies completing on this barrier write as.
AgentId addCopyAgent(Thread &self, uint32_t address) {
  Cluster &cluster = *self.cta->cluster;
  char name[64];
  int length = snprintf(name, sizeof name, "TMA load to mbarrier 0x%x", address);
  if (cluster.plan->clusterSize > 1)
    snprintf(name + length, sizeof name - static_cast<size_t>(length), " of CTA rank %u", self.cta->rank);
  return cluster.agents.add(name);
}

} // namespace

/// The live barrier at an address of this or another CTA; fails with the reason when there is none.
MBarrier &useBarrier(Thread &self, uint32_t address, const char *what) {
  SharedSpan span = resolveBarrier(self, address, what);
  Cluster &cluster = *self.cta->cluster;
  if (!span.cta->live)
    cluster.fail(self, "%s on mbarrier 0x%x of CTA rank %u, which has already exited", what, span.offset + kSharedBase,
                 span.cta->rank);
  MBarrier *barrier = span.cta->mbarriers.find(span.offset);
  if (!barrier || !barrier->live)
    cluster.fail(self, "%s: mbarrier 0x%x used %s", what, span.offset + kSharedBase,
                 barrier ? "after it was invalidated" : "before it was initialized");
  checkMark(self, span, what);
  checkInitKnown(self, *barrier, what);
  return *barrier;
}

static void arrive(Thread &self, MBarrier &barrier, uint32_t count, const char *what) {
  Cluster &cluster = *self.cta->cluster;
  if (count > barrier.pending)
    cluster.fail(self,
                 "%s: %u arrivals at mbarrier 0x%x, which waits for only %u more of %u in phase %u (last arrival: "
                 "warp %u)",
                 what, count, barrier.address, barrier.pending, barrier.expected, barrier.phase,
                 barrier.lastArrival ? barrier.lastArrival->warpId : 0);
  barrier.pending -= count;
  barrier.lastArrival = &self;
  if (cluster.detecting())
    self.warp->releaseTo(barrier.gathered);
  barrier.completeIfDone();
}

/// Recorded as a write of the barrier's bytes, so that plain accesses to them need ordering too.
static void recordLifeChange(Thread &self, const SharedSpan &span, Epoch epoch, const char *what) {
  self.cta->cluster->record(self, span, 8, {epoch, &self.warp->knows, true, false}, what);
}

namespace abi {

extern "C" v tawa_emu_mbarrier_init(p thread, i address, i count) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  SharedSpan span = resolveBarrier(caller, address, "mbarrier.init");
  if (count == 0 || count > kMaxCount)
    cluster.fail(caller, "mbarrier.init of 0x%x with count %u; legal are 1 to %u", address, count, kMaxCount);
  if (span.cta != caller.cta)
    cluster.fail(caller, "mbarrier.init of 0x%x, which is another CTA's", address);
  cluster.refuseBarrierBytes(caller, span, 8, "mbarrier.init");
  MBarrier &barrier = caller.cta->mbarriers.make(span.offset);
  if (!barrier.cta)
    barrier.agent = addCopyAgent(caller, address);
  Epoch epoch = caller.warp->access(Epoch::Generic);
  recordLifeChange(caller, span, epoch, "mbarrier.init");
  AgentId agent = barrier.agent;
  uint32_t copies = barrier.copies;
  barrier = MBarrier{};
  barrier.cta = caller.cta;
  barrier.agent = agent;
  barrier.copies = copies;
  barrier.address = span.offset + kSharedBase;
  barrier.live = true;
  barrier.expected = barrier.pending = count;
  barrier.init = epoch;
  writeMark(span);
}

extern "C" v tawa_emu_mbarrier_inval(p thread, i address) {
  Thread &caller = self(thread);
  MBarrier &barrier = useBarrier(caller, address, "mbarrier.inval");
  if (barrier.cta != caller.cta)
    caller.cta->cluster->fail(caller, "mbarrier.inval of 0x%x, which is another CTA's", address);
  if (!barrier.waiters.empty())
    caller.cta->cluster->fail(caller, "mbarrier.inval of 0x%x while warp %u waits on it", address,
                              barrier.waiters.head->warpId);
  SharedSpan span{caller.cta, barrier.address - kSharedBase};
  recordLifeChange(caller, span, caller.warp->access(Epoch::Generic), "mbarrier.inval");
  barrier.live = false;
}

extern "C" v tawa_emu_mbarrier_arrive(p thread, i address, i count) {
  Thread &caller = self(thread);
  caller.noteMeeting();
  caller.cta->cluster->finishDeposits(caller);
  MBarrier &barrier = useBarrier(caller, address, "mbarrier.arrive");
  if (count == 0)
    caller.cta->cluster->fail(caller, "mbarrier.arrive at 0x%x with count 0", address);
  arrive(caller, barrier, count, "mbarrier.arrive");
}

extern "C" v tawa_emu_mbarrier_arrive_expect_tx(p thread, i address, i bytes) {
  Thread &caller = self(thread);
  caller.noteMeeting();
  caller.cta->cluster->finishDeposits(caller);
  MBarrier &barrier = useBarrier(caller, address, "mbarrier.arrive.expect_tx");
  barrier.transactionBytes += bytes;
  if (bytes > kMaxCount || barrier.transactionBytes > int64_t(kMaxCount))
    caller.cta->cluster->fail(caller, "mbarrier.arrive.expect_tx at 0x%x: transaction count %lld is above %u", address,
                              static_cast<long long>(barrier.transactionBytes), kMaxCount);
  arrive(caller, barrier, 1, "mbarrier.arrive.expect_tx");
}

extern "C" v tawa_emu_mbarrier_wait_parity(p thread, i address, i parity) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  MBarrier &barrier = useBarrier(caller, address, "mbarrier.try_wait.parity");
  if (barrier.cta != caller.cta)
    cluster.fail(caller, "mbarrier wait on 0x%x, which is another CTA's", address);
  if (parity > 1)
    cluster.fail(caller, "mbarrier wait on 0x%x for parity %u; legal are 0 and 1", address, parity);
  while (!barrier.passes(parity)) {
    ++cluster.stats.blockedWaits;
    barrier.waiters.push(caller);
    cluster.scheduler.block(caller, {Wait::Kind::MBarrier, barrier.address, parity});
  }
  uint32_t warpBit = 1u << caller.warp->number;
  if (cluster.detecting() && !(barrier.knownTo & warpBit)) {
    caller.warp->acquire(barrier.completed);
    barrier.knownTo |= warpBit;
  }
}

extern "C" v tawa_emu_fence_mbarrier_init(p thread) {
  Thread &caller = self(thread);
  Cta &cta = *caller.cta;
  for (size_t i = 0; i < cta.mbarriers.count(); ++i) {
    MBarrier &barrier = cta.mbarriers[i];
    if (barrier.init.agent == caller.warp->agent)
      barrier.initFenced = true;
  }
}

} // namespace abi
} // namespace tawa::emu
