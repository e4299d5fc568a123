// The gamma function and its logarithm, computed in f64. Arguments below 8 are shifted to [1.5, 2.5] by the recurrence;
// larger ones take Stirling's series, those below -1/2 the reflection formula.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1, kLnPi = 0x1.250d048e7a1bdp+0;
constexpr double kHalfLnTwoPi = 0x1.d67f1c864beb5p-1, kRootTwoPi = 0x1.40d931ff62706p+1;
constexpr double kStirlingFrom = 8;

/// gamma(x) = gamma(2 + u) * factor, or / factor where x is below 1.5; of x from -1/2 to 8.
struct Shifted {
  Expr u, factor, isBelow;
};
Shifted shifted(const Expr &x) {
  Expr isBelow = x < 1.5, isNearZero = x < 0.5, y = x, factor = x.number(1);
  for (int step = 0; step < 6; ++step) {
    Expr isAbove = y >= 2.5;
    y = select(isAbove, y - 1, y);
    factor = select(isAbove, factor * y, factor);
  }
  Expr below = select(isNearZero, x * (x + 1), x);
  return {select(isNearZero, x, select(isBelow, x - 1, y - 2)), select(isBelow, below, factor), isBelow};
}

/// log gamma(x) - ((x - 1/2) log(x) - x + log(2 pi) / 2), of x from 8 on.
Expr stirling(const Expr &x) {
  Expr inverse = 1.0 / x;
  return inverse * poly(inverse * inverse, kStirling64);
}

Expr lgammaAbove(const Expr &x) {
  auto [u, factor, isBelow] = shifted(smaller(x, kStirlingFrom));
  Expr shift = log(abs(factor));
  Expr small = u * poly(u, kLgamma64) + select(isBelow, -shift, shift);
  Expr large = larger(x, kStirlingFrom);
  Expr far = fma(large - 0.5, log(large) - 1, stirling(large) + (kHalfLnTwoPi - 0.5));
  return select(x < kStirlingFrom, small, far);
}

Expr gammaAbove(const Expr &x) {
  auto [u, factor, isBelow] = shifted(smaller(x, kStirlingFrom));
  Expr core = poly(u, kGamma64), small = select(isBelow, core / factor, core * factor);
  Expr large = clamped(x, kStirlingFrom, 180);
  // x^(x - 1/2) in two factors, since it alone may overflow.
  Expr root = pow(large, fma(large, 0.5, -0.25));
  Expr far = root * (exp(-large) * kRootTwoPi) * root * exp(stirling(large));
  return select(x < kStirlingFrom, small, far);
}

} // namespace

// gamma(x) gamma(-x) = -pi / (x sin(pi x)). Unlike 1 - x, -x is exact.
Expr lgamma(const Expr &x) {
  Expr wide = toDouble(x), isReflected = wide < -0.5;
  Expr value = lgammaAbove(select(isReflected, -wide, wide));
  Expr reflected = (kLnPi - log(abs(wide * sinpi(wide)))) - value;
  Expr result = select(isReflected, reflected, value);
  return toFloat(select(isInf(wide), infinity(wide), select(isNan(wide), wide, result)), x.type());
}

Expr tgamma(const Expr &x) {
  Expr wide = toDouble(x), isReflected = wide < -0.5;
  Expr value = gammaAbove(select(isReflected, -wide, wide));
  Expr result = select(isReflected, -kPi / (wide * sinpi(wide) * value), value);
  Expr isPole = (wide < 0) & (floor(wide) == wide);
  result = select(isPole | isNan(wide), nan(wide), result);
  return toFloat(select(wide > 172, infinity(wide), result), x.type());
}

} // namespace tawa::math
