// One head of attention in double precision, forward and backward, directly from its formulas: the reference for the
// kernels of tests/kernels/attention, without tiles, running maxima or layouts.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tawa::conformance {

/// Contiguous rows of numbers.
struct Rows {
  int64_t count = 0, width = 0;
  std::vector<double> numbers;

  Rows() = default;
  Rows(int64_t count, int64_t width) : count(count), width(width), numbers(count * width) {}
  double &at(int64_t row, int64_t column) { return numbers[row * width + column]; }
  double at(int64_t row, int64_t column) const { return numbers[row * width + column]; }
};

/// What a query attends to, and how scores are made.
struct AttentionRule {
  std::function<bool(int64_t query, int64_t key)> sees = [](int64_t, int64_t) { return true; };
  double scale = 1;
  double cap = 0; ///< Scores become cap * tanh(score / cap); 0: as they are.
};

/// A query that sees nothing has zeros as its output and minus infinity as its log-sum-exp.
struct AttentionForward {
  Rows weights; ///< [queries, keys]
  Rows output;  ///< [queries, dim]
  Rows lse;     ///< [queries, 1], to base 2.
};
AttentionForward attend(const Rows &q, const Rows &k, const Rows &v, const AttentionRule &rule);

struct AttentionBackward {
  Rows dq, dk, dv;
  Rows delta; ///< [queries, 1], sums of dO * O.
};
/// Of scores that are not capped.
AttentionBackward attendBackward(const Rows &q, const Rows &k, const Rows &v, const Rows &dOutput,
                                 const AttentionForward &forward, const AttentionRule &rule);

} // namespace tawa::conformance
