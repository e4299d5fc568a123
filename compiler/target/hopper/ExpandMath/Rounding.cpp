// Rounding to integers, and arithmetic that rounds in a given direction. The host's hardware rounds to nearest only, so
// the result is computed that way, compared with the exact one, and moved to its neighbour where it is on the wrong
// side. The exact result comes from f64 for f32, and from the error terms of sums and fmas for f64.

#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

/// A rounded result and on which side of the exact one it lies.
struct Rounded {
  Expr value, isAbove, isBelow;
};

Expr neighbour(const Expr &x, bool up) {
  Expr bits = bitsOf(x), fromZero = bits.integer(up ? 1 : (int64_t(1) << (x.bits() - 1)) + 1);
  Expr grows = up ? bits >= 0 : bits < 0;
  Expr moved = select(grows, bits + 1, bits - 1);
  return floatOf(select(x == 0, fromZero, moved));
}

Expr settled(const Rounded &given, Direction direction) {
  auto [value, isAbove, isBelow] = given;
  Expr down = select(isAbove, neighbour(value, false), value), up = select(isBelow, neighbour(value, true), value);
  switch (direction) {
  case Direction::Nearest:
    return value;
  case Direction::Zero:
    return select(value > 0, down, select(value < 0, up, value));
  case Direction::Up:
    return up;
  case Direction::Down:
    return down;
  }
  return value;
}

/// The f32 nearest to the f64 `exact + rest`, |rest| being below half a unit of `exact`.
Rounded single(const Expr &exact, const Expr &rest) {
  Expr value = toSingle(exact), wide = toDouble(value), isSame = wide == exact;
  return {value, (wide > exact) | (isSame & (rest < 0)), (wide < exact) | (isSame & (rest > 0))};
}

/// An f64 with the sign of its error; an infinity from finite operands lies beyond the exact value.
Rounded dual(const Expr &value, const Expr &rest, Args operands) {
  Expr areFinite = abs(operands[0]) < infinity(value);
  for (const Expr &operand : operands.drop_front())
    areFinite = areFinite & (abs(operand) < infinity(value));
  return {value, (rest < 0) | (areFinite & (value == infinity(value))),
          (rest > 0) | (areFinite & (value == -infinity(value)))};
}

/// The error of a sum.
Expr errorOfSum(const Expr &a, const Expr &b, const Expr &sum) {
  Expr other = sum - a;
  return (a - (sum - other)) + (b - other);
}

/// The sign of a quotient's error: that of the rest, turned by the divisor's.
Expr errorOfQuotient(const Expr &a, const Expr &b, const Expr &value) {
  Expr rest = fma(-value, b, a);
  return select(b < 0, -rest, rest);
}

} // namespace

Expr round(const Expr &x) {
  // Half a unit less than 1/2 does not carry 0.49999 over; the copy of the sign makes it go away from zero.
  double half = x.isDouble() ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
  return copysign(trunc(abs(x) + half), x);
}

Expr rounded(const Expr &x, Direction direction) {
  switch (direction) {
  case Direction::Nearest:
    return rint(x);
  case Direction::Zero:
    return trunc(x);
  case Direction::Up:
    return ceil(x);
  case Direction::Down:
    return floor(x);
  }
  return x;
}

Expr addRounded(const Expr &a, const Expr &b, Direction direction) {
  if (direction == Direction::Nearest)
    return a + b;
  Expr wideA = toDouble(a), wideB = toDouble(b), sum = wideA + wideB, error = errorOfSum(wideA, wideB, sum);
  return settled(a.isDouble() ? dual(sum, error, {a, b}) : single(sum, error), direction);
}

Expr mulRounded(const Expr &a, const Expr &b, Direction direction) {
  if (direction == Direction::Nearest)
    return a * b;
  Expr product = toDouble(a) * toDouble(b);
  return settled(a.isDouble() ? dual(product, fma(a, b, -product), {a, b}) : single(product, product.number(0)),
                 direction);
}

Expr divRounded(const Expr &a, const Expr &b, Direction direction) {
  if (direction == Direction::Nearest)
    return a / b;
  Expr wideA = toDouble(a), wideB = toDouble(b), value = wideA / wideB;
  Expr error = errorOfQuotient(wideA, wideB, value);
  // x / 0 is exactly infinite.
  return settled(a.isDouble() ? dual(value, error, {a, 1.0 / b}) : single(value, error), direction);
}

Expr sqrtRounded(const Expr &a, Direction direction) {
  if (direction == Direction::Nearest)
    return sqrt(a);
  Expr wide = toDouble(a), value = sqrt(wide), error = fma(-value, value, wide);
  return settled(a.isDouble() ? dual(value, error, {a}) : single(value, error), direction);
}

Expr fmaRounded(const Expr &a, const Expr &b, const Expr &c, Direction direction) {
  if (direction == Direction::Nearest)
    return fma(a, b, c);
  if (!a.isDouble()) {
    Expr product = toDouble(a) * toDouble(b), wideC = toDouble(c), sum = product + wideC;
    return settled(single(sum, errorOfSum(product, wideC, sum)), direction);
  }
  // a b + c as a sum of three numbers; the sign of what is left of it tells the side.
  Expr value = fma(a, b, c), product = a * b, productError = fma(a, b, -product);
  // A product too small for any f64 keeps only its sign.
  Expr hasVanished = (product == 0) & (a != 0) & (b != 0);
  productError = select(hasVanished, copysign(a.number(0x1p-1074), product), productError);
  Expr sum = product + c, sumError = errorOfSum(product, c, sum);
  Expr rest = (sum - value) + sumError;
  Expr error = errorOfSum(sum - value, sumError, rest);
  return settled(dual(value, (rest + productError) + error, {a, b, c}), direction);
}

Expr narrowRounded(const Expr &a, Direction direction) {
  return direction == Direction::Nearest ? toSingle(a) : settled(single(a, a.number(0)), direction);
}

Expr fromIntRounded(const Expr &a, mlir::Type type, bool isSigned, Direction direction) {
  Expr value = fromInt(a, type, isSigned);
  if (direction == Direction::Nearest || (a.bits() < 64 && value.isDouble()))
    return value;
  if (a.bits() < 64)
    return narrowRounded(fromInt(a, toDouble(value).type(), isSigned), direction);
  Expr back = toInt(value, 64, isSigned), isBeyond = value == (isSigned ? 0x1p63 : 0x1p64);
  Expr isAbove = isBeyond | (isSigned ? a < back : below(a, back));
  return settled({value, isAbove, !isAbove & (a != back)}, direction);
}

} // namespace tawa::math
