// Functions of a float's parts: sign, exponent, neighbours.

#include "compiler/target/hopper/ExpandMath/Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;

namespace tawa::math {

Expr maximum(const Expr &a, const Expr &b) {
  Code &code = a.where();
  return Expr(code, code.builder.create<arith::MaximumFOp>(code.loc, a.get(), b.get()));
}
Expr minimum(const Expr &a, const Expr &b) {
  Code &code = a.where();
  return Expr(code, code.builder.create<arith::MinimumFOp>(code.loc, a.get(), b.get()));
}

Expr signBit(const Expr &x) { return bitsOf(x) < 0; }
Expr saturate(const Expr &x) { return smaller(larger(x, 0), 1); }

Expr fdim(const Expr &x, const Expr &y) {
  Expr difference = select(x > y, x - y, 0);
  return select(isNan(x) | isNan(y), nan(x), difference);
}

Expr nextafter(const Expr &x, const Expr &y) {
  Expr bits = bitsOf(x), smallest = copysign(floatOf(bits.integer(1)), y);
  Expr isAway = (y > x) ^ (x < 0);
  Expr moved = floatOf(select(isAway, bits + 1, bits - 1));
  Expr result = select(x == y, y, select(x == 0, smallest, moved));
  return select(isNan(x) | isNan(y), nan(x), result);
}

Parts split(const Expr &x) {
  unsigned mantissa = x.isDouble() ? 52 : 23;
  int lift = mantissa + 2, bias = x.isDouble() ? 1023 : 127;
  Expr isTiny = abs(x) < (x.isDouble() ? 0x1p-1022 : 0x1p-126);
  Expr bits = bitsOf(select(isTiny, x * (x.isDouble() ? 0x1p54 : 0x1p25), x));
  int64_t field = x.isDouble() ? 0x7ff : 0xff;
  Expr exponent = shiftDown(bits, mantissa) & field;
  Expr fraction = floatOf((bits & ~(field << mantissa)) | (int64_t(bias) << mantissa));
  return {fraction, exponent - select(isTiny, exponent.integer(bias + lift), bias)};
}

namespace {

/// An i32 as an exponent of x: an integer as wide as x, cut to what still makes a difference.
Expr exponentFor(const Expr &x, const Expr &n) {
  Expr limited = larger(smaller(n, 4000), -4000);
  return extended(limited, x.bits(), /*isSigned=*/true);
}

} // namespace

Expr ldexp(const Expr &x, const Expr &n) {
  if (!x.isDouble()) {
    Expr wide = toDouble(x);
    return toSingle(wide * powerOfTwo(extended(larger(smaller(n, 400), -400), 64, true)));
  }
  auto [fraction, exponent] = split(x);
  Expr sum = exponent + exponentFor(x, n);
  Expr result = scaled(fraction, larger(smaller(sum, 1100), -1100));
  return select((x == 0) | isInf(x) | isNan(x), x, result);
}

Expr ilogb(const Expr &x) {
  Expr exponent = extended(split(x).exponent, 32, /*isSigned=*/true);
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
  Expr result = select((x == 0) | isNan(x), kLeast, exponent);
  return select(isInf(x), std::numeric_limits<int32_t>::max(), result);
}

Expr logb(const Expr &x) {
  Expr result = select(x == 0, -infinity(x), fromInt(split(x).exponent, x.type()));
  return select(isInf(x) | isNan(x), abs(x), result);
}

} // namespace tawa::math
