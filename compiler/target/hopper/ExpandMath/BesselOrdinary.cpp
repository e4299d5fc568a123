// Bessel functions of the first and second kind. Up to 8, J is a polynomial in x^2 times the factors of its zeros, so
// that it keeps its relative accuracy there. Y adds the logarithm and the pole to a polynomial; in f32, where their sum
// would lose the zeros of Y, only below the first of them, and beyond it is a polynomial times the factors of the
// zeros. Beyond 8 both are one wave, with modulus M and phase d from polynomials in 1 / x^2:
//   J = M / sqrt(x) cos c,  Y = M / sqrt(x) sin c,  c = x - (order + 1/2) pi / 2 + d / x.
// Higher orders use the recurrence f(n + 1) = 2n / x f(n) - f(n - 1), upwards where that is stable, else downwards from
// an order so high that the start value does not matter.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kBoundary = 8, kTwoByPi = 0x1.45f306dc9c883p-1;

/// A zero in two doubles.
struct Zero {
  double high, low;
};
constexpr Zero kZerosOfJ0[] = {{0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53},
                               {0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54}};
constexpr Zero kZerosOfJ1[] = {{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53},
                               {0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54}};
/// The squares of the third and fourth, which lie beyond 8.
constexpr double kSquaresOfJ0[] = {0x1.2b8c4b8215768p+6, 0x1.1614a0290c5ddp+7};
constexpr double kSquaresOfJ1[] = {0x1.9dff70d785e2cp+6, 0x1.630aa1f2a4442p+7};
constexpr Zero kZerosOfY0[] = {{0x1.c982eb8d417eap-1, 0}, {0x1.fa9534d98569cp+1, 0}, {0x1.c581dc4e72103p+2, 0}};
constexpr Zero kZerosOfY1[] = {{0x1.193bed4dff243p+1, 0}, {0x1.5b7fe4e87b02ep+2, 0}, {0x1.13127ae6169b4p+3, 0}};

/// x - zero, without cancellation.
Expr beyond(const Expr &x, Zero zero) {
  if (x.isDouble())
    return (x - zero.high) - zero.low;
  auto high = static_cast<float>(zero.high);
  return (x - high) - (zero.high - high);
}
/// The product of x^2 - zero^2 for four zeros.
Expr factorsOf(const Expr &x, const Zero (&zeros)[2], const double (&squares)[2]) {
  Expr inside = (beyond(x, zeros[0]) * (x + zeros[0].high)) * (beyond(x, zeros[1]) * (x + zeros[1].high));
  return inside * (fma(x, x, -squares[0]) * fma(x, x, -squares[1]));
}
/// The variable of the polynomials up to 8, within -1 to 1.
Expr centered(const Expr &x) { return fma(x, x * 0x1p-5, -1.0); }

/// The functions of order 0 and 1 for x from 0 to 8; those of the second kind not at 0.
Expr nearJ0(const Expr &x) {
  return factorsOf(x, kZerosOfJ0, kSquaresOfJ0) * poly(centered(x), kBesselJ0Near32, kBesselJ0Near64);
}
Expr nearJ1(const Expr &x) {
  return x * (factorsOf(x, kZerosOfJ1, kSquaresOfJ1) * poly(centered(x), kBesselJ1Near32, kBesselJ1Near64));
}

/// Y in f32 from the end of its logarithm's range on.
struct Pieces {
  double from, to;                      ///< The ends of the middle piece.
  const Zero (&zeros)[3];               ///< The first is in the middle piece, the others belong to the upper one.
  llvm::ArrayRef<double> middle, upper; ///< Polynomials around the middles of their pieces.
};
Expr inPieces(const Expr &x, const Expr &low, const Pieces &pieces) {
  Expr middle = beyond(x, pieces.zeros[0]) * poly(x - (pieces.from + pieces.to) / 2, pieces.middle);
  Expr factors = beyond(x, pieces.zeros[1]) * beyond(x, pieces.zeros[2]);
  Expr upper = factors * poly(x - (pieces.to + kBoundary) / 2, pieces.upper);
  return select(x < pieces.from, low, select(x < pieces.to, middle, upper));
}

