// Conversions from and to 16-bit and 8-bit floats. After this pass FP8 values are i8 values with their bits.

#include "compiler/target/hopper/ExpandMath/Functions.h"
#include "compiler/target/hopper/SM90/SM90.h"

using namespace mlir;

namespace tawa::math {
namespace {

bool isFp8(Type type) { return type.getIntOrFloatBitWidth() == 8; }

Expr widenFp8(const Expr &bits, Type type) {
  Code &code = bits.where();
  Expr word = extended(bits, 16, false);
  return Expr(code, code.builder.create<sm90::CvtFp8UnpackOp>(code.loc, word.get(), type).getLo());
}

/// An f64 as an f32 rounded to odd: the last bit is set where the f64 was larger, so a later rounding is the only one.
Expr narrowToOdd(const Expr &a) {
  Expr cut = narrowRounded(a, Direction::Zero);
  Expr odd = floatOf(bitsOf(cut) | extended((toDouble(cut) != a), 32, false));
  return select(isNan(a), toSingle(a), odd);
}

/// An f32 that rounds like `a` in the requested direction.
Expr asSingle(const Expr &a, bool towardsZero) {
  if (!a.isDouble())
    return toSingle(a);
  return towardsZero ? narrowRounded(a, Direction::Zero) : narrowToOdd(a);
}

/// The largest finite value, and the bound from which rounding to nearest gives none.
struct Fp8Range {
  double largest, limit;
};
Fp8Range rangeOf(Type type) { return type.isFloat8E4M3FN() ? Fp8Range{448, 464} : Fp8Range{57344, 61440}; }

Expr toFp8(const Expr &x, Type type, bool towardsZero, bool saturates) {
  Code &code = x.where();
  auto packed = code.builder.create<sm90::CvtFp8PackOp>(code.loc, x.get(), x.number(0).get(), type);
  Expr bits = extended(Expr(code, packed.getResult()), 8, false);
  if (towardsZero) {
    Expr back = toSingle(widenFp8(bits, type));
    return select(abs(back) > abs(x), bits - 1, bits);
  }
  if (saturates)
    return bits;
  // f8E4M3FN has no infinity: the tie at its limit rounds to the largest value, that of f8E5M2 to infinity.
  bool hasInfinity = type.isFloat8E5M2();
  double limit = rangeOf(type).limit;
  Expr isBeyond = hasInfinity ? abs(x) >= limit : abs(x) > limit;
  Expr sign = bits & -128;
  return select(isBeyond, sign | (hasInfinity ? 0x7c : 0x7f), bits);
}

Expr toHalf(const Expr &x, Type type, bool towardsZero) {
  Code &code = x.where();
  if (!towardsZero)
    return toFloat(x, type);
  return Expr(code, code.builder.create<sm90::CvtRoundOp>(code.loc, x.get(), type, sm90::Rounding::RZ).getResult());
}

} // namespace

Expr convertFloat(const Expr &a, Type from, Type to, bool towardsZero, bool saturates) {
  if (from == to)
    return a;
  Expr source = isFp8(from) ? widenFp8(a, from) : a;
  if (isFp8(to))
    return toFp8(asSingle(source, towardsZero), to, towardsZero, saturates);
  if (source.type() == to)
    return source;
  if (to.getIntOrFloatBitWidth() == 16)
    return toHalf(asSingle(source, towardsZero), to, towardsZero);
  if (to.isF32() && towardsZero && source.isDouble())
    return narrowRounded(source, Direction::Zero);
  return toFloat(source, to);
}

} // namespace tawa::math
