// Sine, cosine and tangent: after the reduction of the angle (ReduceAngle.cpp) one polynomial for the sine and one for
// the cosine of the remainder, swapped and negated by quadrant.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

struct SineAndCosine {
  Expr sine, cosine;
};

/// Of |r| up to a little more than pi / 4.
SineAndCosine kernels(const Expr &r) {
  Expr z = r * r;
  Expr sine = fma(r * z, poly(z, kSin32, kSin64), r);
  Expr cosine = fma(z, fma(z, poly(z, kCos32, kCos64), -0.5), 1);
  return {sine, cosine};
}

/// pi x: x less a multiple of 2, then of 1/2, both exact.
Angle reduceHalfTurns(const Expr &x) {
  Expr turn = fma(rint(x * 0.5), -2.0, x);
  Expr quarter = rint(turn * 2);
  Expr rest = fma(quarter, -0.5, turn);
  bool isDouble = x.isDouble();
  Expr angle = fma(rest, isDouble ? 0x1.921fb54442d18p+1 : 0x1.921fb6p+1,
                   rest * (isDouble ? 0x1.1a62633145c07p-53 : -0x1.777a5cp-24));
  return {angle, toInt(quarter, 32)};
}

} // namespace

Expr sineOf(const Angle &angle, int quarters) {
  auto [sine, cosine] = kernels(angle.rest);
  Expr quarter = quarters ? angle.quarter + quarters : angle.quarter;
  Expr value = select((quarter & 1) != 0, cosine, sine);
  return select((quarter & 2) != 0, -value, value);
}

// The sum r + r z P loses the sign of -0.
Expr sin(const Expr &x) { return select(x == 0, x, sineOf(reduceAngle(x), 0)); }
Expr cos(const Expr &x) { return sineOf(reduceAngle(x), 1); }

Expr tan(const Expr &x) {
  Angle angle = reduceAngle(x);
  auto [sine, cosine] = kernels(angle.rest);
  Expr isOdd = (angle.quarter & 1) != 0;
  return select(x == 0, x, quotient(select(isOdd, cosine, sine), select(isOdd, -sine, cosine)));
}

Expr sinpi(const Expr &x) { return select(x == 0, x, sineOf(reduceHalfTurns(x), 0)); }
Expr cospi(const Expr &x) { return sineOf(reduceHalfTurns(x), 1); }

} // namespace tawa::math