Expr nearY0(const Expr &x) {
  Expr wave = log(x) * kTwoByPi;
  if (x.isDouble())
    return fma(wave, nearJ0(x), poly(centered(x), kBesselY0Near64));
  Expr square = x * x, low = fma(wave, poly(square, kBesselJ0Small32), poly(square, kBesselY0Small32));
  return inPieces(x, low, {0.7, 2.25, kZerosOfY0, kBesselY0Middle32, kBesselY0Upper32});
}
Expr nearY1(const Expr &x) {
  Expr wave = log(x) * kTwoByPi, pole = kTwoByPi / x;
  if (x.isDouble())
    return fma(wave, nearJ1(x), x * poly(centered(x), kBesselY1Near64)) - pole;
  Expr square = x * x;
  Expr low = x * fma(wave, poly(square, kBesselJ1Small32), poly(square, kBesselY1Small32)) - pole;
  return inPieces(x, low, {1.75, 3.75, kZerosOfY1, kBesselY1Middle32, kBesselY1Upper32});
}

/// x - pi / 4 as an angle within a quarter turn, for x from 8 on: what both orders share.
struct Wave {
  Angle angle;
  Expr inverse, root; ///< 1 / x and the root of it.
};
Wave waveOf(const Expr &x) {
  Angle angle = reduceAngle(x);
  Expr isUpper = angle.rest > 0.0;
  double eighth = x.isDouble() ? 0x1.921fb54442d18p-1 : 0x1.921fb6p-1;
  double low = x.isDouble() ? 0x1.1a62633145c07p-55 : -0x1.777a5cp-26;
  Expr turned = select(isUpper, (angle.rest - eighth) - low, (angle.rest + eighth) + low);
  Expr inverse = quotient(1.0, x);
  return {{turned, angle.quarter - select(isUpper, angle.quarter.integer(0), 1)}, inverse, rsqrt(x)};
}
/// The wave of an order, `quarters` of a turn ahead of the sine.
Expr wave(const Wave &shared, int order, int quarters) {
  Expr square = shared.inverse * shared.inverse;
  auto of = [&](llvm::ArrayRef<double> modulus, llvm::ArrayRef<double> phase) {
    Expr rest = fma(shared.inverse, poly(square, phase), shared.angle.rest);
    return shared.root * poly(square, modulus) * sineOf({rest, shared.angle.quarter}, quarters - order);
  };
  if (square.isDouble())
    return order ? of(kBesselModulus1_64, kBesselPhase1_64) : of(kBesselModulus0_64, kBesselPhase0_64);
  return order ? of(kBesselModulus1_32, kBesselPhase1_32) : of(kBesselModulus0_32, kBesselPhase0_32);
}
constexpr int kSecondKind = 0, kFirstKind = 1; ///< Sine and cosine.

/// `near` up to 8 and `far` beyond, for nonnegative x; 0 at infinity, NaN is kept.
Exprs ofPositive(const Expr &x, llvm::function_ref<Exprs()> near, llvm::function_ref<Exprs(const Wave &)> far) {
  Exprs values = branch(x < kBoundary, near, [&] { return far(waveOf(x)); });
  for (Expr &value : values)
    value = select(isInf(x), 0.0, value);
  return values;
}

using Near = Expr (*)(const Expr &);
constexpr Near kNearJ[] = {nearJ0, nearJ1}, kNearY[] = {nearY0, nearY1};

Expr ofSecondKind(const Expr &x, const Expr &value) {
  return select(x < 0.0, nan(x), select(x == 0.0, -infinity(x), value));
}
Expr firstOf(const Expr &x, int order) {
  Expr magnitude = abs(x);
  Expr value = ofPositive(
      magnitude, [&] { return Exprs{kNearJ[order](magnitude)}; },
      [&](const Wave &shared) { return Exprs{wave(shared, order, kFirstKind)}; })[0];
  return order == 0 ? value : select(x < 0.0, -value, value);
}
Expr secondOf(const Expr &x, int order) {
  return ofSecondKind(x, ofPositive(
                             x, [&] { return Exprs{kNearY[order](x)}; },
                             [&](const Wave &shared) { return Exprs{wave(shared, order, kSecondKind)}; })[0]);
}

/// Orders 0 and 1 of one kind, for nonnegative x.
Exprs bothOrders(const Expr &x, const Near (&near)[2], int kind) {
  return ofPositive(
      x, [&] { return Exprs{near[0](x), near[1](x)}; },
      [&](const Wave &shared) { return Exprs{wave(shared, 0, kind), wave(shared, 1, kind)}; });
}

