// The error function and its relatives. erf: a polynomial below 1; beyond, 1 minus an exponential (f32) or minus erfc
// (f64). erfc: e^(-x^2) times a polynomial in (x - 4) / (x + 4), over 1 + 2x. The inverses: polynomials in -log(1
// - x^2) or its root, in f64 followed by a Halley step.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

/// e^(x^2) erfc(x) of x from 0 on.
Expr erfcxPositive(const Expr &x) {
  Expr t = quotient(x - 4, x + 4);
  return quotient(poly(t, kErfcx32, kErfcx64), fma(x, 2, 1));
}

/// e^(sign x^2): the square's rounding error counts.
Expr expOfSquare(const Expr &x, double sign) {
  Expr square = x * x, error = fma(x, x, -square);
  Expr power = exp(square * sign);
  return fma(power * sign, error, power);
}

Expr erfcPositive(const Expr &x) { return erfcxPositive(x) * expOfSquare(x, -1); }

} // namespace

Expr erf(const Expr &x) {
  Expr magnitude = abs(x), z = x * x, small = fma(x, poly(z, kErf32, kErf64), x);
  if (x.isDouble()) {
    Expr large = 1.0 - erfcPositive(clamped(magnitude, 0, 8));
    return select(magnitude < 1, small, copysign(large, x));
  }
  Expr beyond = clamped(magnitude, 0, 3.94) - 1;
  Expr large = 1.0 - approximate(Unit::Ex2, -poly(beyond, kErfTail32), /*flushes=*/true);
  return select(magnitude < 1, small, copysign(large, x));
}

Expr erfc(const Expr &x) {
  Expr value = erfcPositive(clamped(abs(x), 0, x.isDouble() ? 28 : 10.5));
  return select(x < 0, 2.0 - value, value);
}

Expr erfcx(const Expr &x) {
  Expr magnitude = abs(x);
  // Beyond the polynomial's interval the asymptotic series will do: with h = 1 / 2x^2 it is 1 - h (1 - 3h (1 - 5h
  // ...)).
  Expr limit = x.number(x.isDouble() ? 28 : 10.5), isFar = magnitude > limit;
  Expr inverse = quotient(1.0, magnitude), h = inverse * inverse * 0.5, series = x.number(1);
  for (int odd = 11; odd > 0; odd -= 2)
    series = fma(series * h, -odd, 1);
  Expr value = select(isFar, inverse * 0x1.20dd750429b6dp-1 * series, erfcxPositive(select(isFar, limit, magnitude)));
  Expr mirrored = expOfSquare(clamped(magnitude, 0, x.isDouble() ? 27 : 10), 1) * 2 - value;
  Expr overflows = x < (x.isDouble() ? -26.7 : -9.4);
  return select(x < 0, select(overflows, infinity(x), mirrored), value);
}

//===--- Inverses -------------------------------------------------------------------------------------------------===//

namespace {

/// erfinv(x) / x for w = -log(1 - x^2), an f64; right to about 2^-22 or better.
Expr inverseRatio(const Expr &w) {
  Expr root = sqrt(w);
  Expr middle = poly(root - 3, kErfInvMiddle), tail = poly(clamped(root, 4, 27.4) - 4, kErfInvTail);
  return select(w < 5, poly(w - 2.5, kErfInvCenter), select(root < 4, middle, tail));
}

constexpr double kHalfRootPi = 0x1.c5bf891b4ef6bp-1;

/// One step of Halley's from r0 towards the r with erf(r) = x and erfc(r) = y, x = 1 - y from 0 on.
Expr refined(const Expr &r0, const Expr &x, const Expr &y) {
  Expr growth = expOfSquare(r0, 1);
  Expr near = (erf(r0) - x) * growth, far = fma(y, growth, -erfcxPositive(r0));
  Expr u = select(x < 0.5, near, far) * kHalfRootPi;
  return r0 - u / fma(r0, u, 1);
}

/// For x from 0 to 1 and y = 1 - x, both f64.
Expr inverse(const Expr &x, const Expr &y, bool isPrecise) {
  Expr isEnd = y == 0, inside = select(isEnd, 0.5, y), other = select(isEnd, 0.5, x);
  Expr r = other * inverseRatio(-log(inside * (other + 1)));
  if (isPrecise)
    r = refined(refined(r, other, inside), other, inside);
  return select(isEnd, infinity(x), r);
}

} // namespace

Expr erfinv(const Expr &x) {
  Expr wide = toDouble(x), magnitude = abs(wide);
  Expr value = copysign(inverse(magnitude, 1.0 - magnitude, x.isDouble()), wide);
  return toFloat(select((magnitude > 1) | isNan(wide), nan(wide), value), x.type());
}

Expr erfcinv(const Expr &x) {
  Expr wide = toDouble(x), isUpper = wide > 1;
  Expr y = select(isUpper, 2.0 - wide, wide);
  Expr value = inverse(1.0 - y, y, x.isDouble());
  value = select(isUpper, -value, value);
  return toFloat(select((wide < 0) | (wide > 2) | isNan(wide), nan(wide), value), x.type());
}

// The rounding error of x sqrt(1/2) would grow with x^2: erfc's derivative takes it back, about -2x erfc(x).
Expr normcdf(const Expr &x) {
  constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1, kRootHalfLow = -0x1.bdd3413b26456p-55;
  Expr minus = clamped(-toDouble(x), -40, 40);
  Expr t = minus * kRootHalf, error = fma(minus, kRootHalf, -t) + minus * kRootHalfLow;
  Expr value = erfc(t) * 0.5;
  Expr corrected = fma(value, error * t * -2, value);
  return toFloat(select(t > 1, corrected, value), x.type());
}

Expr normcdfinv(const Expr &x) {
  Expr wide = toDouble(x);
  return toFloat(erfcinv(wide * 2) * -0x1.6a09e667f3bcdp+0, x.type());
}

} // namespace tawa::math
