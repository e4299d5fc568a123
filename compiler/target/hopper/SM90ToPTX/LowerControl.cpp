// PTX of OpsControl.td: special registers, votes, shuffles, register counts.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// The part of the intrinsic's name after llvm.nvvm.read.ptx.sreg.
static StringRef registerName(SpecialRegister which) {
  static constexpr StringLiteral names[] = {"tid.x",    "tid.y",    "tid.z",           "ntid.x",  "ntid.y",
                                            "ntid.z",   "ctaid.x",  "ctaid.y",         "ctaid.z", "nctaid.x",
                                            "nctaid.y", "nctaid.z", "cluster.ctarank", "laneid"};
  return names[static_cast<unsigned>(which)];
}

PtxLowering::Values PtxLowering::lower(SpecialRegisterOp op, SpecialRegisterOp::Adaptor in) {
  bool isWarp = op.getWhich() == SpecialRegister::WarpId;
  std::string name = ("llvm.nvvm.read.ptx.sreg." + registerName(isWarp ? SpecialRegister::TidX : op.getWhich())).str();
  Value value =
      builder.create<LLVM::CallIntrinsicOp>(loc, builder.getI32Type(), StringRef(name), ValueRange{}).getResults();
  if (isWarp)
    value = builder.create<LLVM::LShrOp>(
        loc, value, builder.create<LLVM::ConstantOp>(loc, builder.getI32Type(), builder.getI32IntegerAttr(5)));
  return {value};
}

PtxLowering::Values PtxLowering::lower(ElectSyncOp op, ElectSyncOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string elected = text.output(builder.getI1Type());
  return text.emit("elect.sync _|" + elected + ", 0xffffffff;");
}

PtxLowering::Values PtxLowering::lower(ShuffleOp op, ShuffleOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(in.getValue().getType());
  std::string value = text.input(in.getValue()), lane = text.input(in.getLane());
  // The clamp is the last lane a source may be: 31, or for `up`, which counts downwards, the first.
  StringRef clamp = op.getMode() == ShuffleMode::Up ? "0" : "0x1f";
  return text.emit(("shfl.sync." + stringifyShuffleMode(op.getMode()) + ".b32 " + result + ", " + value + ", " + lane +
                    ", " + clamp + ", 0xffffffff;")
                       .str());
}

PtxLowering::Values PtxLowering::lower(SetMaxRegistersOp op, SetMaxRegistersOp::Adaptor in) {
  return plain("setmaxnreg." + stringifyRegisterChange(op.getChange()) + ".sync.aligned.u32 " + Twine(op.getCount()) +
               ";");
}

PtxLowering::Values PtxLowering::lower(GridDependencyWaitOp, GridDependencyWaitOp::Adaptor) {
  return plain("griddepcontrol.wait;");
}

PtxLowering::Values PtxLowering::lower(TrapOp, TrapOp::Adaptor) { return plain("trap;"); }

} // namespace tawa::sm90
