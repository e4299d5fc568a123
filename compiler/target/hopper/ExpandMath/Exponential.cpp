// exp and its relatives. x = n log 2 + r with |r| <= log(2) / 2; e^r by a polynomial; 2^n by the exponent's bits.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kLog2E = 0x1.71547652b82fep+0, kLog2Of10 = 0x1.a934f0979a371p+1;
constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn10 = 0x1.26bb1bbb55516p+1;

/// A constant as the sum of two numbers of the working precision.
struct Pair {
  double high32, low32, high64, low64;
};
constexpr Pair kLn2Pair = {0x1.62e430p-1, -0x1.05c610p-29, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair kLog10Of2 = {0x1.344136p-2, -0x1.ec10c0p-27, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};

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

/// x - n * constant, with the constant in two parts: the first product cancels exactly.
Expr without(const Expr &x, const Expr &n, const Pair &constant) {
  bool isDouble = x.isDouble();
  Expr first = fma(-n, isDouble ? constant.high64 : constant.high32, x);
  return fma(-n, isDouble ? constant.low64 : constant.low32, first);
}

/// e^r - 1 for |r| <= log(2) / 2.
Expr kernel(const Expr &r) { return fma(poly(r, kExp32, kExp64), r * r, r); }

} // namespace

Expr expScaled(const Expr &x, int k) {
  Expr inside = x.isDouble() ? clamped(x, -800, 800) : clamped(x, -120, 100);
  Whole n = nearest(inside, kLog2E);
  return scaled(kernel(without(inside, n.real, kLn2Pair)) + 1, n.bits + k);
}
Expr exp(const Expr &x) { return expScaled(x, 0); }

Expr expPair(const Expr &high, const Expr &low) {
  Expr inside = clamped(high, -800, 800);
  Whole n = nearest(inside, kLog2E);
  return scaled(kernel(without(inside, n.real, kLn2Pair) + low) + 1, n.bits);
}

Expr exp2(const Expr &x) {
  Expr inside = x.isDouble() ? clamped(x, -1100, 1030) : clamped(x, -160, 130);
  Whole n = nearest(inside, 1);
  return scaled(kernel((inside - n.real) * kLn2) + 1, n.bits);
}

Expr exp10(const Expr &x) {
  Expr inside = x.isDouble() ? clamped(x, -330, 310) : clamped(x, -50, 40);
  Whole n = nearest(inside, kLog2Of10);
  return scaled(kernel(without(inside, n.real, kLog10Of2) * kLn10) + 1, n.bits);
}

// 2^n (e^r - 1) + (2^n - 1), all halved so that 2^n does not overflow before the result does.
Expr expm1(const Expr &x) {
  Expr inside = x.isDouble() ? clamped(x, -60, 709.9) : clamped(x, -30, 88.8);
  Whole n = nearest(inside, kLog2E);
  Expr half = powerOfTwo(n.bits - 1);
  Expr result = fma(kernel(without(inside, n.real, kLn2Pair)), half, half - 0.5) * 2;
  return select(x == 0, x, result);
}

//===--- The special function unit --------------------------------------------------------------------------------===//

Expr approximateExp(const Expr &x) { return x.isDouble() ? exp(x) : approximate(Unit::Ex2, x * kLog2E); }
Expr approximateExp2(const Expr &x) { return x.isDouble() ? exp2(x) : approximate(Unit::Ex2, x); }
Expr flushedExp2(const Expr &x) { return x.isDouble() ? exp2(x) : approximate(Unit::Ex2, x, /*flushes=*/true); }
Expr approximateExp10(const Expr &x) { return x.isDouble() ? exp10(x) : approximate(Unit::Ex2, x * kLog2Of10); }

} // namespace tawa::math
