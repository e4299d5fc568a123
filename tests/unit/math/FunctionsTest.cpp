// Every function of the tables against the C library's with more bits, over samples of all exponents and of the
// interval where the function does something. The bounds are those of compiler/target/hopper/ExpandMath/README.md.

#include "tests/unit/math/Accuracy.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <numbers>

namespace tawa::test {
namespace {

using Wide = long double;
constexpr Wide kPi = std::numbers::pi_v<Wide>;

/// Samples per function and precision; TAWA_MATH_SAMPLES asks for more.
size_t sampleCount() {
  const char *given = std::getenv("TAWA_MATH_SAMPLES");
  return given ? std::strtoull(given, nullptr, 10) : size_t(1) << 15;
}

/// How an operation is written: a libdevice name with the f32 form's letter left away, or an operation of math or
/// arith.
struct Case {
  std::string name;
  double low, high;    ///< Where half of the samples lie.
  double single, dual; ///< Bounds in ulp of f32 and f64; negative: there is no such form.
  std::function<Wide(Wide)> exact;
  double domainLow = -INFINITY, domainHigh = INFINITY; ///< Beyond it the reference says nothing, nor do we.
};

template <typename T> std::string bodyOf(const std::string &name) {
  std::string type = typeName<T>();
  if (name.find('.') != std::string::npos)
    return "%r = " + name + " %a : " + type;
  return libraryCall("__nv_" + name + (type == "f32" ? "f" : ""), {type}, type);
}

template <typename T> void check(const Case &given, double bound) {
  if (bound < 0)
    return;
  ScalarFunction<T, T> function(bodyOf<T>(given.name), {2, true});
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::vector<T> xs = samples<T>(sampleCount(), given.low, given.high);
  std::erase_if(xs, [&](T x) { return x < given.domainLow || x > given.domainHigh; });
  Worst worst = worstOf<T>(function, xs, [&](auto x) { return static_cast<decltype(x)>(given.exact(x)); });
  if (std::getenv("TAWA_MATH_PRINT"))
    printf("%-18s %s %8.3f (bound %g) at %.17g\n", given.name.c_str(), typeName<T>().c_str(), worst.error, bound,
           worst.at);
  EXPECT_LE(worst.error, bound) << given.name << " " << typeName<T>() << " at " << std::hexfloat << worst.at << ": "
                                << worst.got << ", exactly " << worst.exact;
}

Wide sinOfTurns(Wide x) {
  if (std::isinf(x))
    return NAN;
  Wide turn = x - 2 * std::nearbyint(x / 2), quarter = std::nearbyint(turn * 2), rest = (turn - quarter / 2) * kPi;
  switch (static_cast<int>(quarter) & 3) {
  case 0:
    return std::sin(rest);
  case 1:
    return std::cos(rest);
  case 2:
    return -std::sin(rest);
  default:
    return -std::cos(rest);
  }
}
Wide cosOfTurns(Wide x) {
  if (std::isinf(x))
    return NAN;
  Wide turn = x - 2 * std::nearbyint(x / 2);
  return sinOfTurns(turn + 0.5L);
}
Wide cdf(Wide x) { return std::erfc(-x * std::sqrt(0.5L)) / 2; }
/// Newton's steps on the C library's own function.
Wide inverseOfErf(Wide x) {
  if (!(std::fabs(x) < 1))
    return std::fabs(x) == 1 ? x * INFINITY : NAN;
  Wide y = std::fabs(x), low = 0, high = 10;
  for (int step = 0; step < 20; ++step) {
    Wide middle = (low + high) / 2;
    ((y < 0.5L ? std::erf(middle) < y : std::erfc(middle) > 1 - y) ? low : high) = middle;
  }
  Wide r = (low + high) / 2;
  for (int step = 0; step < 4; ++step) {
    Wide error = y < 0.5L ? std::erf(r) - y : (1 - y) - std::erfc(r);
    r -= error * std::sqrt(kPi) / 2 * std::exp(r * r);
  }
  return std::copysign(r, x);
}
Wide inverseOfErfc(Wide y) {
  if (!(y > 0 && y < 2))
    return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
  if (y > 0.5L)
    return inverseOfErf(1 - y);
  Wide low = 0, high = 110;
  for (int step = 0; step < 90; ++step) {
    Wide middle = (low + high) / 2;
    (std::erfc(middle) > y ? low : high) = middle;
  }
  return (low + high) / 2;
}
Wide scaledErfc(Wide x) {
  if (x < 50)
    return std::exp(x * x) * std::erfc(x);
  Wide t = 1 / (2 * x * x);
  return 1 / (x * std::sqrt(kPi)) * (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t)))));
}

template <typename Of> std::function<Wide(Wide)> f(Of of) { return of; }

