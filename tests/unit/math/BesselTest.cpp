// Bessel functions of the first and second kind against the C library's with more bits. Near their zeros the error is
// measured in units of the amplitude of the wave, since the distance to a zero is known no better than x.

#include "tests/unit/math/Accuracy.h"

#include <gtest/gtest.h>
#include <numbers>

namespace tawa::test {
namespace {

using Wide = long double;

template <typename T> std::string symbolOf(const std::string &name) {
  return "__nv_" + name + (std::is_same_v<T, float> ? "f" : "");
}

/// From where on errors are in units of the amplitude: f32 keeps what is left of x at the zeros up to 8.
template <typename T> constexpr Wide kSwings = std::is_same_v<T, float> ? 8 : 0.5;

/// In ulp of the result, or of the amplitude where that is larger and the function swings, `from` on.
template <typename T> double errorOf(T got, Wide exact, Wide x, Wide from = kSwings<T>) {
  x = std::fabs(x);
  Wide amplitude = x >= from && !std::isinf(x) ? std::sqrt(2 / (std::numbers::pi_v<Wide> * x)) : 0;
  if (!std::isfinite(got) || !std::isfinite(exact) || std::fabs(exact) > amplitude)
    return ulpError(got, exact);
  return ulpError(T(amplitude), Wide(T(amplitude)) + (Wide(got) - exact));
}

/// Samples per function and precision; TAWA_MATH_SAMPLES asks for more.
size_t sampleCount(size_t usual) {
  const char *given = std::getenv("TAWA_MATH_SAMPLES");
  return given ? std::strtoull(given, nullptr, 10) : usual;
}

template <typename T> class Bessel : public testing::Test {
public:
  static constexpr bool isSingle = std::is_same_v<T, float>;

  void check(const std::string &name, double bound, Wide (*exact)(Wide)) {
    auto function = ScalarFunction<T, T>::library(symbolOf<T>(name));
    ASSERT_TRUE(function.isOk()) << function.status.message();
    std::vector<T> xs = samples<T>(sampleCount(size_t(1) << 15), 0, 20), got = function(xs);
    Worst worst;
    for (size_t index = 0; index < xs.size(); ++index) {
      Wide truth = exact(xs[index]);
      double error = errorOf(got[index], truth, xs[index]);
      if (!(error <= worst.error))
        worst = {error, double(xs[index]), 0, double(got[index]), double(truth)};
    }
    report(name, worst, bound);
  }
  void report(const std::string &name, const Worst &worst, double bound) {
    if (std::getenv("TAWA_MATH_PRINT"))
      printf("%-6s %8.3f (bound %g) at %.9g, %.9g\n", symbolOf<T>(name).c_str(), worst.error, bound, worst.at,
             worst.with);
    EXPECT_LE(worst.error, bound) << name << " of " << worst.with << " at " << std::hexfloat << worst.at << ": "
                                  << worst.got << ", exactly " << worst.exact;
  }

  void checkOrders(const std::string &name, double bound, Wide (*exact)(int, Wide)) {
    auto function = ScalarFunction<T, int32_t, T>::library(symbolOf<T>(name));
    ASSERT_TRUE(function.isOk()) << function.status.message();
    std::vector<T> xs = samples<T>(sampleCount(size_t(1) << 12), -60, 60);
    std::vector<int32_t> orders;
    for (size_t index = 0; index < xs.size(); ++index)
      orders.push_back(static_cast<int32_t>(index % 3 == 0 ? index % 7 : index % 101));
    std::vector<T> got = function(orders, xs);
    Worst worst;
    for (size_t index = 0; index < xs.size(); ++index) {
      Wide truth = exact(orders[index], xs[index]);
      double error = errorOf(got[index], truth, xs[index], 0.5);
      if (!(error <= worst.error))
        worst = {error, double(xs[index]), double(orders[index]), double(got[index]), double(truth)};
    }
    report(name, worst, bound);
    EXPECT_TRUE(std::isnan(function.one(-1, T(2))));
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Bessel, Precisions);

TYPED_TEST(Bessel, FirstKind) {
  this->check("j0", this->isSingle ? 9 : 16, ::j0l);
  this->check("j1", this->isSingle ? 9 : 16, ::j1l);
}
TYPED_TEST(Bessel, SecondKind) {
  auto y0 = [](Wide x) { return x < 0 ? Wide(NAN) : ::y0l(x); };
  auto y1 = [](Wide x) { return x < 0 ? Wide(NAN) : ::y1l(x); };
  this->check("y0", this->isSingle ? 9 : 20, y0);
  this->check("y1", this->isSingle ? 9 : 20, y1);
}
/// The factors of the zeros keep what is left of an argument that lies right beside one. The values are from 50 digits:
/// the C library's own are good to 5 of them there.
TEST(BesselFunctions, FirstKindAtItsZeros) {
  struct Near {
    const char *name;
    double at, value;
  };
  for (auto [name, at, value] : {Near{"j0", 2.404825557695772768, -6.1087652597367304e-17},
                                 Near{"j0", 5.520078110286310649, -2.7522649432621831e-17},
                                 Near{"j1", 3.831705970207512315, -6.1498073569949061e-17}})
    EXPECT_LE(ulpError(ScalarFunction<double, double>::library(symbolOf<double>(name)).one(at), Wide(value)), 8)
        << name << " at " << at;
}
TYPED_TEST(Bessel, HigherOrders) {
  this->checkOrders("jn", 64, ::jnl);
  this->checkOrders("yn", 64, [](int n, Wide x) { return x < 0 ? Wide(NAN) : ::ynl(n, x); });
}

} // namespace
} // namespace tawa::test
