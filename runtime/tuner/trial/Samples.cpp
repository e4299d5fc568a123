// Quantiles of measured times.
#include "runtime/tuner/trial/Samples.h"

#include <algorithm>
#include <cmath>

namespace tawa {

static double quantile(const std::vector<double> &sorted, double part) {
  return sorted[static_cast<size_t>(std::lround(part * static_cast<double>(sorted.size() - 1)))];
}

std::vector<double> Samples::sorted() const {
  std::vector<double> times = all;
  std::ranges::sort(times);
  return times;
}

double Samples::median() const { return quantile(sorted(), 0.5); }

void Samples::writeTo(TuneRow &row) const {
  std::vector<double> times = sorted();
  row.outcome = TuneRow::Outcome::Measured;
  row.median = quantile(times, 0.5);
  row.best = times.front();
  row.spread = quantile(times, 0.75) - quantile(times, 0.25);
  row.samples = static_cast<uint32_t>(times.size());
}

} // namespace tawa
