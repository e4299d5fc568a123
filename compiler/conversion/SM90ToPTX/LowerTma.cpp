// PTX of OpsTma.td. A tensor map is the address of a grid-constant kernel parameter.

#include "compiler/analysis/TileStores.h"
#include "compiler/conversion/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// "[$1, {$2, $3}]": the map and the coordinates in it.
static std::string boxPlace(PtxAsm &text, Value map, ValueRange coordinates) {
  std::string place = "[" + text.input(map) + ", ";
  SmallVector<std::string> places;
  for (Value coordinate : coordinates)
    places.push_back(text.input(coordinate));
  return place + braced(places) + "]";
}

PtxLowering::Values PtxLowering::lower(TmaLoadOp, TmaLoadOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string destination = text.input(in.getDestination());
  std::string box = boxPlace(text, in.getMap(), in.getCoordinates());
  std::string mbarrier = text.input(in.getMbarrier());
  bool multicast = in.getMulticastMask() != nullptr;
  std::string mask = multicast ? ", " + text.input(in.getMulticastMask()) : "";
  return text.emit(text.predicate(in.getPredicate()) + "cp.async.bulk.tensor." +
                   std::to_string(in.getCoordinates().size()) +
                   "d.shared::cluster.global.mbarrier::complete_tx::bytes" + (multicast ? ".multicast::cluster" : "") +
                   " [" + destination + "], " + box + ", [" + mbarrier + "]" + mask + ";");
}

PtxLowering::Values PtxLowering::lower(TmaStoreOp op, TmaStoreOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string box = boxPlace(text, in.getMap(), in.getCoordinates());
  std::string source = text.input(in.getSource());
  bool adds = op->hasAttr(kAddsAttr);
  return text.emit(text.predicate(in.getPredicate()) + (adds ? "cp.reduce" : "cp") + ".async.bulk.tensor." +
                   std::to_string(in.getCoordinates().size()) + "d.global.shared::cta." + (adds ? "add." : "") +
                   "bulk_group " + box + ", [" + source + "];");
}

PtxLowering::Values PtxLowering::lower(BulkCommitOp, BulkCommitOp::Adaptor in) {
  PtxAsm text = ptx();
  return text.emit(text.predicate(in.getPredicate()) + "cp.async.bulk.commit_group;");
}

PtxLowering::Values PtxLowering::lower(BulkWaitOp op, BulkWaitOp::Adaptor) {
  return plain(Twine("cp.async.bulk.wait_group") + (op.getRead() ? ".read " : " ") + Twine(op.getPendings()) + ";");
}

PtxLowering::Values PtxLowering::lower(PrefetchTensormapOp, PrefetchTensormapOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string map = text.input(in.getMap());
  return text.emit(text.predicate(in.getPredicate()) + "prefetch.tensormap [" + map + "];");
}

} // namespace tawa::sm90
