// Modified Bessel functions of the first kind: a polynomial in x^2 up to 8, e^x / sqrt(x) times a polynomial in 1 / x
// beyond.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kBoundary = 8;

/// `near` for x from 0 to 8, `far` of 1 / x beyond. The exponential is kept 2^-20 too small for a while: it overflows
/// before the result does.
Expr modified(const Expr &x, const Expr &near, llvm::function_ref<Expr(const Expr &)> far) {
  Expr outside = larger(x, kBoundary);
  Expr large = expScaled(outside, -20) * (far(quotient(1.0, outside)) * rsqrt(outside)) * 0x1p20;
  return select(isNan(x) | isInf(x), x, select(x <= kBoundary, near, large));
}

} // namespace

Expr besselI0(const Expr &x) {
  Expr magnitude = abs(x), near = poly(x * x, kBesselI0Near32, kBesselI0Near64);
  return modified(magnitude, near, [](const Expr &u) { return poly(u, kBesselI0Far32, kBesselI0Far64); });
}

Expr besselI1(const Expr &x) {
  Expr magnitude = abs(x), near = magnitude * poly(x * x, kBesselI1Near32, kBesselI1Near64);
  auto far = [](const Expr &u) { return poly(u, kBesselI1Far32, kBesselI1Far64); };
  return copysign(modified(magnitude, near, far), x);
}

} // namespace tawa::math