const Case kCases[] = {
    {"exp", -110, 95, 1.5, 1.5, f([](Wide x) { return std::exp(x); })},
    {"exp", -750, 712, -1, 1.5, f([](Wide x) { return std::exp(x); })},
    {"exp2", -160, 130, 1.5, 1.5, f([](Wide x) { return std::exp2(x); })},
    {"exp10", -50, 40, 1.5, 1.5, f([](Wide x) { return exp10l(x); })},
    {"expm1", -20, 90, 2, 2, f([](Wide x) { return std::expm1(x); })},
    {"expm1", -1, 1, 2, 2, f([](Wide x) { return std::expm1(x); })},
    {"log", 0, 4, 1.5, 1.5, f([](Wide x) { return std::log(x); })},
    {"log2", 0, 4, 2, 2, f([](Wide x) { return std::log2(x); })},
    {"log10", 0, 4, 2, 2, f([](Wide x) { return std::log10(x); })},
    {"log1p", -1, 2, 2, 2, f([](Wide x) { return std::log1p(x); })},
    {"logb", -10, 10, 0, 0, f([](Wide x) { return std::logb(x); })},
    {"sqrt", 0, 4, 0.5, 0.5, f([](Wide x) { return std::sqrt(x); })},
    {"rsqrt", 0, 4, 1, 2, f([](Wide x) { return 1 / std::sqrt(x); })},
    {"cbrt", -10, 10, 0.51, 1, f([](Wide x) { return std::cbrt(x); })},
    {"rcbrt", -10, 10, 0.51, 2, f([](Wide x) { return 1 / std::cbrt(x); })},
    {"sin", -40, 40, 2, 2, f([](Wide x) { return std::sin(x); })},
    {"cos", -40, 40, 2, 2, f([](Wide x) { return std::cos(x); })},
    {"tan", -40, 40, 4, 4, f([](Wide x) { return std::tan(x); })},
    {"sin", -1e5, 1e5, 2, 2, f([](Wide x) { return std::sin(x); })},
    {"cos", -1e9, 1e9, 2, 2, f([](Wide x) { return std::cos(x); })},
    {"sinpi", -3, 3, 2, 2, f(sinOfTurns)},
    {"cospi", -3, 3, 2, 2, f(cosOfTurns)},
    {"asin", -1, 1, 2.5, 2.5, f([](Wide x) { return std::asin(x); })},
    {"acos", -1, 1, 2, 2, f([](Wide x) { return std::acos(x); })},
    {"atan", -4, 4, 3, 3, f([](Wide x) { return std::atan(x); })},
    {"sinh", -3, 3, 3, 3, f([](Wide x) { return std::sinh(x); })},
    {"cosh", -90, 90, 3, 2, f([](Wide x) { return std::cosh(x); })},
    {"tanh", -3, 3, 3, 3, f([](Wide x) { return std::tanh(x); })},
    {"asinh", -3, 3, 4, 3, f([](Wide x) { return std::asinh(x); })},
    {"acosh", 1, 4, 4, 3, f([](Wide x) { return std::acosh(x); })},
    {"atanh", -1, 1, 4, 3, f([](Wide x) { return std::atanh(x); })},
    {"erf", -4, 4, 2, 2, f([](Wide x) { return std::erf(x); })},
    {"erfc", -4, 10, 7, 7, f([](Wide x) { return std::erfc(x); })},
    {"erfc", 5, 27, 7, 7, f([](Wide x) { return std::erfc(x); })},
    {"erfcx", -3, 9, 7, 7, f(scaledErfc), -8},
    {"erfinv", -1, 1, 1.5, 5, f(inverseOfErf)},
    {"erfcinv", 0, 2, 1.5, 5, f(inverseOfErfc), 1e-300},
    {"normcdf", -14, 5, 1, 6, f(cdf)},
    {"lgamma", 0.5, 20, 1, 8, f([](Wide x) { return std::lgamma(x); }), 0},
    {"tgamma", -5, 35, 1, 12, f([](Wide x) { return std::tgamma(x); }), -170},
    {"cyl_bessel_i0", -20, 20, 6, 10,
     f([](Wide x) { return std::fabs(x) > 720 ? Wide(INFINITY) : std::cyl_bessel_i(0.0L, std::fabs(x)); }), -700, 700},
    {"cyl_bessel_i1", 0, 20, 6, 10, f([](Wide x) { return std::cyl_bessel_i(1.0L, x); }), 0, 700},
    {"floor", -10, 10, 0, 0, f([](Wide x) { return std::floor(x); })},
    {"ceil", -10, 10, 0, 0, f([](Wide x) { return std::ceil(x); })},
    {"trunc", -10, 10, 0, 0, f([](Wide x) { return std::trunc(x); })},
    {"rint", -10, 10, 0, 0, f([](Wide x) { return std::nearbyint(x); })},
    {"nearbyint", -10, 10, 0, 0, f([](Wide x) { return std::nearbyint(x); })},
    {"round", -10, 10, 0, 0, f([](Wide x) { return std::round(x); })},
    {"fabs", -10, 10, 0, 0, f([](Wide x) { return std::fabs(x); })},
    // As Triton has them: e^x of f32 by the special function unit, whose argument is rounded.
    {"math.exp", -80, 80, 70, 1.5, f([](Wide x) { return std::exp(x); }), -87, 88.7},
    // Below, f32 gives zero; with f64 the libdevice function above says it.
    {"math.exp2", -120, 120, 1, 1.5, f([](Wide x) { return std::exp2(x); }), -126},
    {"math.log", 0, 4, 1.5, 1.5, f([](Wide x) { return std::log(x); })},
    {"math.erf", -4, 4, 2, 2, f([](Wide x) { return std::erf(x); })},
    {"math.sqrt", 0, 4, 1, 0.5, f([](Wide x) { return std::sqrt(x); })},
    {"math.roundeven", -10, 10, 0, 0, f([](Wide x) { return std::nearbyint(x); })},
    {"tt.precise_sqrt", 0, 4, 0.5, 0.5, f([](Wide x) { return std::sqrt(x); })},
};

void PrintTo(const Case &given, std::ostream *stream) { *stream << given.name; }

class Function : public testing::TestWithParam<Case> {};
TEST_P(Function, IsRightInSinglePrecision) { check<float>(GetParam(), GetParam().single); }
TEST_P(Function, IsRightInDoublePrecision) { check<double>(GetParam(), GetParam().dual); }
INSTANTIATE_TEST_SUITE_P(Math, Function, testing::ValuesIn(kCases), [](const auto &info) {
  std::string name = info.param.name + "_" + std::to_string(info.index);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

} // namespace
} // namespace tawa::test
