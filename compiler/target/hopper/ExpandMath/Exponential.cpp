// exp and its relatives. x = n log 2 + r with |r| <= log(2) / 2; e^r by a polynomial, in f32 by the special function
// unit; 2^n by the exponent's bits.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kLog2E = 0x1.71547652b82fep+0, kLog2Of10 = 0x1.a934f0979a371p+1;
constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn10 = 0x1.26bb1bbb55516p+1;

/// A constant as the sum of two numbers of the working precision.
struct Pair {
  double high, low;
};
constexpr Pair kLn2Single = {0x1.62e430p-1, -0x1.05c610p-29},
               kLn2Double = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair kLog10Of2 = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
/// Logarithms to the base of two in f32. Both parts are positive, so that their products with infinity do not cancel.
constexpr Pair kLog2OfE = {0x1.715476p+0, 0x1.4ae0c0p-26}, kLog2OfTen = {0x1.a934f0p+1, 0x1.2f346ep-24};

/// A whole number as a float and as an integer of the same width.
struct Whole {
  Expr real, bits;
};

/// Adding 1.5 * 2^(mantissa bits) leaves the nearest whole number in the low bits.
Whole nearest(const Expr &x, double factor) {
  Expr magic = x.number(x.isDouble() ? 0x1.8p52 : 0x1.8p23);
  Expr shifted = fma(x, factor, magic);
  return {shifted - magic, bitsOf(shifted) - bitsOf(magic)};
}

/// x - n * constant: the first product cancels exactly.
Expr without(const Expr &x, const Expr &n, const Pair &constant) {
  return fma(-n, constant.low, fma(-n, constant.high, x));
}

/// The remainder of x by log 2.
Expr withoutLn2(const Expr &x, const Expr &n) { return without(x, n, x.isDouble() ? kLn2Double : kLn2Single); }

/// e^r - 1 for |r| <= log(2) / 2.
Expr kernel(const Expr &r) { return fma(poly(r, kExp32, kExp64), r * r, r); }

/// 2^k base^x in f32: the unit takes what is left of x log2(base) after n, with which 2^(n + k) is a normal number.
/// Beyond those the rest is more than 1/2, and the last product overflows, or rounds to a subnormal number.
Expr powerByUnit(const Expr &x, const Pair &log2OfBase, int k) {
  double low = (-126 - k) / log2OfBase.high, high = (127 - k) / log2OfBase.high;
  Whole n = nearest(smaller(larger(x, low), high), log2OfBase.high);
  Expr rest = fma(x, log2OfBase.low, fma(x, log2OfBase.high, -n.real));
  return approximate(Unit::Ex2, rest, /*flushes=*/true) * powerOfTwo(n.bits + k);
}

} // namespace

Expr expScaled(const Expr &x, int k) {
  if (!x.isDouble())
    return powerByUnit(x, kLog2OfE, k);
  Expr inside = clamped(x, -800, 800);
  Whole n = nearest(inside, kLog2E);
  return scaled(kernel(withoutLn2(inside, n.real)) + 1, n.bits + k);
}
Expr exp(const Expr &x) { return expScaled(x, 0); }

Expr expPair(const Expr &high, const Expr &low) {
  Expr inside = clamped(high, -800, 800);
  Whole n = nearest(inside, kLog2E);
  return scaled(kernel(withoutLn2(inside, n.real) + low) + 1, n.bits);
}

Expr exp2(const Expr &x) {
  if (!x.isDouble())
    return approximateExp2(x);
  Expr inside = clamped(x, -1100, 1030);
  Whole n = nearest(inside, 1);
  return scaled(kernel((inside - n.real) * kLn2) + 1, n.bits);
}

Expr exp10(const Expr &x) {
  if (!x.isDouble())
    return powerByUnit(x, kLog2OfTen, 0);
  Expr inside = clamped(x, -330, 310);
  Whole n = nearest(inside, kLog2Of10);
  return scaled(kernel(without(inside, n.real, kLog10Of2) * kLn10) + 1, n.bits);
}

// 2^n (e^r - 1) + (2^n - 1), all halved so that 2^n does not overflow before the result does.
Expr expm1(const Expr &x) {
  Expr inside = x.isDouble() ? clamped(x, -60, 709.9) : clamped(x, -30, 88.8);
  Whole n = nearest(inside, kLog2E);
  Expr half = powerOfTwo(n.bits - 1);
  Expr result = fma(kernel(withoutLn2(inside, n.real)), half, half - 0.5) * 2;
  return select(x == 0, x, result);
}

//===--- The special function unit --------------------------------------------------------------------------------===//

Expr approximateExp(const Expr &x) { return x.isDouble() ? exp(x) : approximate(Unit::Ex2, x * kLog2E); }
Expr approximateExp2(const Expr &x) { return x.isDouble() ? exp2(x) : approximate(Unit::Ex2, x); }
Expr flushedExp2(const Expr &x) { return x.isDouble() ? exp2(x) : approximate(Unit::Ex2, x, /*flushes=*/true); }
Expr approximateExp10(const Expr &x) { return x.isDouble() ? exp10(x) : approximate(Unit::Ex2, x * kLog2Of10); }

} // namespace tawa::math
