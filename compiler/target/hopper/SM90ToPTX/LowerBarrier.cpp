// PTX of OpsBarrier.td: mbarriers, named barriers, the cluster's barrier, fences.

#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

PtxLowering::Values PtxLowering::lower(MBarrierInitOp op, MBarrierInitOp::Adaptor in) {
  PtxAsm text = ptx();
  return text.emit("mbarrier.init.shared::cta.b64 [" + text.input(in.getAddress()) + "], " +
                   std::to_string(op.getCount()) + ";");
}

PtxLowering::Values PtxLowering::lower(MBarrierInvalOp, MBarrierInvalOp::Adaptor in) {
  PtxAsm text = ptx();
  return text.emit("mbarrier.inval.shared::cta.b64 [" + text.input(in.getAddress()) + "];");
}

PtxLowering::Values PtxLowering::lower(MBarrierArriveOp, MBarrierArriveOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string address = text.input(in.getAddress());
  return text.emit(text.predicate(in.getPredicate()) + "mbarrier.arrive.shared::cta.b64 _, [" + address + "];");
}

PtxLowering::Values PtxLowering::lower(MBarrierArriveExpectTxOp, MBarrierArriveExpectTxOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string address = text.input(in.getAddress()), bytes = text.input(in.getBytes());
  return text.emit(text.predicate(in.getPredicate()) + "mbarrier.arrive.expect_tx.shared::cta.b64 _, [" + address +
                   "], " + bytes + ";");
}

// Without .release.cluster: it would add a fence of the whole GPU to every iteration of a consumer's loop.
PtxLowering::Values PtxLowering::lower(MBarrierArriveClusterOp, MBarrierArriveClusterOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string address = text.input(in.getAddress());
  return text.emit(text.predicate(in.getPredicate()) + "mbarrier.arrive.shared::cluster.b64 _, [" + address + "];");
}

// The braces scope the labels and the predicate, so that the statement can occur many times. A thread that cannot
// sleep until the phase ends asks again and again.
PtxLowering::Values PtxLowering::lower(MBarrierWaitParityOp op, MBarrierWaitParityOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string scope = op.getAcquiresCluster() ? ".acquire.cluster" : "";
  std::string wait = hasFeature(op, Feature::SuspendingWaits) ? "try_wait" : "test_wait";
  std::string address = text.input(in.getAddress()), parity = text.input(in.getParity());
  return text.emit("{\n.reg .pred done;\nWAIT:\nmbarrier." + wait + ".parity" + scope + ".shared::cta.b64 done, [" +
                   address + "], " + parity + ";\n@done bra DONE;\nbra WAIT;\nDONE:\n}");
}

PtxLowering::Values PtxLowering::lower(FenceMBarrierInitOp, FenceMBarrierInitOp::Adaptor) {
  return plain("fence.mbarrier_init.release.cluster;");
}

PtxLowering::Values PtxLowering::lower(FenceProxyAsyncOp, FenceProxyAsyncOp::Adaptor) {
  return plain("fence.proxy.async.shared::cta;");
}

static std::string namedBarrier(StringRef name, uint32_t id, uint32_t threads) {
  return (name + " " + Twine(id) + ", " + Twine(threads) + ";").str();
}

PtxLowering::Values PtxLowering::lower(BarrierSyncOp op, BarrierSyncOp::Adaptor in) {
  PtxAsm text = ptx();
  return text.emit(text.predicate(in.getPredicate()) + namedBarrier("bar.sync", op.getId(), op.getThreads()));
}

PtxLowering::Values PtxLowering::lower(BarrierArriveOp op, BarrierArriveOp::Adaptor in) {
  PtxAsm text = ptx();
  return text.emit(text.predicate(in.getPredicate()) + namedBarrier("bar.arrive", op.getId(), op.getThreads()));
}

PtxLowering::Values PtxLowering::lower(WarpSyncOp, WarpSyncOp::Adaptor) { return plain("bar.warp.sync 0xffffffff;"); }

PtxLowering::Values PtxLowering::lower(ClusterArriveOp, ClusterArriveOp::Adaptor) {
  return plain("barrier.cluster.arrive.relaxed.aligned;");
}

PtxLowering::Values PtxLowering::lower(ClusterWaitOp, ClusterWaitOp::Adaptor) {
  return plain("barrier.cluster.wait.acquire.aligned;");
}

PtxLowering::Values PtxLowering::lower(MapSharedRankOp, MapSharedRankOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI32Type());
  std::string address = text.input(in.getAddress()), rank = text.input(in.getRank());
  return text.emit("mapa.shared::cluster.u32 " + result + ", " + address + ", " + rank + ";", /*pure=*/true);
}

} // namespace tawa::sm90
