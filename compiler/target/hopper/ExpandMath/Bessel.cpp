// Modified Bessel functions of the first kind, computed in f64: a polynomial in x^2 up to 8, e^x / sqrt(x) times a
// polynomial in 1 / x beyond.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kBoundary = 8;

/// `near` of x^2, or what `far` of 1 / x gives, for x from 0 on. The exponential is kept 2^-20 too small for a while:
/// it overflows before the result does.
Expr modified(const Expr &x, const Expr &near, llvm::ArrayRef<double> far) {
  Expr outside = larger(x, kBoundary);
  Expr large = expScaled(outside, -20) * (poly(1.0 / outside, far) / sqrt(outside)) * 0x1p20;
  return select(x <= kBoundary, near, large);
}

} // namespace

Expr besselI0(const Expr &x) {
  Expr wide = abs(toDouble(x));
  Expr value = modified(wide, poly(wide * wide, kBesselI0Near), kBesselI0Far);
  value = select(isInf(wide), wide, value);
  return toFloat(select(isNan(wide), wide, value), x.type());
}

Expr besselI1(const Expr &x) {
  Expr given = toDouble(x), wide = abs(given);
  Expr value = modified(wide, wide * poly(wide * wide, kBesselI1Near), kBesselI1Far);
  value = copysign(select(isInf(wide), wide, value), given);
  return toFloat(select(isNan(wide), wide, value), x.type());
}

} // namespace tawa::math
