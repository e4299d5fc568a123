// cp.async and its groups (PTX ISA, "cp.async"). A copy is checked when it is started and performed when a wait covers
// it. For the race detector the copies of a warp are an agent of their own, whose tick is the number of the group: the
// warp learns of it at the wait, so that a read without one is a race, even by the issuing thread.
#include "runtime/emulator/CpAsync.h"

#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <cstring>

namespace tawa::emu {

namespace {

uint32_t tickOf(uint64_t group) { return static_cast<uint32_t>(group) + 1; }

AgentId copyAgent(Warp &warp) {
  if (!warp.copyAgent)
    warp.copyAgent = warp.cta->cluster->agents.add("cp.async of warp " + std::to_string(warp.number));
  return warp.copyAgent;
}

void recordStart(Thread &self, const SharedSpan &span, uint32_t bytes) {
  Cluster &cluster = *self.cta->cluster;
  if (!cluster.detecting())
    return;
  Epoch epoch{tickOf(self.asyncCopies.commits), copyAgent(*self.warp), Epoch::Generic};
  self.warp->noteRelease();
  cluster.record(self, span, bytes, {epoch, &self.warp->knows, true, false}, "cp.async");
}

/// Does all copies of groups below `end`.
void finishCopies(Thread &self, uint64_t end) {
  auto &copies = self.asyncCopies.copies;
  size_t done = 0;
  for (; done < copies.size() && copies[done].group < end; ++done) {
    const AsyncCopies::Copy &copy = copies[done];
    uint8_t *target = self.cta->shared + copy.offset;
    memcpy(target, copy.source, copy.sourceBytes);
    memset(target + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
    self.noteWrite(copy.offset + kSharedBase, copy.bytes);
  }
  if (done == 0)
    return;
  if (self.cta->cluster->detecting()) {
    Warp &warp = *self.warp;
    warp.knows.seen.raise(copyAgent(warp), tickOf(copies[done - 1].group));
    ++warp.version;
  }
  copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(done));
}

} // namespace

namespace abi {

extern "C" v tawa_emu_cp_async(p thread, i destination, l source, i bytes, i sourceBytes) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || sourceBytes > bytes)
    cluster.fail(caller, "cp.async of %u bytes from %u; legal are 4, 8 and 16, from at most as many", bytes,
                 sourceBytes);
  cluster.finishDeposits(caller);
  SharedSpan span = cluster.resolve(caller, destination, bytes, "cp.async");
  if (destination % bytes || source % bytes)
    cluster.fail(caller,
                 "cp.async of %u bytes from global address 0x%llx to shared address 0x%x: not both multiples of %u",
                 bytes, static_cast<unsigned long long>(source), destination, bytes);
  if (span.cta != caller.cta)
    cluster.fail(caller, "cp.async to shared address 0x%x, which is another CTA's", destination);
  cluster.refuseBarrierBytes(caller, span, bytes, "cp.async");
  if (sourceBytes)
    useGlobal(caller, source, sourceBytes, "cp.async from");
  recordStart(caller, span, bytes);
  caller.asyncCopies.copies.push_back({span.offset, reinterpret_cast<const void *>(static_cast<uintptr_t>(source)),
                                       bytes, sourceBytes, caller.asyncCopies.commits});
}

extern "C" v tawa_emu_cp_async_commit(p thread) { ++self(thread).asyncCopies.commits; }

extern "C" v tawa_emu_cp_async_wait(p thread, i pendings) {
  Thread &caller = self(thread);
  uint64_t commits = caller.asyncCopies.commits;
  finishCopies(caller, commits - std::min<uint64_t>(pendings, commits));
}

extern "C" v tawa_emu_cp_async_arrive(p thread, i mbarrier) {
  finishCopies(self(thread), UINT64_MAX);
  tawa_emu_mbarrier_arrive(thread, mbarrier, 1);
}

} // namespace abi
} // namespace tawa::emu
