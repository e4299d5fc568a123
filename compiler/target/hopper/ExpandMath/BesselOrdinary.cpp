// Bessel functions of the first and second kind, computed in f64. Up to 8: polynomials in x^2, those of J multiplied by
// the factors of its zeros, so that J keeps its relative accuracy there; Y adds the logarithm and the pole. Beyond 8:
//   J = sqrt(2 / (pi x)) (P cos c - Q sin c),  Y = sqrt(2 / (pi x)) (P sin c + Q cos c),  c = x - (order + 1/2) pi / 2.
// Higher orders use the recurrence f(n + 1) = 2n / x f(n) - f(n - 1), upwards where that is stable, else downwards from
// an order so high that the start value does not matter.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

namespace tawa::math {
namespace {

constexpr double kBoundary = 8, kTwoByPi = 0x1.45f306dc9c883p-1, kPi = 0x1.921fb54442d18p+1;

/// A zero of a Bessel function in two parts.
struct Zero {
  double high, low;
};
constexpr Zero kZerosOfJ0[] = {{0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53},
                               {0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54}};
constexpr Zero kZerosOfJ1[] = {{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53},
                               {0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54}};

/// x^2 - zero^2, without cancellation.
Expr factorOf(const Expr &x, Zero zero) { return ((x - zero.high) - zero.low) * (x + zero.high); }
/// The variable of the polynomials up to 8, within -1 to 1.
Expr centered(const Expr &x) { return fma(x, x * 0x1p-5, -1.0); }

/// The functions of order 0 and 1 for x from 0 to 8; those of the second kind not at 0.
Expr nearJ0(const Expr &x) {
  return factorOf(x, kZerosOfJ0[0]) * factorOf(x, kZerosOfJ0[1]) * poly(centered(x), kBesselJ0Near);
}
Expr nearJ1(const Expr &x) {
  return x * (factorOf(x, kZerosOfJ1[0]) * factorOf(x, kZerosOfJ1[1]) * poly(centered(x), kBesselJ1Near));
}
Expr nearY0(const Expr &x) { return fma(log(x) * kTwoByPi, nearJ0(x), poly(centered(x), kBesselY0Near)); }
Expr nearY1(const Expr &x) {
  return fma(log(x) * kTwoByPi, nearJ1(x), x * poly(centered(x), kBesselY1Near)) - kTwoByPi / x;
}

/// sin c and cos c times the root of 1 / (pi x), and P and Q, for x from 8 on.
struct Wave {
  Expr sine, cosine, p, q;
};
Wave waveOf(const Expr &x, int order, llvm::ArrayRef<double> p, llvm::ArrayRef<double> q) {
  Expr inverse = 1.0 / x, square = inverse * inverse, root = sqrt(inverse * (1 / kPi));
  Expr s = sin(x) * root, c = cos(x) * root;
  Expr evenSine = s - c, evenCosine = s + c; // of order 0; a quarter of a turn less for order 1
  return {order == 0 ? evenSine : -evenCosine, order == 0 ? evenCosine : evenSine, poly(square, p),
          inverse * poly(square, q)};
}
Expr firstKind(const Wave &wave) { return wave.p * wave.cosine - wave.q * wave.sine; }
Expr secondKind(const Wave &wave) { return wave.p * wave.sine + wave.q * wave.cosine; }
Wave waveOf(const Expr &x, int order) {
  return order == 0 ? waveOf(x, 0, kBesselP0, kBesselQ0) : waveOf(x, 1, kBesselP1, kBesselQ1);
}

using Near = Expr (*)(const Expr &);
using Far = Expr (*)(const Wave &);

/// For a nonnegative f64 x; 0 at infinity, NaN is kept.
Expr ofPositive(const Expr &x, int order, Near near, Far far) {
  Expr value = branch(x < kBoundary, [&] { return Exprs{near(x)}; }, [&] { return Exprs{far(waveOf(x, order))}; })[0];
  return select(isInf(x), 0.0, value);
}

Expr firstOf(const Expr &x, int order) {
  Expr value = ofPositive(abs(x), order, order == 0 ? nearJ0 : nearJ1, firstKind);
  return order == 0 ? value : select((x < 0.0), -value, value);
}
Expr secondOf(const Expr &x, int order) {
  Expr value = ofPositive(x, order, order == 0 ? nearY0 : nearY1, secondKind);
  return select(x < 0.0, nan(x), select(x == 0.0, -infinity(x), value));
}

Expr ratio(const Expr &n, const Expr &x) { return fromInt(n, x.type()) * 2 / x; }

/// From the values of order 0 and 1 to that of order n >= 1; infinities and NaN are kept.
Expr climb(const Expr &n, const Expr &x, const Expr &zeroth, const Expr &first) {
  Exprs last = loop(
      {n.integer(1), zeroth, first}, [&](Args state) { return (state[0] < n) & (abs(state[2]) < infinity(x)); },
      [&](Args state) { return Exprs{state[0] + 1, state[2], ratio(state[0], x) * state[2] - state[1]}; });
  return last[2];
}

/// J of order n >= 2 for 0 < x <= n: downwards from an even order m, scaled so that J0 + 2 J2 + 2 J4 + ... = 1.
Expr descend(const Expr &n, const Expr &x) {
  constexpr double kLarge = 0x1p300;
  Expr wide = fromInt(n, x.type());
  Expr start = toInt(wide * 0.5 + sqrt(wide * 40 + 100), 32) * 2;
  // Order, J of the order above, J of the order, sum of the even ones, J of order n.
  Exprs last = loop(
      {start, x.number(0), x.number(1), x.number(0), x.number(0)}, [&](Args state) { return state[0] > 0; },
      [&](Args state) {
        Expr below = ratio(state[0], x) * state[2] - state[1], order = state[0] - 1;
        Expr isEven = (order & 1) == 0;
        Expr sum = select(isEven, state[3] + below, state[3]), wanted = select(order == n, below, state[4]);
        Expr scale = select(abs(below) > kLarge, below.number(1 / kLarge), 1.0);
        return Exprs{order, state[2] * scale, below * scale, sum * scale, wanted * scale};
      });
  return last[4] / (last[3] * 2 - last[2]);
}

/// J of order n >= 2 for tiny x: the first term of its series, (x / 2)^n / n!.
Expr leadingTerm(const Expr &n, const Expr &x) {
  Exprs last = loop(
      {n.integer(1), x.number(1)}, [&](Args state) { return (state[0] <= n) & (state[1] != 0.0); },
      [&](Args state) { return Exprs{state[0] + 1, state[1] * (x * 0.5 / fromInt(state[0], x.type()))}; });
  return last[1];
}

/// For nonnegative x.
Expr firstOfOrder(const Expr &n, const Expr &x) {
  constexpr double kTiny = 0x1p-27;
  auto inSeries = [&] { return Exprs{leadingTerm(n, x)}; };
  auto downwards = [&] { return Exprs{descend(n, x)}; };
  auto upwards = [&] { return Exprs{climb(n, x, firstOf(x, 0), firstOf(x, 1))}; };
  auto above = [&] { return branch(x <= fromInt(n, x.type()), downwards, upwards); };
  return branch(x < kTiny, inSeries, above)[0];
}

} // namespace

Expr besselJ0(const Expr &x) { return toFloat(firstOf(toDouble(x), 0), x.type()); }
Expr besselJ1(const Expr &x) { return toFloat(firstOf(toDouble(x), 1), x.type()); }
Expr besselY0(const Expr &x) { return toFloat(secondOf(toDouble(x), 0), x.type()); }
Expr besselY1(const Expr &x) { return toFloat(secondOf(toDouble(x), 1), x.type()); }

Expr besselJn(const Expr &n, const Expr &x) {
  Expr wide = toDouble(x), magnitude = abs(wide), isPlain = (n >= 2) & !(isInf(wide) | isNan(wide));
  auto recurrence = [&] {
    Expr value = firstOfOrder(n, magnitude);
    return Exprs{select((wide < 0.0) & ((n & 1) == 1), -value, value)};
  };
  auto known = [&] { return Exprs{select(n == 0, firstOf(wide, 0), firstOf(wide, 1))}; };
  Expr value = branch(isPlain, recurrence, known)[0];
  return toFloat(select(n < 0, nan(wide), value), x.type());
}

Expr besselYn(const Expr &n, const Expr &x) {
  Expr wide = toDouble(x), zeroth = secondOf(wide, 0), first = secondOf(wide, 1);
  Expr value = select(n == 0, zeroth, climb(n, wide, zeroth, first));
  return toFloat(select((n < 0) | isNan(wide), nan(wide), value), x.type());
}

} // namespace tawa::math
