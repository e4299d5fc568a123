// Which of the ranked plans to simulate. The model's errors are alike for plans that are alike, and of several that it
// finds nearly equal the first ones often differ in little: simulating five of them would be asking one question five
// times.
//
// So the plans are chosen one after the other. The logarithm of simulated over estimated cycles is taken as a Gaussian
// process over plans: where it was seen, it corrects the estimates of similar plans; where it was not, it is uncertain,
// and a plan may be better than its estimate. The next plan is the one with the least corrected estimate, less one
// deviation.
#pragma once

#include "compiler/planner/model/Ranking.h"

namespace tawa::mesh::planner {

/// Ranked plans among which to choose: so many of them, where some are simulated.
constexpr size_t kConsidered = 100;

class PlanChoice {
public:
  explicit PlanChoice(std::span<const RankedPlan> ranked) : ranked(ranked) {}

  /// The number of the next plan to simulate; nothing where all are. The first one is the model's best.
  std::optional<size_t> next() const;
  void learn(size_t plan, double simulatedCycles);

private:
  /// Mean and deviation of the error's logarithm.
  struct Belief {
    double mean, deviation;
  };
  Belief beliefOf(size_t plan) const;

  std::span<const RankedPlan> ranked;
  std::vector<size_t> known;
  std::vector<double> errors;               ///< Of each: logarithm of simulated over estimated cycles.
  std::vector<std::vector<double>> inverse; ///< Of the covariances of what is known.
};

} // namespace tawa::mesh::planner
