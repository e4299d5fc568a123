// Host form of OpsMath.td and OpsMma.td. Roundings that LLVM supports are LLVM operations; the others, and all
// approximations, are calls.

#include "compiler/target/hopper/SM90ToHost/HostLowering.h"

using namespace mlir;

namespace tawa::sm90 {

Value HostLowering::typeNumber(Type type) { return constant(static_cast<uint32_t>(elementTypeOf(type))); }

HostLowering::Values HostLowering::lower(ApproxOp op, ApproxOp::Adaptor in) {
  return {call(EmuFn::approx, {constant(static_cast<uint32_t>(op.getKind())), constant(op.getFtz()), in.getValue()})};
}

Value HostLowering::roundBits(Value value, Type type, Rounding rounding) {
  return call(EmuFn::round_float, {typeNumber(type), constant(rounding == Rounding::RN), value});
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
  auto round = [&](Value value) {
    return op.getRounding() == Rounding::RN ? roundToHalf(value, op.getType())
                                            : roundBits(value, op.getType(), op.getRounding());
  };
  Value hi = builder.create<LLVM::ShlOp>(loc, round(in.getHi()), constant(16));
  return {builder.create<LLVM::OrOp>(loc, round(in.getLo()), hi)};
}

HostLowering::Values HostLowering::lower(CvtRoundOp op, CvtRoundOp::Adaptor in) {
  Type type = op.getType(), given = op.getResult().getType();
  Value bits = type.isTF32() || op.getRounding() == Rounding::RZ ? roundBits(in.getValue(), type, op.getRounding())
                                                                 : roundToHalf(in.getValue(), type);
  if (!type.isTF32())
    bits = builder.create<LLVM::TruncOp>(loc, builder.getI16Type(), bits);
  return {builder.create<LLVM::BitcastOp>(loc, given, bits)};
}

HostLowering::Values HostLowering::lower(CvtFp8PackOp op, CvtFp8PackOp::Adaptor in) {
  Value bytes = call(EmuFn::fp8_pack, {typeNumber(op.getType()), in.getLo(), in.getHi()});
  return {builder.create<LLVM::TruncOp>(loc, builder.getI16Type(), bytes)};
}

HostLowering::Values HostLowering::lower(CvtFp8UnpackOp op, CvtFp8UnpackOp::Adaptor in) {
  Value bytes = builder.create<LLVM::ZExtOp>(loc, builder.getI32Type(), in.getBytes());
  Value pair = call(EmuFn::fp8_unpack, {typeNumber(op.getType()), bytes});
  auto half = [&](Value word) -> Value {
    Value bits = builder.create<LLVM::TruncOp>(loc, builder.getI16Type(), word);
    return builder.create<LLVM::BitcastOp>(loc, builder.getF16Type(), bits);
  };
  return {half(pair), half(builder.create<LLVM::LShrOp>(loc, pair, constant(16)))};
}

HostLowering::Values HostLowering::lower(BytePermuteOp op, BytePermuteOp::Adaptor in) {
  Value word = constant(0);
  for (auto [place, byte] : llvm::enumerate(op.getBytes())) {
    Value source = byte < 4 ? in.getA() : in.getB();
    Value moved = builder.create<LLVM::LShrOp>(loc, source, constant(int64_t{8} * (byte % 4)));
    Value only = builder.create<LLVM::AndOp>(loc, moved, constant(0xff));
    word = builder.create<LLVM::OrOp>(loc, word, builder.create<LLVM::ShlOp>(loc, only, constant(8 * place)));
  }
  return {word};
}

HostLowering::Values HostLowering::lower(BytePermuteByOp, BytePermuteByOp::Adaptor in) {
  Type wide = builder.getI64Type();
  auto number = [&](int64_t value) -> Value { return builder.create<LLVM::ConstantOp>(loc, wide, value); };
  auto widen = [&](Value word) -> Value { return builder.create<LLVM::ZExtOp>(loc, wide, word); };
  auto take = [&](Value from, Value shift, int64_t mask) -> Value {
    return builder.create<LLVM::AndOp>(loc, builder.create<LLVM::LShrOp>(loc, from, shift), number(mask));
  };
  Value upper = builder.create<LLVM::ShlOp>(loc, widen(in.getB()), number(32));
  Value both = builder.create<LLVM::OrOp>(loc, upper, widen(in.getA())), selector = widen(in.getSelector());
  Value word = number(0);
  for (int64_t place = 0; place < 4; ++place) {
    Value bits = builder.create<LLVM::ShlOp>(loc, take(selector, number(4 * place), 7), number(3));
    Value moved = builder.create<LLVM::ShlOp>(loc, take(both, bits, 0xff), number(8 * place));
    word = builder.create<LLVM::OrOp>(loc, word, moved);
  }
  return {builder.create<LLVM::TruncOp>(loc, builder.getI32Type(), word)};
}

// C is passed and D returned through one array on the stack.
HostLowering::Values HostLowering::lower(MmaOp op, MmaOp::Adaptor in) {
  constexpr int64_t kWords = 4, kUnsignedA = 1 << 24, kUnsignedB = 1 << 25;
  auto number = [](Type type) { return static_cast<int64_t>(elementTypeOf(type)); };
  bool isF16 = in.getC().size() == 2;
  int64_t d = isF16 ? static_cast<int64_t>(ElementType::F16) : number(in.getC()[0].getType());
  int64_t types = number(op.getAType()) | number(op.getBType()) << 8 | d << 16;
  types |= (op.getAType().isUnsignedInteger() ? kUnsignedA : 0) | (op.getBType().isUnsignedInteger() ? kUnsignedB : 0);
  Value words = stackWords(kWords);
  storeTo(words, in.getC());
  call(EmuFn::mma, {in.getA0(), in.getA1(), in.getA2(), in.getA3(), in.getB0(), in.getB1(), constant(types), words});
  return loadFrom(words, op.getResultTypes());
}

} // namespace tawa::sm90
