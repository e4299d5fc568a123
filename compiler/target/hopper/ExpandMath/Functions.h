// The mathematical functions, each as code for f32 or f64 by the type of its argument (unless stated otherwise).
// README.md has their error bounds.
#pragma once

#include "compiler/target/hopper/ExpandMath/Expr.h"

#include <utility>

namespace tawa::math {

//===--- Exponential.cpp
Expr exp(const Expr &x);
Expr exp2(const Expr &x);
Expr exp10(const Expr &x);
Expr expm1(const Expr &x);
/// e^x 2^k, without overflow on the way.
Expr expScaled(const Expr &x, int k);
/// e^(high + low) of an f64 in two parts.
Expr expPair(const Expr &high, const Expr &low);
Expr approximateExp(const Expr &x);
Expr approximateExp2(const Expr &x);
/// Triton's exp2: of f32 the unit's own, for which subnormal arguments and results are zero. Scaling around it would
/// take three instructions more.
Expr flushedExp2(const Expr &x);
Expr approximateExp10(const Expr &x);

//===--- Logarithm.cpp
Expr log(const Expr &x);
Expr log2(const Expr &x);
Expr log10(const Expr &x);
Expr log1p(const Expr &x);
/// log(x) of a positive f64 in two parts, about 2^-64 of it.
std::pair<Expr, Expr> logPair(const Expr &x);
Expr approximateLog(const Expr &x);
Expr approximateLog2(const Expr &x);
Expr approximateLog10(const Expr &x);

//===--- Power.cpp
Expr pow(const Expr &x, const Expr &y);
/// x^n for an i32 n.
Expr powi(const Expr &x, const Expr &n);
/// Integers.
Expr ipowi(const Expr &x, const Expr &n);
Expr approximatePow(const Expr &x, const Expr &y);
Expr rsqrt(const Expr &x);
Expr approximateSqrt(const Expr &x);
Expr cbrt(const Expr &x);
Expr rcbrt(const Expr &x);
/// sqrt(x0^2 + x1^2 + ...), without overflow on the way; and its reciprocal.
Expr norm(Args xs);
Expr reciprocalNorm(Args xs);

//===--- Trigonometric.cpp
Expr sin(const Expr &x);
Expr cos(const Expr &x);
Expr tan(const Expr &x);
Expr sinpi(const Expr &x);
Expr cospi(const Expr &x);
//===--- ReduceAngle.cpp
struct Angle {
  Expr rest;    ///< x - quarter * pi / 2, within about pi / 4.
  Expr quarter; ///< An i32, right in its two low bits.
};
Angle reduceAngle(const Expr &x);
/// The sine of `angle` plus a number of quarter turns (Trigonometric.cpp).
Expr sineOf(const Angle &angle, int quarters);

//===--- Inverse.cpp
Expr asin(const Expr &x);
Expr acos(const Expr &x);
Expr atan(const Expr &x);
Expr atan2(const Expr &y, const Expr &x);

//===--- Hyperbolic.cpp
Expr sinh(const Expr &x);
Expr cosh(const Expr &x);
Expr tanh(const Expr &x);
Expr asinh(const Expr &x);
Expr acosh(const Expr &x);
Expr atanh(const Expr &x);

//===--- Error.cpp
Expr erf(const Expr &x);
Expr erfc(const Expr &x);
Expr erfcx(const Expr &x);
Expr erfinv(const Expr &x);
Expr erfcinv(const Expr &x);
Expr normcdf(const Expr &x);
Expr normcdfinv(const Expr &x);

//===--- Gamma.cpp
Expr lgamma(const Expr &x);
Expr tgamma(const Expr &x);
//===--- Bessel.cpp
Expr besselI0(const Expr &x);
Expr besselI1(const Expr &x);
//===--- BesselOrdinary.cpp
Expr besselJ0(const Expr &x);
Expr besselJ1(const Expr &x);
Expr besselY0(const Expr &x);
Expr besselY1(const Expr &x);
/// Of order n, an i32; NaN for negative ones.
Expr besselJn(const Expr &n, const Expr &x);
Expr besselYn(const Expr &n, const Expr &x);

//===--- Remainder.cpp
Expr fmod(const Expr &x, const Expr &y);
Expr remainder(const Expr &x, const Expr &y);

//===--- Rounding.cpp
/// To nearest, ties away from zero.
Expr round(const Expr &x);
enum class Direction { Nearest, Zero, Up, Down };
Expr rounded(const Expr &x, Direction direction);
Expr addRounded(const Expr &a, const Expr &b, Direction direction);
Expr mulRounded(const Expr &a, const Expr &b, Direction direction);
Expr divRounded(const Expr &a, const Expr &b, Direction direction);
Expr sqrtRounded(const Expr &a, Direction direction);
Expr fmaRounded(const Expr &a, const Expr &b, const Expr &c, Direction direction);
/// An f64 as f32; an integer as a float.
Expr narrowRounded(const Expr &a, Direction direction);
Expr fromIntRounded(const Expr &a, mlir::Type type, bool isSigned, Direction direction);

//===--- IntToFloat.cpp
/// An integer that is known to be small, exactly: as f16 or bf16 where that is the type and has it, else as f32;
/// nothing for others.
std::optional<Expr> fromSmallInt(const Expr &whole, mlir::Type type, bool isSigned);
/// An integer as an f32 or f64 that rounds to a type of 16 bits or fewer like the integer itself.
Expr fromIntForSmall(const Expr &whole, mlir::Type type, bool isSigned);

//===--- Numbers.cpp
Expr maximum(const Expr &a, const Expr &b);
Expr minimum(const Expr &a, const Expr &b);
Expr nextafter(const Expr &x, const Expr &y);
Expr ldexp(const Expr &x, const Expr &n);
Expr ilogb(const Expr &x);
Expr logb(const Expr &x);
Expr fdim(const Expr &x, const Expr &y);
Expr signBit(const Expr &x);
Expr saturate(const Expr &x);
/// x = fraction * 2^exponent with 1 <= |fraction| < 2; of finite x that are not 0. The exponent is as wide as x.
struct Parts {
  Expr fraction, exponent;
};
Parts split(const Expr &x);

//===--- SmallFloats.cpp
/// Conversions with f16, bf16 and FP8 (as bits in an i8) on one side; `saturates` brings what is too large for FP8 to
/// its largest finite value, as always in Triton's conversions.
Expr convertFloat(const Expr &a, mlir::Type from, mlir::Type to, bool towardsZero, bool saturates);

//===--- Integers.cpp
Expr countLeadingZeros(const Expr &a);
Expr countTrailingZeros(const Expr &a);
Expr countOnes(const Expr &a);
Expr firstSet(const Expr &a);
Expr reversedBits(const Expr &a);
Expr permutedBytes(const Expr &a, const Expr &b, const Expr &selector);
Expr upperProduct(const Expr &a, const Expr &b, bool isSigned);
Expr product24(const Expr &a, const Expr &b, bool isSigned);
Expr minUnsigned(const Expr &a, const Expr &b);
Expr maxUnsigned(const Expr &a, const Expr &b);
/// a << b and both >>, with amounts beyond the width as PTX takes them.
Expr shiftedLeft(const Expr &a, const Expr &amount);
Expr shiftedRight(const Expr &a, const Expr &amount, bool isSigned);

/// Functions of one and two values as functions of a list.
template <Expr (*Of)(const Expr &)> Expr unary(Args a) { return Of(a[0]); }
template <Expr (*Of)(const Expr &, const Expr &)> Expr binary(Args a) { return Of(a[0], a[1]); }

} // namespace tawa::math
