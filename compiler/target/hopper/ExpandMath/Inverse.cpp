// Inverse trigonometric functions. atan of a quotient brings it below tan(pi / 8) by the sum formulas, with one
// division for all cases; asin and acos halve the angle where the argument is near 1.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kTanEighth = 0x1.a827999fcef32p-2, kTanThreeEighths = 0x1.3504f333f9de6p+1;

/// pi / 2 times `times`, in two parts of the working precision.
struct Turn {
  double high, low;
};
Turn halfPi(const Expr &like, double times) {
  if (like.isDouble())
    return {0x1.921fb54442d18p+0 * times, 0x1.1a62633145c07p-54 * times};
  return {0x1.921fb6p+0 * times, -0x1.777a5cp-25 * times};
}

/// atan(y / x) of y, x >= 0 that are neither both 0 nor both infinite.
Expr atanOfQuotient(const Expr &y, const Expr &x) {
  Expr isHigh = y > x * kTanThreeEighths, isMiddle = y > x * kTanEighth;
  Expr dividend = select(isHigh, -x, select(isMiddle, y - x, y));
  Expr divisor = select(isHigh, y, select(isMiddle, y + x, x));
  Expr q = quotient(dividend, divisor), z = q * q;
  Expr rest = fma(q * z, poly(z, kAtan32, kAtan64), q);
  Turn half = halfPi(y, 1), quarter = halfPi(y, 0.5);
  Expr high = select(isHigh, y.number(half.high), select(isMiddle, y.number(quarter.high), 0));
  Expr low = select(isHigh, y.number(half.low), select(isMiddle, y.number(quarter.low), 0));
  return high + (rest + low);
}

/// asin by halves: with |x| <= 1/2 `part` is asin |x|, beyond it half of acos |x|.
struct HalfAngle {
  Expr isBeyond, part;
};
HalfAngle halfAngle(const Expr &magnitude) {
  Expr isBeyond = magnitude > 0.5;
  Expr z = select(isBeyond, fma(magnitude, -0.5, 0.5), magnitude * magnitude);
  Expr s = select(isBeyond, sqrt(z), magnitude);
  return {isBeyond, fma(s * z, poly(z, kAsin32, kAsin64), s)};
}

} // namespace

Expr atan(const Expr &x) { return copysign(atanOfQuotient(abs(x), x.number(1)), x); }

Expr atan2(const Expr &y, const Expr &x) {
  Expr rise = abs(y), run = abs(x);
  Expr areBothInf = (rise == infinity(x)) & (run == infinity(x)), areBothZero = (rise == 0) & (run == 0);
  // The sum of both must not overflow.
  Expr areLarge = larger(rise, run) > (x.isDouble() ? 0x1p1020 : 0x1p124);
  auto prepared = [&](const Expr &part) { return select(areBothInf, 1.0, select(areLarge, part * 0.25, part)); };
  Expr angle = atanOfQuotient(prepared(rise), select(areBothZero, 1.0, prepared(run)));
  Turn full = halfPi(x, 2);
  angle = select(signBit(x), full.high - (angle - full.low), angle);
  return select(isNan(x) | isNan(y), nan(x), copysign(angle, y));
}

Expr asin(const Expr &x) {
  auto [isBeyond, part] = halfAngle(abs(x));
  Turn half = halfPi(x, 1);
  return copysign(select(isBeyond, half.high - (part * 2 - half.low), part), x);
}

Expr acos(const Expr &x) {
  auto [isBeyond, part] = halfAngle(abs(x));
  Turn half = halfPi(x, 1), full = halfPi(x, 2);
  Expr isNegative = x < 0, twice = part * 2;
  Expr beyond = select(isNegative, full.high - (twice - full.low), twice);
  return select(isBeyond, beyond, half.high - (copysign(part, x) - half.low));
}

} // namespace tawa::math