/// 2 n / x as n times a quotient in two parts: one error for all n would add up.
struct Ratio {
  Expr high, low;
  Expr of(const Expr &n) const {
    Expr real = fromInt(n, high.type());
    return fma(real, high, real * low);
  }
};
Ratio ratioOf(const Expr &x) {
  Expr high = 2.0 / x, low = fma(-high, x, 2.0) / x;
  // NaN where x or the quotient is infinite.
  return {high, select(abs(low) < high, low, 0.0)};
}

/// From the values of order 0 and 1 to that of order n >= 1; infinities and NaN are kept.
Expr climb(const Expr &n, const Expr &x, const Exprs &known) {
  Ratio ratio = ratioOf(x);
  Exprs last = loop(
      {n.integer(1), known[0], known[1]}, [&](Args state) { return (state[0] < n) & (abs(state[2]) < infinity(x)); },
      [&](Args state) { return Exprs{state[0] + 1, state[2], fma(ratio.of(state[0]), state[2], -state[1])}; });
  return last[2];
}

/// J of order n >= 2 for 0 < x <= n: downwards from a high order to 0, scaled by what is known there.
Expr descend(const Expr &n, const Expr &x, const Exprs &known) {
  bool isDouble = x.isDouble();
  double large = isDouble ? 0x1p300 : 0x1p60, reach = isDouble ? 160 : 60;
  Ratio ratio = ratioOf(x);
  Expr wide = fromInt(n, x.type());
  Expr start = toInt(wide + sqrt(fma(wide, reach, 4 * reach)), 32);
  // Order, J of the order above, J of the order, J of order n.
  Exprs last = loop(
      {start, x.number(0), x.number(1), x.number(0)}, [&](Args state) { return state[0] > 0; },
      [&](Args state) {
        Expr below = fma(ratio.of(state[0]), state[2], -state[1]), order = state[0] - 1;
        Expr wanted = select(order == n, below, state[3]);
        Expr scale = select(abs(below) > large, below.number(1 / large), 1.0);
        return Exprs{order, state[2] * scale, below * scale, wanted * scale};
      });
  // The larger of both is farther from its zeros.
  Expr isFirst = abs(known[1]) > abs(known[0]);
  return last[3] * (select(isFirst, known[1], known[0]) / select(isFirst, last[1], last[2]));
}

/// J of order n >= 2 for tiny x: the first term of its series, (x / 2)^n / n!.
Expr leadingTerm(const Expr &n, const Expr &x) {
  Exprs last = loop(
      {n.integer(1), x.number(1)}, [&](Args state) { return (state[0] <= n) & (state[1] != 0.0); },
      [&](Args state) { return Exprs{state[0] + 1, state[1] * (x * 0.5 / fromInt(state[0], x.type()))}; });
  return last[1];
}

/// J of order n >= 2 for nonnegative x.
Expr firstOfOrder(const Expr &n, const Expr &x, const Exprs &known) {
  double tiny = x.isDouble() ? 0x1p-27 : 0x1p-12;
  auto inSeries = [&] { return Exprs{leadingTerm(n, x)}; };
  auto downwards = [&] { return Exprs{descend(n, x, known)}; };
  auto upwards = [&] { return Exprs{climb(n, x, known)}; };
  auto above = [&] { return branch(x <= fromInt(n, x.type()), downwards, upwards); };
  return branch(x < tiny, inSeries, above)[0];
}

} // namespace

Expr besselJ0(const Expr &x) { return firstOf(x, 0); }
Expr besselJ1(const Expr &x) { return firstOf(x, 1); }
Expr besselY0(const Expr &x) { return secondOf(x, 0); }
Expr besselY1(const Expr &x) { return secondOf(x, 1); }

Expr besselJn(const Expr &n, const Expr &x) {
  Expr magnitude = abs(x), isPlain = (n >= 2) & !(isInf(x) | isNan(x));
  Exprs known = bothOrders(magnitude, kNearJ, kFirstKind);
  Expr value = branch(
      isPlain, [&] { return Exprs{firstOfOrder(n, magnitude, known)}; },
      [&] { return Exprs{select(n == 0, known[0], known[1])}; })[0];
  value = select((x < 0.0) & ((n & 1) == 1), -value, value);
  return select(n < 0, nan(x), value);
}

Expr besselYn(const Expr &n, const Expr &x) {
  Exprs known = bothOrders(x, kNearY, kSecondKind);
  for (Expr &value : known)
    value = ofSecondKind(x, value);
  Expr value = select(n == 0, known[0], climb(n, x, known));
  return select((n < 0) | isNan(x), nan(x), value);
}

} // namespace tawa::math
