// PTX of OpsScalar.td.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

PtxLowering::Values PtxLowering::lower(DivFullOp op, DivFullOp::Adaptor in) {
  PtxAsm text = ptx();
  std::string result = text.output(op.getType());
  std::string lhs = text.input(in.getLhs()), rhs = text.input(in.getRhs());
  return text.emit("div.full.f32 " + result + ", " + lhs + ", " + rhs + ";", /*pure=*/true);
}

// PTX converts NaN to 0 only from f32 to 32 bits (PTX ISA, "cvt").
PtxLowering::Values PtxLowering::lower(FloatToIntOp op, FloatToIntOp::Adaptor in) {
  Type from = in.getValue().getType(), to = op.getType();
  std::string sign = op.getIsUnsigned() ? ".u" : ".s";
  PtxAsm text = ptx();
  std::string result = text.output(to), value = text.input(in.getValue());
  Values whole = text.emit("cvt.rzi" + sign + std::to_string(to.getIntOrFloatBitWidth()) +
                               (from.isF64() ? ".f64 " : ".f32 ") + result + ", " + value + ";",
                           /*pure=*/true);
  if (from.isF32() && to.isInteger(32))
    return whole;
  Value isNan = builder.create<LLVM::FCmpOp>(loc, LLVM::FCmpPredicate::uno, in.getValue(), in.getValue());
  return {builder.create<LLVM::SelectOp>(loc, isNan, zero(to), whole[0])};
}

} // namespace tawa::sm90
