// Powers and roots. pow is e^(y log x) with log x in two parts, so that the error of the product does not grow with it;
// for f32 all intermediate values are f64.

#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

/// |x|^y where neither is special.
Expr powerOfMagnitude(const Expr &magnitude, const Expr &y) {
  Expr wideY = toDouble(y);
  auto [high, low] = [&]() -> std::pair<Expr, Expr> {
    if (magnitude.isDouble())
      return logPair(magnitude);
    Expr value = log(toDouble(magnitude));
    return {value, value.number(0)};
  }();
  Expr product = wideY * high, rest = fma(wideY, high, -product) + wideY * low;
  // Beyond e^800 the rest does not count, and may be NaN.
  Expr result = expPair(product, select(abs(product) < 1000, rest, 0));
  return toFloat(result, magnitude.type());
}

struct Wholeness {
  Expr isWhole, isOdd;
};
Wholeness wholeness(const Expr &y) {
  Expr isWhole = trunc(y) == y, half = y * 0.5;
  return {isWhole, isWhole & (trunc(half) != half)};
}

} // namespace

Expr pow(const Expr &x, const Expr &y) {
  Expr magnitude = abs(x);
  Expr isExtreme = (magnitude == 0) | (magnitude == infinity(x));
  Expr result = powerOfMagnitude(select(isExtreme, 2.0, magnitude), y);
  Expr vanishes = (magnitude == 0) ^ (y < 0);
  result = select(isExtreme, select(vanishes, 0, infinity(x)), result);
  result = select(magnitude == 1, 1, result);
  auto [isWhole, isOdd] = wholeness(y);
  // A negative number has only whole powers; -infinity and -0 behave like their magnitude otherwise.
  result = select((x < 0) & !isWhole & !isExtreme, nan(x), result);
  result = select(isOdd, copysign(result, x), result);
  result = select(isNan(x) | isNan(y), nan(x), result);
  return select((x == 1) | (y == 0), 1, result);
}

Expr powi(const Expr &x, const Expr &n) {
  // An i32 is not always an f32: parity and magnitude are taken from the f64.
  if (x.isDouble())
    return pow(x, fromInt(n, x.type()));
  return toSingle(pow(toDouble(x), fromInt(n, toDouble(x).type())));
}

Expr ipowi(const Expr &x, const Expr &n) {
  Expr one = x.integer(1), zero = x.integer(0);
  Exprs state = {one, x, select(n < 0, zero, n)};
  Exprs last = loop(
      state, [](Args now) { return now[2] != 0; },
      [](Args now) { return Exprs{select((now[2] & 1) != 0, now[0] * now[1], now[0]), now[1] * now[1], now[2] >> 1}; });
  // x^-n is 1 / x^n cut to an integer: 0 but for 1 and -1. 0 has none, and gives 0.
  Expr sign = select((n & 1) != 0, x, one);
  Expr inverse = select(x == 1, one, select(x == -1, sign, zero));
  return select(n < 0, inverse, last[0]);
}

Expr approximatePow(const Expr &x, const Expr &y) { return approximateExp2(y * approximateLog2(x)); }

Expr rsqrt(const Expr &x) {
  if (!x.isDouble())
    return approximate(Unit::Rsqrt, x);
  return 1.0 / sqrt(x);
}

Expr approximateSqrt(const Expr &x) { return x.isDouble() ? sqrt(x) : approximate(Unit::Sqrt, x); }

// A third of the exponent's bits approximates the root within 4 %; each Halley step cubes that error.
Expr cbrt(const Expr &x) {
  if (!x.isDouble())
    return toSingle(cbrt(toDouble(x)));
  Expr magnitude = abs(x), isTiny = magnitude < 0x1p-1022;
  Expr isHuge = magnitude > 0x1p1000;
  Expr a = select(isTiny, magnitude * 0x1p54, select(isHuge, magnitude * 0x1p-54, magnitude));
  Expr third = extended(shiftDown(bitsOf(a), 32), 32, false);
  third = extended(shiftDown(extended(third, 64, false) * 0x55555556, 32), 32, false) + 0x2a9f7893;
  Expr t = floatOf(extended(third, 64, false) << 32);
  for (int step = 0; step < 3; ++step) {
    Expr cube = t * t * t;
    t = t * ((cube + a * 2) / (cube * 2 + a));
  }
  // One more step on the exact residue a - t^3.
  Expr square = t * t, squareLow = fma(t, t, -square);
  Expr cube = square * t, cubeLow = fma(square, t, -cube) + squareLow * t;
  t = t + ((a - cube) - cubeLow) / (square * 3);
  Expr result = copysign(select(isTiny, t * 0x1p-18, select(isHuge, t * 0x1p18, t)), x);
  return select((x == 0) | isNan(x) | isInf(x), x, result);
}

Expr rcbrt(const Expr &x) {
  if (!x.isDouble())
    return toSingle(rcbrt(toDouble(x)));
  return 1.0 / cbrt(x);
}

namespace {

Expr sumOfSquares(Args xs) {
  Expr sum = xs[0] * xs[0];
  for (const Expr &x : xs.drop_front())
    sum = fma(x, x, sum);
  return sum;
}

/// f(sqrt(sum of squares), scale) for f64, with the numbers scaled by a power of two so that the largest is near 1.
struct ScaledNorm {
  Expr root, exponent, hasInf, largest;
};
ScaledNorm scaledNorm(Args xs) {
  Expr largest = abs(xs[0]), hasInf = isInf(xs[0]);
  for (const Expr &x : xs.drop_front()) {
    largest = larger(largest, abs(x));
    hasInf = hasInf | isInf(x);
  }
  Expr usable = select((largest == 0) | hasInf | isNan(largest), 1.0, largest);
  Expr exponent = split(usable).exponent;
  llvm::SmallVector<Expr, 4> small;
  for (const Expr &x : xs)
    small.push_back(scaled(x, -exponent));
  return {sqrt(sumOfSquares(small)), exponent, hasInf, largest};
}

llvm::SmallVector<Expr, 4> widened(Args xs) {
  llvm::SmallVector<Expr, 4> wide;
  for (const Expr &x : xs)
    wide.push_back(toDouble(x));
  return wide;
}

Expr anyInf(Args xs) {
  Expr any = isInf(xs[0]);
  for (const Expr &x : xs.drop_front())
    any = any | isInf(x);
  return any;
}

} // namespace

// The squares of f32 fit into f64.
Expr norm(Args xs) {
  if (!xs[0].isDouble())
    return select(anyInf(xs), infinity(xs[0]), toSingle(sqrt(sumOfSquares(widened(xs)))));
  ScaledNorm parts = scaledNorm(xs);
  return select(parts.hasInf, infinity(xs[0]), scaled(parts.root, parts.exponent));
}

Expr reciprocalNorm(Args xs) {
  if (!xs[0].isDouble())
    return select(anyInf(xs), 0, toSingle(1.0 / sqrt(sumOfSquares(widened(xs)))));
  ScaledNorm parts = scaledNorm(xs);
  return select(parts.hasInf, 0, scaled(1.0 / parts.root, -parts.exponent));
}

} // namespace tawa::math
