// Host form of OpsWgmma.td. In flight, an accumulator is the emulator's handle, passed on unchanged; its registers are
// copied in when it is resumed and out where a wait makes it readable.

#include "compiler/target/hopper/SM90ToHost/HostLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// The emulator copies n/2 words, whatever the element; the packed f16 form uses the first half of them.
static int64_t copiedWords(int64_t n) { return n / 2; }

Value HostLowering::stackWords(int64_t words) {
  OpBuilder::InsertionGuard guard(builder);
  Value thread = currentThread(builder);
  builder.setInsertionPointToStart(thread.getParentBlock());
  return builder.create<LLVM::AllocaOp>(loc, thread.getType(), builder.getI32Type(), constant(words), 16);
}

Value HostLowering::elementPointer(Value base, Type type, int64_t index) {
  return builder.create<LLVM::GEPOp>(loc, base.getType(), type, base,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

HostLowering::Values HostLowering::loadFrom(Value pointer, TypeRange types) {
  Values values;
  for (auto [index, type] : llvm::enumerate(types))
    values.push_back(builder.create<LLVM::LoadOp>(loc, type, elementPointer(pointer, type, index)));
  return values;
}

void HostLowering::storeTo(Value pointer, ValueRange values) {
  for (auto [index, value] : llvm::enumerate(values))
    builder.create<LLVM::StoreOp>(loc, value, elementPointer(pointer, value.getType(), index));
}

HostLowering::Values HostLowering::lower(AccUndefOp op, AccUndefOp::Adaptor) {
  return {call(EmuFn::acc_new, {constant(op.getType().getN())})};
}

HostLowering::Values HostLowering::lower(ResumeOp op, ResumeOp::Adaptor in) {
  int64_t n = op.getType().getN();
  Value handle = call(EmuFn::acc_new, {constant(n)});
  Value words = stackWords(copiedWords(n));
  storeTo(words, unpackStruct(builder, loc, in.getAccumulator()));
  call(EmuFn::acc_write, {handle, words});
  return {handle};
}

HostLowering::Values HostLowering::lower(PackOp op, PackOp::Adaptor in) {
  return {packStruct(builder, loc, fragmentStruct(op.getType()), in.getRegisters())};
}
HostLowering::Values HostLowering::lower(UnpackOp, UnpackOp::Adaptor in) {
  return unpackStruct(builder, loc, in.getAccumulator());
}

HostLowering::Values HostLowering::lower(WgmmaFenceOp, WgmmaFenceOp::Adaptor) { return callVoid(EmuFn::wgmma_fence); }
HostLowering::Values HostLowering::lower(WgmmaCommitOp, WgmmaCommitOp::Adaptor) {
  return callVoid(EmuFn::wgmma_commit);
}

HostLowering::Values HostLowering::lower(WgmmaWaitOp op, WgmmaWaitOp::Adaptor in) {
  call(EmuFn::wgmma_wait, {constant(op.getPendings())});
  Values results;
  for (auto [handle, type] : llvm::zip_equal(in.getAccumulators(), op.getResultTypes())) {
    auto readable = dyn_cast<AccumulatorType>(type);
    if (!readable) {
      results.push_back(handle);
      continue;
    }
    Value words = stackWords(copiedWords(readable.getN()));
    call(EmuFn::acc_read, {handle, words});
    call(EmuFn::acc_free, {handle});
    results.push_back(packStruct(builder, loc, fragmentStruct(type), loadFrom(words, registerTypes(type))));
  }
  return results;
}

ElementType elementTypeOf(Type type) {
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(64))
    return ElementType::I64;
  if (type.isF64())
    return ElementType::F64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isFloat8E4M3FN())
    return ElementType::F8E4M3;
  if (type.isFloat8E5M2())
    return ElementType::F8E5M2;
  if (type.isInteger(8))
    return ElementType::I8;
  return type.isInteger(32) ? ElementType::I32 : ElementType::F32;
}

template <typename WgmmaLike> Value HostLowering::packTypes(WgmmaLike op) {
  auto number = [](Type type) { return static_cast<int64_t>(elementTypeOf(type)); };
  return constant(number(op.getAType()) | number(op.getBType()) << 8 | number(op.getType().getElementType()) << 16);
}

/// Bits as EmulatorAbi.def numbers them.
static int64_t flagsOf(bool transA, bool transB, bool negA, bool negB) {
  return transA | transB << 1 | negA << 2 | negB << 3;
}

HostLowering::Values HostLowering::lower(WgmmaOp op, WgmmaOp::Adaptor in) {
  Value scale = builder.create<LLVM::ZExtOp>(loc, builder.getI32Type(), in.getScaleD());
  int64_t flags = flagsOf(op.getTransA(), op.getTransB(), op.getNegA(), op.getNegB());
  call(EmuFn::wgmma, {in.getAccumulator(), in.getDescA(), in.getDescB(), scale, constant(op.getType().getN()),
                      packTypes(op), constant(flags)});
  return {in.getAccumulator()};
}

HostLowering::Values HostLowering::lower(WgmmaRsOp op, WgmmaRsOp::Adaptor in) {
  Value scale = builder.create<LLVM::ZExtOp>(loc, builder.getI32Type(), in.getScaleD());
  int64_t flags = flagsOf(false, op.getTransB(), op.getNegA(), op.getNegB());
  call(EmuFn::wgmma_rs, {in.getAccumulator(), in.getA0(), in.getA1(), in.getA2(), in.getA3(), in.getDescB(), scale,
                         constant(op.getType().getN()), packTypes(op), constant(flags)});
  return {in.getAccumulator()};
}

} // namespace tawa::sm90
