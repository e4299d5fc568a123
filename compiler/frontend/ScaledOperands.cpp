// Decodes packed FP4 and FP8 operands and applies their scales. All arithmetic on packed values is on bits of bf16: one
// sign bit, 8 bits of exponent with bias 127, 7 of mantissa.
#include "compiler/frontend/ScaledOperands.h"

#include "compiler/frontend/TileValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa {

namespace {

RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Elementwise arithmetic on one tensor's shape.
class Bits {
public:
  Bits(OpBuilder &builder, Location loc, RankedTensorType type) : builder(builder), loc(loc), type(type) {}

  Value number(int64_t value) { return integerOf(builder, loc, type, value); }
  template <typename Op> Value apply(Value left, int64_t right) { return builder.create<Op>(loc, left, number(right)); }
  Value isEqual(Value value, int64_t to) {
    return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, value, number(to));
  }
  Value choose(Value condition, Value yes, Value no) {
    return builder.create<arith::SelectOp>(loc, condition, yes, no);
  }
  Value both(Value left, Value right) { return builder.create<arith::OrIOp>(loc, left, right); }
  Value asBf16(Value value) { return builder.create<arith::BitcastOp>(loc, type.clone(builder.getBF16Type()), value); }

private:
  OpBuilder &builder;
  Location loc;
  RankedTensorType type;
};

/// e2m1 codes (4 bits in an i16) as bf16: a code is the sign and the last exponent and first mantissa bits of a bf16
/// that is 2^126 too small, as their biases differ; subnormal codes become subnormal numbers, so the product is exact.
Value decodeE2M1(OpBuilder &builder, Location loc, Value codes) {
  constexpr float kBiasDifference = 0x1p126F;
  Bits bits(builder, loc, tensorType(codes));
  Value magnitude = bits.apply<arith::ShLIOp>(bits.apply<arith::AndIOp>(codes, 7), 6);
  Value sign = bits.apply<arith::ShLIOp>(bits.apply<arith::AndIOp>(codes, 8), 12);
  Value small = bits.asBf16(bits.both(magnitude, sign));
  return builder.create<arith::MulFOp>(loc, small, floatOf(builder, loc, tensorType(small), kBiasDifference));
}

/// Two values of each byte, the low half first, side by side along `dim`.
Value unpackE2M1(OpBuilder &builder, Location loc, Value bytes, unsigned dim) {
  auto type = tensorType(bytes);
  auto wide = type.clone(builder.getI16Type());
  Bits bits(builder, loc, wide);
  Value all = builder.create<arith::ExtUIOp>(loc, wide, bytes);
  Value low = decodeE2M1(builder, loc, bits.apply<arith::AndIOp>(all, 15));
  Value high = decodeE2M1(builder, loc, bits.apply<arith::ShRUIOp>(all, 4));
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  Value pairs = builder.create<tt::JoinOp>(loc, RankedTensorType::get(shape, builder.getBF16Type()), low, high);
  if (dim + 1 != type.getRank()) { // the pair moves after the dimension it belongs to
    SmallVector<int32_t> order;
    SmallVector<int64_t> transposed;
    for (unsigned from = 0; from < type.getRank(); ++from) {
      order.push_back(static_cast<int32_t>(from));
      if (from == dim)
        order.push_back(static_cast<int32_t>(type.getRank()));
    }
    for (int32_t from : order)
      transposed.push_back(shape[from]);
    pairs = builder.create<tt::TransOp>(loc, RankedTensorType::get(transposed, builder.getBF16Type()), pairs,
                                        builder.getDenseI32ArrayAttr(order));
  }
  SmallVector<int64_t> result(type.getShape());
  result[dim] *= 2;
  return reshapeTo(builder, loc, pairs, result);
}

Value convert(OpBuilder &builder, Location loc, Value value, Type element) {
  auto type = tensorType(value);
  Type from = type.getElementType(), to = type.clone(element);
  if (from == element)
    return value;
  if (from.getIntOrFloatBitWidth() == 8)
    return builder.create<tt::FpToFpOp>(loc, to, value, tt::RoundingModeAttr());
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return builder.create<arith::ExtFOp>(loc, to, value);
  // bf16 to f16 and back: through f32, which holds both.
  Value wide = builder.create<arith::ExtFOp>(loc, type.clone(builder.getF32Type()), value);
  return builder.create<arith::TruncFOp>(loc, to, wide);
}

