// st.async (PTX ISA, "st.async"): a store to shared memory of the cluster whose bytes an mbarrier counts when they have
// landed. To the race detector it is a write of the mbarrier's agent: only threads that have waited there for the phase
// know of it.
#include "runtime/emulator/EmulatorAbi.h"
#include "runtime/emulator/Sm.h"

#include <cstring>

namespace tawa::emu {

namespace abi {

extern "C" v tawa_emu_store_async(p thread, i address, i mbarrier, i bytes, p words) {
  Thread &caller = self(thread);
  Cluster &cluster = *caller.cta->cluster;
  constexpr const char *what = "st.async";
  if (bytes != 4 && bytes != 8 && bytes != 16)
    cluster.fail(caller, "st.async of %u bytes; legal are 4, 8 and 16", bytes);
  if (address % bytes)
    cluster.fail(caller, "st.async of %u bytes at 0x%x: not a multiple of %u", bytes, address, bytes);
  SharedSpan span = cluster.resolve(caller, address, bytes, what);
  if (!span.cta->live)
    cluster.fail(caller, "st.async to CTA rank %u, which has already exited", span.cta->rank);
  cluster.refuseBarrierBytes(caller, span, bytes, what);
  MBarrier &barrier = useBarrier(caller, mbarrier, what);
  if (barrier.cta != span.cta)
    cluster.fail(caller, "st.async: destination 0x%x and mbarrier 0x%x are in different CTAs", address, mbarrier);
  Epoch epoch{++barrier.copies, barrier.agent, Epoch::Generic};
  cluster.record(caller, span, bytes, {epoch, &caller.warp->knows, true, false}, what);
  TmaCopy &copy = cluster.tma.add();
  copy.cta = span.cta;
  copy.offset = span.offset;
  copy.mbarrier = &barrier;
  copy.tick = epoch.tick;
  copy.count = bytes;
  memcpy(copy.bytes, words, bytes);
  if (cluster.detecting())
    copy.issuer = caller.warp->knows;
  caller.warp->noteRelease();
  cluster.tma.submit(cluster, !cluster.schedule().deferTma);
  cluster.leaveIfFailed(caller);
}

} // namespace abi
} // namespace tawa::emu
