// Host form of OpsScalar.td.

#include "compiler/target/hopper/SM90ToHost/HostLowering.h"

using namespace mlir;

namespace tawa::sm90 {

HostLowering::Values HostLowering::lower(DivFullOp, DivFullOp::Adaptor in) {
  return {builder.create<LLVM::FDivOp>(loc, in.getLhs(), in.getRhs())};
}

HostLowering::Values HostLowering::lower(FloatToIntOp op, FloatToIntOp::Adaptor in) {
  StringRef name = op.getIsUnsigned() ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
  return {builder.create<LLVM::CallIntrinsicOp>(loc, op.getType(), name, ValueRange{in.getValue()}).getResults()};
}

} // namespace tawa::sm90
