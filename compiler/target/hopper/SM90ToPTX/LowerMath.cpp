// PTX of OpsMath.td: approximations and conversions. None of them reads state; all may be moved and merged.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

PtxLowering::Values PtxLowering::lower(ApproxOp op, ApproxOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(in.getValue().getType()), value = text.input(in.getValue());
  bool flushes = op.getFtz() && op.getKind() != ApproxKind::Tanh;
  return text.emit((stringifyApproxKind(op.getKind()) + (flushes ? ".approx.ftz.f32 " : ".approx.f32 ") + result +
                    ", " + value + ";")
                       .str(),
                   /*pure=*/true);
}

// The instruction names the high half first.
PtxLowering::Values PtxLowering::lower(CvtPackOp op, CvtPackOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI32Type());
  std::string lo = text.input(in.getLo()), hi = text.input(in.getHi());
  return text.emit("cvt." + stringifyRounding(op.getRounding()).str() + (op.getType().isF16() ? ".f16x2" : ".bf16x2") +
                       ".f32 " + result + ", " + hi + ", " + lo + ";",
                   /*pure=*/true);
}

PtxLowering::Values PtxLowering::lower(CvtRoundOp op, CvtRoundOp::Adaptor in) {
  Type type = op.getType(), given = op.getResult().getType();
  bool isTf32 = type.isTF32();
  PtxAsm text = ptx();
  std::string result = text.output(isTf32 ? builder.getI32Type() : carrierType(type));
  std::string value = text.input(in.getValue());
  std::string kind =
      isTf32 ? "rna.tf32" : stringifyRounding(op.getRounding()).str() + (type.isF16() ? ".f16" : ".bf16");
  Values bits = text.emit("cvt." + kind + ".f32 " + result + ", " + value + ";", /*pure=*/true);
  return {builder.create<LLVM::BitcastOp>(loc, given, bits[0])};
}

static const char *fp8Name(Type type) { return type.isFloat8E4M3FN() ? "e4m3x2" : "e5m2x2"; }

PtxLowering::Values PtxLowering::lower(CvtFp8PackOp op, CvtFp8PackOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI16Type());
  std::string lo = text.input(in.getLo()), hi = text.input(in.getHi());
  return text.emit(std::string("cvt.rn.satfinite.") + fp8Name(op.getType()) + ".f32 " + result + ", " + hi + ", " + lo +
                       ";",
                   /*pure=*/true);
}

PtxLowering::Values PtxLowering::lower(CvtFp8UnpackOp op, CvtFp8UnpackOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI32Type()), bytes = text.input(in.getBytes());
  Values word = text.emit(std::string("cvt.rn.f16x2.") + fp8Name(op.getType()) + " " + result + ", " + bytes + ";",
                          /*pure=*/true);
  return unpackWords(word, op.getResultTypes());
}

/// The half word that `word` was widened from, if no byte above it (from number `above` on) is selected.
static Value halfAfter(Value word, ArrayRef<int32_t> bytes, int32_t above) {
  auto widened = word.getDefiningOp<LLVM::ZExtOp>();
  bool isHalf = widened && widened.getArg().getType().isInteger(16);
  return isHalf && !llvm::is_contained(bytes, above) && !llvm::is_contained(bytes, above + 1) ? widened.getArg()
                                                                                              : Value();
}

/// Half words get an undefined upper half: for zeros ptxas would emit an instruction each.
PtxLowering::Values PtxLowering::lower(BytePermuteOp op, BytePermuteOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI32Type()), number = std::to_string(op.selector());
  Value low = halfAfter(in.getA(), op.getBytes(), 2), high = halfAfter(in.getB(), op.getBytes(), 6);
  if (!low || !high) {
    std::string a = text.input(in.getA()), b = text.input(in.getB());
    return text.emit("prmt.b32 " + result + ", " + a + ", " + b + ", " + number + ";", /*pure=*/true);
  }
  std::string a = text.input(low), b = text.input(high);
  return text.emit("{\n.reg .b16 any;\n.reg .b32 a, b;\nmov.b32 a, {" + a + ", any};\nmov.b32 b, {" + b +
                       ", any};\nprmt.b32 " + result + ", a, b, " + number + ";\n}",
                   /*pure=*/true);
}

PtxLowering::Values PtxLowering::lower(BytePermuteByOp, BytePermuteByOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(builder.getI32Type());
  std::string a = text.input(in.getA()), b = text.input(in.getB()), selector = text.input(in.getSelector());
  return text.emit("prmt.b32 " + result + ", " + a + ", " + b + ", " + selector + ";", /*pure=*/true);
}

} // namespace tawa::sm90
