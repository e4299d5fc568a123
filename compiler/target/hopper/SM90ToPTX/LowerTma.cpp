// PTX of OpsTma.td. A tensor map is the address of a grid-constant kernel parameter.

#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

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
  bool adds = ws::kAddsAttr.on(op);
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

PtxLowering::Values PtxLowering::lower(TensormapAtOp, TensormapAtOp::Adaptor in) {
  auto generic = LLVM::LLVMPointerType::get(builder.getContext());
  return {builder.create<LLVM::AddrSpaceCastOp>(loc, generic, in.getAddress())};
}

/// The number of an element type (PTX ISA, tensormap.replace, .elemtype). TMA treats all 8-bit types alike.
static unsigned tensormapElement(Type element) {
  if (element.isF16())
    return 6;
  if (element.isBF16())
    return 10;
  if (element.isF32())
    return 7;
  if (element.isF64())
    return 9;
  switch (element.getIntOrFloatBitWidth()) {
  case 16:
    return 1; // u16
  case 32:
    return 3; // s32
  case 64:
    return 5; // s64
  default:
    return 0; // u8
  }
}

/// Every field is replaced in 128 zero bytes in shared memory, which are then copied to global memory; the final fence
/// releases them to the tensormap proxy. tensormap.cp_fenceproxy would do both, but only for whole warps.
PtxLowering::Values PtxLowering::lower(TensormapWriteOp op, TensormapWriteOp::Adaptor in) {
  constexpr unsigned kMapBytes = 128, kVectorBytes = 16;
  PtxAsm text = ptx();
  std::string map = text.input(in.getMap()), staging = text.input(in.getStaging());
  std::string code;
  auto replace = [&](StringRef field, StringRef type, const Twine &value) {
    code += ("tensormap.replace.tile." + field + ".shared::cta.b1024." + type + " [" + staging + "], " + value + ";\n")
                .str();
  };
  auto replaceEach = [&](StringRef field, StringRef type, size_t index, const Twine &value) {
    replace(field, type, Twine(index) + ", " + value);
  };
  for (unsigned at = 0; at < kMapBytes; at += kVectorBytes)
    code += "st.shared.v4.b32 [" + staging + "+" + std::to_string(at) + "], " + braced({"0", "0", "0", "0"}) + ";\n";
  replace("global_address", "b64", text.input(in.getBase()));
  replace("rank", "b32", Twine(op.getBox().size() - 1));
  for (auto [index, extent, size] : llvm::enumerate(op.getBox(), in.getSizes())) {
    replaceEach("box_dim", "b32", index, Twine(extent));
    replaceEach("global_dim", "b32", index, text.input(size));
    replaceEach("element_stride", "b32", index, "1");
  }
  for (auto [index, stride] : llvm::enumerate(in.getStrides()))
    replaceEach("global_stride", "b64", index, text.input(stride));
  replace("elemtype", "b32", Twine(tensormapElement(op.getElement())));
  replace("interleave_layout", "b32", "0");
  replace("swizzle_mode", "b32", Twine(op.getSwizzle()));
  replace("fill_mode", "b32", Twine(op.getFillsWithNaN() ? 1 : 0));
  const std::string words = braced({"word0", "word1", "word2", "word3"});
  for (unsigned at = 0; at < kMapBytes; at += kVectorBytes) {
    std::string place = "+" + std::to_string(at) + "]";
    code +=
        "ld.shared.v4.b32 " + words + ", [" + staging + place + ";\nst.v4.b32 [" + map + place + ", " + words + ";\n";
  }
  return text.emit("{\n.reg .b32 word<4>;\n" + code + "fence.proxy.tensormap::generic.release.gpu;\n}");
}

PtxLowering::Values PtxLowering::lower(TensormapAcquireOp, TensormapAcquireOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string map = text.input(in.getMap());
  return text.emit("fence.proxy.tensormap::generic.acquire.gpu [" + map + "], 128;");
}

} // namespace tawa::sm90
