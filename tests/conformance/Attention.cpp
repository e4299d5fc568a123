// Softmax attention and its gradients by loops over all keys and queries.
#include "tests/conformance/Attention.h"

#include <cmath>
#include <limits>

namespace tawa::conformance {

namespace {

double dotOf(const Rows &a, int64_t i, const Rows &b, int64_t j) {
  double sum = 0;
  for (int64_t d = 0; d < a.width; ++d)
    sum += a.at(i, d) * b.at(j, d);
  return sum;
}

/// row += factor * other row
void addRow(Rows &sums, int64_t i, double factor, const Rows &rows, int64_t j) {
  for (int64_t d = 0; d < sums.width; ++d)
    sums.at(i, d) += factor * rows.at(j, d);
}

/// Scores of one query, minus infinity where it does not see.
std::vector<double> scoresOf(const Rows &q, int64_t query, const Rows &k, const AttentionRule &rule) {
  std::vector<double> scores(k.count, -std::numeric_limits<double>::infinity());
  for (int64_t key = 0; key < k.count; ++key)
    if (rule.sees(query, key)) {
      double score = rule.scale * dotOf(q, query, k, key);
      scores[key] = rule.cap == 0 ? score : rule.cap * std::tanh(score / rule.cap);
    }
  return scores;
}

} // namespace

AttentionForward attend(const Rows &q, const Rows &k, const Rows &v, const AttentionRule &rule) {
  AttentionForward result{Rows(q.count, k.count), Rows(q.count, v.width), Rows(q.count, 1)};
  for (int64_t query = 0; query < q.count; ++query) {
    std::vector<double> scores = scoresOf(q, query, k, rule);
    double sum = 0;
    for (double score : scores)
      sum += std::exp(score);
    result.lse.at(query, 0) = std::log2(sum);
    for (int64_t key = 0; key < k.count && sum != 0; ++key) {
      result.weights.at(query, key) = std::exp(scores[key]) / sum;
      addRow(result.output, query, result.weights.at(query, key), v, key);
    }
  }
  return result;
}

AttentionBackward attendBackward(const Rows &q, const Rows &k, const Rows &v, const Rows &dOutput,
                                 const AttentionForward &forward, const AttentionRule &rule) {
  AttentionBackward result{Rows(q.count, q.width), Rows(k.count, k.width), Rows(v.count, v.width), Rows(q.count, 1)};
  for (int64_t query = 0; query < q.count; ++query) {
    double delta = result.delta.at(query, 0) = dotOf(dOutput, query, forward.output, query);
    for (int64_t key = 0; key < k.count; ++key) {
      double weight = forward.weights.at(query, key);
      double dScore = weight * (dotOf(dOutput, query, v, key) - delta);
      addRow(result.dv, key, weight, dOutput, query);
      addRow(result.dq, query, rule.scale * dScore, k, key);
      addRow(result.dk, key, rule.scale * dScore, q, query);
    }
  }
  return result;
}

} // namespace tawa::conformance
