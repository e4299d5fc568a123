// Logarithms. x = 2^e (1 + f) with 1 + f between sqrt(1/2) and sqrt(2); log(1 + f) by a polynomial in f (f32) or in
// s = f / (2 + f) (f64); then e log 2 is added in two parts.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kLog2E = 0x1.71547652b82fep+0, kLog2ELow = 0x1.777d0ffda0d24p-56;
constexpr double kLog10E = 0x1.bcb7b1526e50ep-2, kLog10ELow = 0x1.95355baaafad3p-57;
constexpr double kLog10Of2High = 0x1.34413509f0000p-2, kLog10Of2Low = 0x1.e7fbcc47c4acdp-40;
// 21 zero bits at the end of the high part: its product with an exponent is exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;

unsigned mantissaBits(const Expr &x) { return x.isDouble() ? 52 : 23; }

struct Decomposed {
  Expr exponent; ///< A float.
  Expr f;
};

Expr rootHalf(const Expr &like) { return bitsOf(like.number(0x1.6a09e667f3bcdp-1)); }

/// For positive finite x; results for other arguments are not used.
Decomposed decompose(const Expr &x) {
  unsigned mantissa = mantissaBits(x);
  int lift = mantissa + 2;
  Expr isTiny = x < (x.isDouble() ? 0x1p-1022 : 0x1p-126);
  Expr bits = bitsOf(select(isTiny, x * (x.isDouble() ? 0x1p54 : 0x1p25), x));
  Expr exponent = (bits - rootHalf(x)) >> mantissa;
  Expr f = floatOf(bits - (exponent << mantissa)) - 1;
  exponent = exponent - select(isTiny, exponent.integer(lift), 0);
  return {fromInt(exponent, x.type()), f};
}

/// log(1 + f).
Expr kernel(const Expr &f) {
  if (!f.isDouble())
    return fma(poly(f, kLog32), f * f, f);
  Expr s = f / (f + 2), z = s * s, half = f * f * 0.5;
  return f - (half - s * fma(z, poly(z, kLog64), half));
}

/// The limits of a logarithm around its value for positive finite x.
Expr withLimits(const Expr &x, const Expr &value) {
  Expr result = select(x == 0, -infinity(x), select(x > 0, value, nan(x)));
  // NaN is asked for by name: ptxas takes `x > 0` for true where x is a sum such as |y| + 0.5, NaN or not.
  return select((x == infinity(x)) | isNan(x), x, result);
}

/// exponent * log 2 + log(1 + f).
Expr combine(const Expr &exponent, const Expr &logOfRest) {
  if (!exponent.isDouble())
    return fma(exponent, 0x1.62e430p-1, fma(exponent, -0x1.05c610p-29, logOfRest));
  return fma(exponent, kLn2High, fma(exponent, kLn2Low, logOfRest));
}

} // namespace

Expr log(const Expr &x) {
  Decomposed parts = decompose(x);
  return withLimits(x, combine(parts.exponent, kernel(parts.f)));
}

Expr log2(const Expr &x) {
  Decomposed parts = decompose(x);
  Expr rest = kernel(parts.f), high = rest * kLog2E;
  if (!x.isDouble())
    return withLimits(x, high + parts.exponent);
  Expr low = fma(rest, kLog2E, -high) + rest * kLog2ELow;
  Expr sum = parts.exponent + high;
  return withLimits(x, sum + ((high - (sum - parts.exponent)) + low));
}

Expr log10(const Expr &x) {
  Decomposed parts = decompose(x);
  Expr rest = kernel(parts.f), high = rest * kLog10E;
  if (!x.isDouble())
    return withLimits(x, fma(parts.exponent, 0x1.344136p-2, fma(parts.exponent, -0x1.ec10c0p-27, high)));
  Expr low = fma(rest, kLog10E, -high) + rest * kLog10ELow;
  return withLimits(x, fma(parts.exponent, kLog10Of2High, fma(parts.exponent, kLog10Of2Low, low) + high));
}

// The exponent e is that of 1 + x, but f = 2^-e x + (2^-e - 1) is made from x itself.
Expr log1p(const Expr &x) {
  unsigned mantissa = mantissaBits(x);
  Expr bits = bitsOf(x + 1), exponent = (bits - rootHalf(x)) >> mantissa;
  Expr isLarge = x > (x.isDouble() ? 0x1p60 : 0x1p30);
  Expr scale = powerOfTwo(-exponent);
  Expr f = select(isLarge, floatOf(bits - (exponent << mantissa)) - 1, fma(x, scale, scale - 1));
  Expr value = combine(fromInt(exponent, x.type()), kernel(f));
  Expr result = select(x == -1, -infinity(x), select(x > -1, value, nan(x)));
  return select((x == infinity(x)) | (x == 0) | isNan(x), x, result);
}

std::pair<Expr, Expr> logPair(const Expr &x) {
  Decomposed parts = decompose(x);
  const Expr &f = parts.f;
  // s = f / (2 + f) with its rounding error.
  Expr divisor = f + 2, divisorLow = f - (divisor - 2), inverse = 1.0 / divisor;
  Expr s = f * inverse, sLow = (fma(-s, divisor, f) - s * divisorLow) * inverse;
  Expr z = s * s, zLow = fma(s, s, -z) + s * sLow * 2;
  // 2/3 + z * ..., then times z, then times s: each with its error.
  constexpr double kTwoThirds = 0x1.5555555555555p-1, kTwoThirdsLow = 0x1.5555555555555p-55;
  Expr tail = z * poly(z, kLogPair);
  Expr t = tail + kTwoThirds, tLow = (tail - (t - kTwoThirds)) + kTwoThirdsLow;
  Expr w = z * t, wLow = fma(z, t, -w) + fma(z, tLow, zLow * t);
  Expr v = s * w, vLow = fma(s, w, -v) + fma(s, wLow, sLow * w);
  Expr high = s * 2 + v, low = ((s * 2 - high) + v) + fma(sLow, 2, vLow);
  Expr whole = parts.exponent * kLn2High;
  Expr sum = whole + high;
  Expr error = (high - (sum - whole)) + fma(parts.exponent, kLn2Low, low);
  Expr result = sum + error;
  return {result, error - (result - sum)};
}

//===--- The special function unit --------------------------------------------------------------------------------===//

Expr approximateLog(const Expr &x) { return x.isDouble() ? log(x) : approximateLog2(x) * 0x1.62e430p-1; }
Expr approximateLog2(const Expr &x) { return x.isDouble() ? log2(x) : approximate(Unit::Lg2, x); }
Expr approximateLog10(const Expr &x) { return x.isDouble() ? log10(x) : approximateLog2(x) * 0x1.344136p-2; }

} // namespace tawa::math
