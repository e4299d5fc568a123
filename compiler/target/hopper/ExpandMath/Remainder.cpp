// Exact remainders: as in long division, whole multiples of the divisor times a power of two are subtracted until the
// rest is smaller. Each fma is exact, since the rest is a multiple of the divisor's last bit at that power.

#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

/// Bits of the quotient that one step may find: it is at most one too large then.
constexpr int kQuotientBits = 52;

/// |x| mod |y| of finite x and finite y that is not 0; f64.
Expr modMagnitude(const Expr &x, const Expr &y) {
  Expr exponentOfY = split(y).exponent;
  Exprs last = loop(
      {x}, [&](Args now) { return now[0] >= y; },
      [&](Args now) {
        const Expr &rest = now[0];
        Expr distance = split(rest).exponent - exponentOfY;
        Expr shift = select(distance > kQuotientBits, distance - kQuotientBits, 0);
        Expr multiple = scaled(y, shift);
        Expr next = fma(-trunc(rest / multiple), multiple, rest);
        return Exprs{select(next < 0, next + multiple, next)};
      });
  return last[0];
}

} // namespace

Expr fmod(const Expr &x, const Expr &y) {
  if (!x.isDouble())
    return toFloat(fmod(toDouble(x), toDouble(y)), x.type());
  Expr dividend = abs(x), divisor = abs(y);
  Expr isDefined = (dividend < infinity(x)) & (divisor > 0);
  Expr isUsual = isDefined & (divisor < infinity(x));
  Expr rest = modMagnitude(select(isUsual, dividend, 0), select(isUsual, divisor, 1.0));
  return select(isUsual, copysign(rest, x), select(isDefined, x, nan(x)));
}

// fmod by twice the divisor, then at most two subtractions, chosen so that ties go to an even quotient.
Expr remainder(const Expr &x, const Expr &y) {
  if (!x.isDouble())
    return toFloat(remainder(toDouble(x), toDouble(y)), x.type());
  Expr divisor = abs(y), canDouble = divisor <= 0x1p1022;
  Expr rest = abs(select(canDouble, fmod(x, divisor * 2), x));
  Expr half = divisor * 0.5, isTiny = divisor < 0x1p-1020;
  auto exceeds = [&](const Expr &value) { return select(isTiny, value * 2 > divisor, value > half); };
  auto reaches = [&](const Expr &value) { return select(isTiny, value * 2 >= divisor, value >= half); };
  Expr isFirst = exceeds(rest);
  Expr first = select(isFirst, rest - divisor, rest);
  Expr isSecond = isFirst & reaches(first);
  Expr second = select(isSecond, first - divisor, first);
  Expr isDefined = (abs(x) < infinity(x)) & (divisor > 0);
  Expr result = select(divisor == infinity(x), x, select(x < 0, -second, second));
  result = select(second == 0, copysign(second, x), result);
  return select(isDefined, select(divisor == infinity(x), x, result), nan(x));
}

} // namespace tawa::math
