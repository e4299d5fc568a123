// Shared memory: translates 32-bit addresses to bytes, and checks bounds, alignment, mbarriers and races.
#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

namespace tawa::emu {

SharedSpan Cluster::resolve(Thread &self, uint32_t address, uint32_t bytes, const char *what) {
  uint32_t rank = address >> kRankShift, local = address & ((1u << kRankShift) - 1);
  if (rank > plan->clusterSize)
    fail(self, "%s: 0x%08x is not a shared memory address", what, address);
  Cta &cta = rank ? *ctas[rank - 1] : *self.cta;
  uint32_t offset = local - kSharedBase;
  if (local < kSharedBase || offset > cta.sharedBytes || bytes > cta.sharedBytes - offset)
    fail(self, "%s: shared address 0x%x (%u bytes) is out of bounds; the CTA has %u bytes at 0x%x", what, address,
         bytes, cta.sharedBytes, kSharedBase);
  return {&cta, offset};
}

void Cluster::refuseBarrierBytes(Thread &self, const SharedSpan &span, uint32_t bytes, const char *what) {
  if (MBarrier *barrier = span.cta->mbarriers.overlapping(span.offset, bytes))
    fail(self, "%s would overwrite the live mbarrier 0x%x (bytes 0x%x to 0x%x)", what, barrier->address,
         span.offset + kSharedBase, span.offset + bytes + kSharedBase);
}

void Cluster::failRace(Thread &self, const Cta &cta, const ShadowMemory::Conflict &conflict, bool write,
                       const char *what) {
  const char *verb = write ? "writes" : "reads", *otherVerb = conflict.otherWrote ? "wrote" : "read";
  const char *why = conflict.fenceMissing ? "no fence.proxy.async lies between them" : "nothing orders the two";
  fail(self, "race on shared memory 0x%x of CTA rank %u: %s %s what %s %s, and %s", conflict.offset + kSharedBase,
       cta.rank, what, verb, agents[conflict.other.agent].c_str(), otherVerb, why);
}

void Cluster::record(Thread &self, const SharedSpan &span, uint32_t bytes, const ShadowMemory::Access &access,
                     const char *what) {
  if (!detecting())
    return;
  if (auto conflict = span.cta->shadow.record(span.offset, bytes, access))
    failRace(self, *span.cta, *conflict, access.write, what);
}

void Cluster::recordReads(Thread &self, Cta &cta, std::span<const uint32_t> offsets, const ShadowMemory::Access &access,
                          const char *what) {
  if (!detecting())
    return;
  if (auto conflict = cta.shadow.recordReads(offsets, access))
    failRace(self, cta, *conflict, access.write, what);
}

namespace abi {

extern "C" p tawa_emu_shared_access(p thread, i address, i bytes, i access) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  bool write = access != 0;
  const char *what = access == 0 ? "load from shared memory" : access == 1 ? "store to shared memory" : "shared atomic";
  cluster.finishDeposits(caller);
  SharedSpan span = cluster.resolve(caller, address, bytes, what);
  if (address % bytes)
    cluster.fail(caller, "%u-byte %s at 0x%x: not a multiple of %u", bytes, what, address, bytes);
  if (span.cta != caller.cta && !span.cta->live)
    cluster.fail(caller, "%s of CTA rank %u, which has already exited", what, span.cta->rank);
  if (write) {
    cluster.refuseBarrierBytes(caller, span, bytes, what);
    caller.noteWrite(address, bytes);
  }
  if (cluster.detecting()) {
    auto flags = static_cast<uint16_t>(Epoch::Generic | (access == 2 ? Epoch::Atomic : 0));
    cluster.record(caller, span, bytes, {caller.warp->access(flags), &caller.warp->knows, write, false}, what);
  }
  return span.data();
}

} // namespace abi
} // namespace tawa::emu
