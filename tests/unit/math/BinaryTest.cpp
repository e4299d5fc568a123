// Functions of two and three floats: powers, remainders, angles, directed rounding, and the treatment of NaN.

#include "tests/unit/math/Accuracy.h"

#include <cfenv>
#include <cstring>
#include <gtest/gtest.h>

namespace tawa::test {
namespace {

using Wide = long double;
constexpr size_t kCount = size_t(1) << 16;

template <typename T> std::string suffixed(const std::string &name) {
  return "__nv_" + name + (std::is_same_v<T, float> ? "f" : "");
}

template <typename T>
void check(const std::string &symbol, double low, double high, double bound,
           const std::function<Wide(Wide, Wide)> &exact) {
  auto function = ScalarFunction<T, T, T>::library(symbol);
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::vector<T> xs = samples<T>(kCount, low, high, 1), ys = samples<T>(kCount, low, high, 2);
  // Every special value meets every other one.
  std::vector<T> special = samples<T>(0, 0, 1);
  for (T x : special)
    for (T y : special)
      xs.push_back(x), ys.push_back(y);
  Worst worst = worstOf<T>(function, xs, ys, [&](auto x, auto y) { return static_cast<decltype(x)>(exact(x, y)); });
  if (std::getenv("TAWA_MATH_PRINT"))
    printf("%-18s %8.3f (bound %g) at %.9g, %.9g\n", symbol.c_str(), worst.error, bound, worst.at, worst.with);
  EXPECT_LE(worst.error, bound) << symbol << " at " << std::hexfloat << worst.at << ", " << worst.with << ": "
                                << worst.got << ", exactly " << worst.exact;
}

template <typename T>
void check(const std::string &name, double low, double high, double single, double dual, Wide (*exact)(Wide, Wide)) {
  check<T>(suffixed<T>(name), low, high, std::is_same_v<T, float> ? single : dual, exact);
}

template <typename T> class BinaryFunction : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BinaryFunction, Precisions);

TYPED_TEST(BinaryFunction, Pow) {
  check<TypeParam>("pow", -10, 10, 0.51, 1.5, [](Wide x, Wide y) { return std::pow(x, y); });
  check<TypeParam>("pow", 0, 2, 0.51, 1.5, [](Wide x, Wide y) { return std::pow(x, y); });
}
TYPED_TEST(BinaryFunction, PowOfWholeNumbers) {
  auto function = ScalarFunction<TypeParam, TypeParam, TypeParam>::library(suffixed<TypeParam>("pow"));
  ASSERT_TRUE(function.isOk()) << function.status.message();
  for (int x = -5; x <= 5; ++x)
    for (int y = -9; y <= 9; ++y)
      EXPECT_LE(ulpError(function.one(TypeParam(x), TypeParam(y)), std::pow(Wide(x), Wide(y))), 1) << x << " " << y;
}
TYPED_TEST(BinaryFunction, Atan2) {
  check<TypeParam>("atan2", -4, 4, 4, 3, [](Wide y, Wide x) { return std::atan2(y, x); });
}
TYPED_TEST(BinaryFunction, Fmod) {
  check<TypeParam>("fmod", -100, 100, 0, 0, [](Wide x, Wide y) { return std::fmod(x, y); });
}
TYPED_TEST(BinaryFunction, Remainder) {
  check<TypeParam>("remainder", -100, 100, 0, 0, [](Wide x, Wide y) { return std::remainder(x, y); });
}
TYPED_TEST(BinaryFunction, Hypot) {
  check<TypeParam>("hypot", -3, 3, 0.51, 1.5, [](Wide x, Wide y) { return std::hypot(x, y); });
  check<TypeParam>("rhypot", -3, 3, 0.51, 2, [](Wide x, Wide y) { return 1 / std::hypot(x, y); });
}
TYPED_TEST(BinaryFunction, Fdim) {
  check<TypeParam>("fdim", -3, 3, 0.5, 0.5, [](Wide x, Wide y) { return std::fdim(x, y); });
}
TYPED_TEST(BinaryFunction, Copysign) {
  check<TypeParam>("copysign", -3, 3, 0, 0, [](Wide x, Wide y) { return std::copysign(x, y); });
}
TYPED_TEST(BinaryFunction, FminAndFmax) {
  check<TypeParam>("fmin", -3, 3, 0, 0, [](Wide x, Wide y) { return std::fmin(x, y); });
  check<TypeParam>("fmax", -3, 3, 0, 0, [](Wide x, Wide y) { return std::fmax(x, y); });
}
TYPED_TEST(BinaryFunction, Nextafter) {
  using T = TypeParam;
  auto function = ScalarFunction<T, T, T>::library(suffixed<T>("nextafter"));
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::vector<T> xs = samples<T>(kCount, -1, 1, 1), ys = samples<T>(kCount, -1, 1, 2);
  ys[3] = xs[3];
  std::vector<T> results = function(xs, ys);
  for (size_t index = 0; index < xs.size(); ++index)
    EXPECT_EQ(ulpError(results[index], Wide(std::nextafter(xs[index], ys[index]))), 0) << xs[index] << " " << ys[index];
}
TYPED_TEST(BinaryFunction, Division) {
  using T = TypeParam;
  ScalarFunction<T, T, T> fast("%r = arith.divf %a, %b : " + typeName<T>());
  ScalarFunction<T, T, T> precise("%r = tt.precise_divf %a, %b : " + typeName<T>());
  ASSERT_TRUE(fast.isOk() && precise.isOk()) << fast.status.message() << precise.status.message();
  std::vector<T> xs = samples<T>(kCount, -1, 1, 1), ys = samples<T>(kCount, -1, 1, 2);
  std::vector<T> fasts = fast(xs, ys), precises = precise(xs, ys);
  for (size_t index = 0; index < xs.size(); ++index) {
    T exact = xs[index] / ys[index];
    EXPECT_LE(ulpError(fasts[index], Wide(exact)), 2);
    EXPECT_EQ(ulpError(precises[index], Wide(exact)), 0);
  }
}
TYPED_TEST(BinaryFunction, MaximumPropagatesNanAndMaxnumDoesNot) {
  using T = TypeParam;
  auto make = [](const std::string &op) {
    return ScalarFunction<T, T, T>("%r = arith." + op + " %a, %b : " + typeName<T>());
  };
  auto maximum = make("maximumf"), minimum = make("minimumf"), maxnum = make("maxnumf"), minnum = make("minnumf");
  ASSERT_TRUE(maximum.isOk() && minimum.isOk() && maxnum.isOk() && minnum.isOk());
  T nan = std::numeric_limits<T>::quiet_NaN();
  for (auto [x, y] : {std::pair<T, T>(nan, 1), std::pair<T, T>(1, nan)}) {
    EXPECT_TRUE(std::isnan(maximum.one(x, y)));
    EXPECT_TRUE(std::isnan(minimum.one(x, y)));
    EXPECT_EQ(maxnum.one(x, y), 1);
    EXPECT_EQ(minnum.one(x, y), 1);
  }
  EXPECT_TRUE(std::isnan(maxnum.one(nan, nan)));
  EXPECT_EQ(maximum.one(2, 3), 3);
  EXPECT_EQ(minimum.one(2, 3), 2);
  EXPECT_TRUE(std::signbit(minimum.one(T(0.0), T(-0.0))));
  EXPECT_FALSE(std::signbit(maximum.one(T(-0.0), T(0.0))));
}
TYPED_TEST(BinaryFunction, Clamp) {
  using T = TypeParam;
  auto make = [](const std::string &mode) {
    return ScalarFunction<T, T, T, T>("%r = tt.clampf %a, %b, %c, propagateNan = " + mode + " : " + typeName<T>());
  };
  auto none = make("none"), all = make("all");
  ASSERT_TRUE(none.isOk() && all.isOk()) << none.status.message() << all.status.message();
  T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(none.one(5, -1, 1), 1);
  EXPECT_EQ(all.one(-5, -1, 1), -1);
  EXPECT_EQ(none.one(T(0.5), -1, 1), T(0.5));
  EXPECT_EQ(std::fabs(none.one(nan, -1, 1)), 1);
  EXPECT_TRUE(std::isnan(all.one(nan, -1, 1)));
}
TYPED_TEST(BinaryFunction, LdexpAndPowi) {
  using T = TypeParam;
  auto ldexp = ScalarFunction<T, T, int32_t>::library(suffixed<T>("ldexp"));
  auto powi = ScalarFunction<T, T, int32_t>::library(suffixed<T>("powi"));
  auto ilogb = ScalarFunction<int32_t, T>::library(suffixed<T>("ilogb"));
  ASSERT_TRUE(ldexp.isOk() && powi.isOk() && ilogb.isOk()) << ldexp.status.message() << powi.status.message();
  std::vector<T> xs = samples<T>(4096, -3, 3);
  std::mt19937 random(3);
  std::vector<int32_t> ns, few;
  for (size_t index = 0; index < xs.size(); ++index) {
    ns.push_back(index % 7 == 0 ? static_cast<int32_t>(random()) : static_cast<int32_t>(random() % 2400) - 1200);
    few.push_back(static_cast<int32_t>(random() % 41) - 20);
  }
  std::vector<T> scaled = ldexp(xs, ns), powers = powi(xs, few);
  std::vector<int32_t> exponents = ilogb(xs);
  for (size_t index = 0; index < xs.size(); ++index) {
    EXPECT_EQ(ulpError(scaled[index], Wide(std::ldexp(xs[index], ns[index]))), 0) << xs[index] << " " << ns[index];
    EXPECT_LE(ulpError(powers[index], std::pow(Wide(xs[index]), Wide(few[index]))), 1.5)
        << xs[index] << " " << few[index];
    if (!std::isnan(xs[index]) && xs[index] != 0) {
      EXPECT_EQ(exponents[index], std::ilogb(xs[index])) << xs[index];
    }
  }
}

//===--- Directed rounding ----------------------------------------------------------------------------------------===//

/// Evaluates in a rounding mode of the processor.
template <typename T> T rounded(int mode, const std::function<T()> &compute) {
  std::fesetround(mode);
  T result = compute();
  std::fesetround(FE_TONEAREST);
  return result;
}

struct Direction {
  const char *suffix;
  int mode;
};
const Direction kDirections[] = {
    {"_rn", FE_TONEAREST}, {"_rz", FE_TOWARDZERO}, {"_ru", FE_UPWARD}, {"_rd", FE_DOWNWARD}};

template <typename T>
void checkDirected(const std::string &stem, T (*compute)(volatile T &, volatile T &), bool isUnary = false) {
  // Below that the error term of an f64 may be lost: README.md.
  double least = std::is_same_v<T, float> ? 0 : 0x1p-900;
  for (const Direction &direction : kDirections) {
    std::string symbol = "__nv_" + stem + direction.suffix;
    std::string body = libraryCall(symbol, {typeName<T>()}, typeName<T>());
    ScalarFunction<T, T, T> function(isUnary ? body
                                             : libraryCall(symbol, {typeName<T>(), typeName<T>()}, typeName<T>()));
    ASSERT_TRUE(function.isOk()) << function.status.message();
    std::vector<T> xs = samples<T>(1 << 14, -1, 1, 1), ys = samples<T>(1 << 14, -1, 1, 2), results = function(xs, ys);
    int wrong = 0;
    for (size_t index = 0; index < xs.size() && wrong < 3; ++index) {
      volatile T x = xs[index], y = ys[index];
      T exact = rounded<T>(direction.mode, [&] { return compute(x, y); });
      bool isSubject = std::fabs(exact) >= least && (isUnary || std::fabs(y) >= least) && std::fabs(x) >= least;
      if (isSubject && ulpError(results[index], Wide(exact)) != 0) {
        ADD_FAILURE() << symbol << " of " << std::hexfloat << x << ", " << y << ": " << results[index] << ", exactly "
                      << exact;
        ++wrong;
      }
    }
  }
}

TEST(DirectedRounding, OfSinglePrecision) {
  using V = volatile float;
  checkDirected<float>("fadd", [](V &a, V &b) -> float { return a + b; });
  checkDirected<float>("fsub", [](V &a, V &b) -> float { return a - b; });
  checkDirected<float>("fmul", [](V &a, V &b) -> float { return a * b; });
  checkDirected<float>("fdiv", [](V &a, V &b) -> float { return a / b; });
  checkDirected<float>("fsqrt", [](V &a, V &) -> float { return std::sqrt(a); }, true);
  checkDirected<float>("frcp", [](V &a, V &) -> float { return 1 / a; }, true);
}
TEST(DirectedRounding, OfDoublePrecision) {
  using V = volatile double;
  checkDirected<double>("dadd", [](V &a, V &b) -> double { return a + b; });
  checkDirected<double>("dmul", [](V &a, V &b) -> double { return a * b; });
  checkDirected<double>("ddiv", [](V &a, V &b) -> double { return a / b; });
  checkDirected<double>("dsqrt", [](V &a, V &) -> double { return std::sqrt(a); }, true);
}
TEST(DirectedRounding, OfFusedProducts) {
  for (const Direction &direction : kDirections) {
    auto single = ScalarFunction<float, float, float, float>::library(std::string("__nv_fmaf") + direction.suffix);
    auto dual = ScalarFunction<double, double, double, double>::library(std::string("__nv_fma") + direction.suffix);
    ASSERT_TRUE(single.isOk() && dual.isOk()) << single.status.message();
    auto compare = [&](auto &function, auto zero) {
      using T = decltype(zero);
      std::vector<T> xs = samples<T>(1 << 12, -1, 1, 1), ys = samples<T>(1 << 12, -1, 1, 2),
                     zs = samples<T>(1 << 12, -1, 1, 3);
      std::vector<T> results = function(xs, ys, zs);
      for (size_t index = 0; index < xs.size(); ++index) {
        volatile T x = xs[index], y = ys[index], z = zs[index];
        T exact = rounded<T>(direction.mode, [&] { return std::fma(x, y, z); });
        if (sizeof(T) == 4 || (std::fabs(exact) >= 0x1p-900 && std::fabs(z) >= 0x1p-900)) {
          EXPECT_EQ(ulpError(results[index], Wide(exact)), 0)
              << direction.suffix << std::hexfloat << " " << x << " " << y << " " << z;
        }
      }
    };
    compare(single, 0.0f);
    compare(dual, 0.0);
  }
}

} // namespace
} // namespace tawa::test
