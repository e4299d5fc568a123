// Hyperbolic functions and their inverses, from exponentials and logarithms that keep their precision near 0 and 1.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// The argument from which x^2 + 1 and x + 1 round to x^2 and x.
double largeFrom(const Expr &x) { return x.isDouble() ? 0x1p60 : 0x1p28; }

/// log1p(x), or log(2x) where `isLarge` says so.
Expr logOfSum(const Expr &x, const Expr &isLarge) { return log1p(x) + select(isLarge, x.number(kLn2), 0); }

} // namespace

Expr sinh(const Expr &x) {
  Expr magnitude = abs(x), half = expScaled(magnitude, -1), large = half - quotient(0.25, half);
  if (!x.isDouble()) {
    Expr z = x * x;
    return select(magnitude < 1, fma(x * z, poly(z, kSinh32), x), copysign(large, x));
  }
  Expr e = expm1(clamped(magnitude, 0, 30)), small = (e + e / (e + 1)) * 0.5;
  return copysign(select(magnitude < 22, small, large), x);
}

Expr cosh(const Expr &x) {
  Expr half = expScaled(abs(x), -1);
  return half + quotient(0.25, half);
}

Expr tanh(const Expr &x) {
  Expr magnitude = abs(x);
  if (x.isDouble()) {
    Expr e = expm1(clamped(magnitude, 0, 22) * 2);
    return copysign(e / (e + 2), x);
  }
  Expr z = x * x, small = fma(x * z, poly(z, kTanh32), x);
  // Nothing that flushes takes part in the sums with 1.
  Expr e = approximate(Unit::Ex2, magnitude * 0x1.71547652b82fep+1, /*flushes=*/true);
  Expr large = fma(approximate(Unit::Rcp, e + 1, /*flushes=*/true), -2.0, 1.0);
  return select(magnitude < 0.6, small, copysign(large, x));
}

Expr asinh(const Expr &x) {
  Expr magnitude = abs(x), isLarge = magnitude > largeFrom(x);
  Expr square = select(isLarge, 1.0, magnitude * magnitude);
  Expr argument = magnitude + quotient(square, sqrt(square + 1) + 1);
  return copysign(logOfSum(select(isLarge, magnitude, argument), isLarge), x);
}

Expr acosh(const Expr &x) {
  Expr isLarge = x > largeFrom(x), t = select(isLarge, 1.0, x - 1);
  Expr argument = t + sqrt(fma(t, t, t * 2));
  return select(x < 1, nan(x), logOfSum(select(isLarge, x, argument), isLarge));
}

Expr atanh(const Expr &x) {
  Expr magnitude = abs(x);
  return copysign(log1p(quotient(magnitude * 2, 1.0 - magnitude)) * 0.5, x);
}

} // namespace tawa::math