/// The operand's elements as floats, without scales.
Value readElements(OpBuilder &builder, Location loc, const ScaledOperand &operand, Type element) {
  using Kind = tt::ScaleDotElemType;
  auto type = tensorType(operand.elements);
  if (operand.type == Kind::E2M1) {
    unsigned last = type.getRank() - 1;
    bool packsLast = operand.kIsLast == operand.kPacked;
    return convert(builder, loc, unpackE2M1(builder, loc, operand.elements, packsLast ? last : last - 1), element);
  }
  Value value = operand.elements;
  if (type.getElementType().isInteger(8)) {
    Type fp8 = operand.type == Kind::E4M3 ? Type(builder.getFloat8E4M3FNType()) : Type(builder.getFloat8E5M2Type());
    value = builder.create<tt::BitcastOp>(loc, type.clone(fp8), value);
  }
  return convert(builder, loc, value, element);
}

/// Exponents without a mantissa (e8m0) as floats: 2 to the power of the value less 127, which is bf16's own exponent. 0
/// encodes a number that is subnormal in bf16.
Value decodeE8M0(OpBuilder &builder, Location loc, Value exponents, bool fastMath) {
  constexpr int64_t kSmallest = 0x0040, kNaN = 0x7FC0, kNaNExponent = 0xFF;
  auto wide = tensorType(exponents).clone(builder.getI16Type());
  Bits bits(builder, loc, wide);
  Value value = builder.create<arith::ExtUIOp>(loc, wide, exponents);
  Value scale = bits.apply<arith::ShLIOp>(value, 7);
  scale = bits.choose(bits.isEqual(value, 0), bits.number(kSmallest), scale);
  if (!fastMath)
    scale = bits.choose(bits.isEqual(value, kNaNExponent), bits.number(kNaN), scale);
  return bits.asBf16(scale);
}

/// One scale for each element: every scale is repeated along K, at the operand's position of K.
Value spreadScales(OpBuilder &builder, Location loc, Value scales, int64_t depth, bool kIsLast) {
  auto type = tensorType(scales);
  Type element = type.getElementType();
  unsigned rank = type.getRank();
  SmallVector<int64_t> runs(type.getShape());
  runs.push_back(depth / type.getDimSize(rank - 1));
  Value column = builder.create<tt::ExpandDimsOp>(loc, scales, static_cast<int32_t>(rank));
  Value spread = builder.create<tt::BroadcastOp>(loc, RankedTensorType::get(runs, element), column);
  SmallVector<int64_t> shape(type.getShape());
  shape[rank - 1] = depth;
  spread = reshapeTo(builder, loc, spread, shape);
  if (kIsLast)
    return spread;
  SmallVector<int32_t> order;
  for (unsigned dim = 0; dim < rank; ++dim)
    order.push_back(static_cast<int32_t>(dim));
  std::swap(order[rank - 1], order[rank - 2]);
  std::swap(shape[rank - 1], shape[rank - 2]);
  return builder.create<tt::TransOp>(loc, RankedTensorType::get(shape, element), spread,
                                     builder.getDenseI32ArrayAttr(order));
}

} // namespace

Type productType(Builder &builder, const ScaledOperand &a, const ScaledOperand &b) {
  using Kind = tt::ScaleDotElemType;
  if (a.type != Kind::FP16 && b.type != Kind::FP16)
    return builder.getBF16Type();
  bool fitsF16 = !a.scales && !b.scales && a.type != Kind::BF16 && b.type != Kind::BF16;
  return fitsF16 ? Type(builder.getF16Type()) : Type(builder.getF32Type());
}

Value widen(OpBuilder &builder, Location loc, const ScaledOperand &operand, Type element, bool fastMath) {
  Value elements = readElements(builder, loc, operand, element);
  if (!operand.scales)
    return elements;
  auto type = tensorType(elements);
  bool areExponents = tensorType(operand.scales).getElementType().isInteger(8);
  Value scales = areExponents ? decodeE8M0(builder, loc, operand.scales, fastMath) : operand.scales;
  scales = convert(builder, loc, scales, element);
  int64_t depth = type.getDimSize(type.getRank() - (operand.kIsLast ? 1 : 2));
  Value spread = spreadScales(builder, loc, scales, depth, operand.kIsLast);
  return builder.create<arith::MulFOp>(loc, elements, spread);
}

} // namespace tawa
