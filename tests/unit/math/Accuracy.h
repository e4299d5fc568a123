// Measures the error of a function in units in the last place.
#pragma once

#include "tests/unit/math/ScalarKernel.h"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tawa::test {

template <typename T> struct Exact;
/// In which type references are computed: one with many more bits.
template <> struct Exact<float> {
  using Type = double;
};
template <> struct Exact<double> {
  using Type = long double;
};
template <typename T> using Reference = std::function<typename Exact<T>::Type(typename Exact<T>::Type)>;
template <typename T>
using Reference2 = std::function<typename Exact<T>::Type(typename Exact<T>::Type, typename Exact<T>::Type)>;

/// Half of the samples uniform over the bit patterns, so that every exponent is met; half uniform from `low` to `high`.
template <typename T> std::vector<T> samples(size_t count, double low, double high, uint64_t seed = 1) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> inside(low, high);
  constexpr T kInf = std::numeric_limits<T>::infinity();
  std::vector<T> values = {T(0),
                           T(-0.0),
                           T(1),
                           T(-1),
                           T(0.5),
                           T(-0.5),
                           T(2),
                           T(-2),
                           kInf,
                           -kInf,
                           std::numeric_limits<T>::quiet_NaN(),
                           std::numeric_limits<T>::denorm_min(),
                           std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::lowest()};
  while (values.size() < count) {
    values.push_back(static_cast<T>(inside(random)));
    values.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
  }
  return values;
}

/// The error of `got`; infinite where one is NaN, or infinite, and the other is not.
template <typename T, typename E> double ulpError(T got, E exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  // An infinity counts as the power of two after the largest number.
  constexpr int kMax = std::numeric_limits<T>::max_exponent, kDigits = std::numeric_limits<T>::digits;
  E beyond = std::ldexp(E(1), kMax), reached = std::isinf(got) ? std::copysign(beyond, E(got)) : E(got);
  if (std::fabs(exact) > beyond)
    exact = std::copysign(beyond, exact);
  int exponent = exact == 0 ? std::numeric_limits<T>::min_exponent - 1 : std::ilogb(exact);
  exponent = std::min(std::max(exponent, std::numeric_limits<T>::min_exponent - 1), kMax - 1);
  return static_cast<double>(std::fabs(reached - exact) / std::ldexp(E(1), exponent - kDigits + 1));
}

struct Worst {
  double error = 0;
  double at = 0, with = 0, got = 0, exact = 0;
};

template <typename T>
Worst worstOf(const ScalarFunction<T, T> &function, const std::vector<T> &xs, Reference<T> exact) {
  Worst worst;
  std::vector<T> results = function(xs);
  for (size_t index = 0; index < xs.size(); ++index) {
    auto truth = exact(xs[index]);
    double error = ulpError(results[index], truth);
    if (!(error <= worst.error))
      worst = {error, double(xs[index]), 0, double(results[index]), double(truth)};
  }
  return worst;
}

template <typename T>
Worst worstOf(const ScalarFunction<T, T, T> &function, const std::vector<T> &xs, const std::vector<T> &ys,
              Reference2<T> exact) {
  Worst worst;
  std::vector<T> results = function(xs, ys);
  for (size_t index = 0; index < xs.size(); ++index) {
    auto truth = exact(xs[index], ys[index]);
    double error = ulpError(results[index], truth);
    if (!(error <= worst.error))
      worst = {error, double(xs[index]), double(ys[index]), double(results[index]), double(truth)};
  }
  return worst;
}

} // namespace tawa::test
