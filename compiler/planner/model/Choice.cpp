#include "compiler/planner/model/Choice.h"

#include <algorithm>
#include <cmath>

namespace tawa::mesh::planner {
namespace {

/// Deviation of the model's error, as a logarithm: its mean on plans near the fastest (docs/planner-study.md).
constexpr double kDeviation = 0.04;
/// Of the variance, the part that plans do not share however alike they are.
constexpr double kOwnPart = 0.1;

/// How much plans differ; covariances fall with its exponential.
double distance(const Plan &a, const Plan &b) {
  auto unless = [](bool equal, double weight) { return equal ? 0 : weight; };
  double sum = unless(a.waves == b.waves, 0.2);
  sum += unless(std::ranges::equal(a.splits, b.splits, {}, &GridSplit::spatial, &GridSplit::spatial), 0.5);
  for (size_t i = 0; i < a.loads.size(); ++i) {
    const LoadPlan &one = a.loads[i], &other = b.loads[i];
    auto tileBytes = [](const LoadPlan &load) {
      return static_cast<double>(load.bytes) / static_cast<double>(load.tiles * load.slots);
    };
    sum += unless(one.movement == other.movement && one.along == other.along, 0.5);
    sum += unless(one.level == other.level, 0.5);
    sum += 0.3 * std::abs(std::log2(tileBytes(one) / tileBytes(other)));
  }
  return sum;
}

double covariance(const Plan &a, const Plan &b) { return std::exp(-distance(a, b)); }

/// Gauss and Jordan; the matrix is symmetric and its diagonal the largest.
std::vector<std::vector<double>> inverseOf(std::vector<std::vector<double>> matrix) {
  size_t size = matrix.size();
  std::vector<std::vector<double>> inverse(size, std::vector<double>(size));
  for (size_t i = 0; i < size; ++i)
    inverse[i][i] = 1;
  for (size_t pivot = 0; pivot < size; ++pivot) {
    double scale = 1 / matrix[pivot][pivot];
    for (size_t column = 0; column < size; ++column)
      matrix[pivot][column] *= scale, inverse[pivot][column] *= scale;
    for (size_t row = 0; row < size; ++row) {
      if (row == pivot)
        continue;
      double factor = matrix[row][pivot];
      for (size_t column = 0; column < size; ++column) {
        matrix[row][column] -= factor * matrix[pivot][column];
        inverse[row][column] -= factor * inverse[pivot][column];
      }
    }
  }
  return inverse;
}

} // namespace

std::optional<size_t> PlanChoice::next() const {
  std::optional<size_t> best;
  double least = 0;
  for (size_t plan = 0; plan < ranked.size(); ++plan) {
    if (std::ranges::find(known, plan) != known.end())
      continue;
    Belief belief = beliefOf(plan);
    double cycles = std::log(ranked[plan].plan.estimate.cycles) + belief.mean - belief.deviation;
    if (!best || cycles < least) {
      best = plan;
      least = cycles;
    }
  }
  return best;
}

PlanChoice::Belief PlanChoice::beliefOf(size_t plan) const {
  std::vector<double> shared;
  shared.reserve(known.size());
  for (size_t other : known)
    shared.push_back(covariance(ranked[plan].plan, ranked[other].plan));
  double mean = 0, explained = 0;
  for (size_t i = 0; i < known.size(); ++i)
    for (size_t j = 0; j < known.size(); ++j) {
      mean += shared[i] * inverse[i][j] * errors[j];
      explained += shared[i] * inverse[i][j] * shared[j];
    }
  return {mean, kDeviation * std::sqrt(std::max(0.0, 1 - explained))};
}

void PlanChoice::learn(size_t plan, double simulatedCycles) {
  known.push_back(plan);
  errors.push_back(std::log(simulatedCycles / ranked[plan].plan.estimate.cycles));
  std::vector<std::vector<double>> covariances(known.size(), std::vector<double>(known.size()));
  for (size_t i = 0; i < known.size(); ++i)
    for (size_t j = 0; j < known.size(); ++j)
      covariances[i][j] = covariance(ranked[known[i]].plan, ranked[known[j]].plan) + (i == j ? kOwnPart : 0);
  inverse = inverseOf(std::move(covariances));
}

} // namespace tawa::mesh::planner
