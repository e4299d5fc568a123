// Host form of OpsMemory.td. A load or store first asks the emulator for the host address, which checks and records the
// access, and then is an ordinary one.

#include "compiler/conversion/SM90ToHost/HostLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// `address` is a 32-bit shared address or a global pointer.
Value HostLowering::access(Value address, TypeRange types, bool write) {
  int64_t bytes = types.size() * types[0].getIntOrFloatBitWidth() / 8;
  if (!isa<LLVM::LLVMPointerType>(address.getType()))
    return call(EmuFn::shared_access, {address, constant(bytes), constant(write)});
  Value number = builder.create<LLVM::PtrToIntOp>(loc, builder.getI64Type(), address);
  return call(EmuFn::global_access, {number, constant(bytes), constant(write)});
}

HostLowering::Values HostLowering::lower(LoadSharedOp op, LoadSharedOp::Adaptor in) {
  return loadFrom(access(in.getAddress(), op.getResultTypes(), /*write=*/false), op.getResultTypes());
}
HostLowering::Values HostLowering::lower(LoadGlobalOp op, LoadGlobalOp::Adaptor in) {
  return loadFrom(access(in.getAddress(), op.getResultTypes(), /*write=*/false), op.getResultTypes());
}
HostLowering::Values HostLowering::lower(StoreSharedOp, StoreSharedOp::Adaptor in) {
  storeTo(access(in.getAddress(), in.getValues().getTypes(), /*write=*/true), in.getValues());
  return {};
}
HostLowering::Values HostLowering::lower(StoreGlobalOp, StoreGlobalOp::Adaptor in) {
  storeTo(access(in.getAddress(), in.getValues().getTypes(), /*write=*/true), in.getValues());
  return {};
}

HostLowering::Values HostLowering::lower(StmatrixOp op, StmatrixOp::Adaptor in) {
  constexpr size_t kMaxMatrices = 4;
  Values arguments{in.getAddress(), constant(in.getRegisters().size()), constant(op.getTrans())};
  llvm::append_range(arguments, in.getRegisters());
  for (size_t missing = in.getRegisters().size(); missing < kMaxMatrices; ++missing)
    arguments.push_back(constant(0));
  return callVoid(EmuFn::stmatrix, arguments);
}

HostLowering::Values HostLowering::lower(LdmatrixOp op, LdmatrixOp::Adaptor in) {
  Value words = stackWords(op.getNumResults());
  call(EmuFn::ldmatrix, {in.getAddress(), constant(op.getNumResults()), constant(op.getTrans()), words});
  return loadFrom(words, op.getResultTypes());
}

/// An f32 rounded to nearest even, as the low 16 bits of an i32. bf16 is done on the bits: the processors this code is
/// for have no instruction for it.
Value HostLowering::roundToHalf(Value value, Type type) {
  Type word = builder.getI32Type();
  if (type.isF16()) {
    Value half = builder.create<LLVM::FPTruncOp>(loc, type, value);
    return builder.create<LLVM::ZExtOp>(loc, word, builder.create<LLVM::BitcastOp>(loc, builder.getI16Type(), half));
  }
  Value bits = builder.create<LLVM::BitcastOp>(loc, word, value);
  Value top = builder.create<LLVM::LShrOp>(loc, bits, constant(16));
  Value odd = builder.create<LLVM::AndOp>(loc, top, constant(1));
  Value bias = builder.create<LLVM::AddOp>(loc, odd, constant(0x7fff));
  Value rounded = builder.create<LLVM::LShrOp>(loc, builder.create<LLVM::AddOp>(loc, bits, bias), constant(16));
  Value isNan = builder.create<LLVM::FCmpOp>(loc, LLVM::FCmpPredicate::uno, value, value);
  return builder.create<LLVM::SelectOp>(loc, isNan, constant(0x7fff), rounded);
}

HostLowering::Values HostLowering::lower(CvtPackOp op, CvtPackOp::Adaptor in) {
  Value lo = roundToHalf(in.getLo(), op.getType());
  Value hi = builder.create<LLVM::ShlOp>(loc, roundToHalf(in.getHi(), op.getType()), constant(16));
  return {builder.create<LLVM::OrOp>(loc, lo, hi)};
}

} // namespace tawa::sm90
