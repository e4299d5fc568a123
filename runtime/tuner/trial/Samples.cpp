// Quantiles of measured times.
#include "runtime/tuner/trial/Samples.h"

#include <algorithm>
#include <cmath>

namespace tawa {

static double quantile(const std::vector<double> &sorted, double part) {
  return sorted[static_cast<size_t>(std::lround(part * static_cast<double>(sorted.size() - 1)))];
}

static std::vector<double> sorted(std::vector<double> times) {
  std::ranges::sort(times);
  return times;
}

double Samples::median() const { return medianOfFirst(all.size()); }

double Samples::medianOfFirst(size_t count) const {
  return quantile(sorted({all.begin(), all.begin() + static_cast<ptrdiff_t>(std::min(count, all.size()))}), 0.5);
}

void Samples::scale(double factor) {
  for (double &seconds : all)
    seconds *= factor;
}

void Samples::writeTo(TuneRow &row) const {
  std::vector<double> times = sorted(all);
  row.outcome = TuneRow::Outcome::Measured;
  row.median = quantile(times, 0.5);
  row.best = times.front();
  row.spread = quantile(times, 0.75) - quantile(times, 0.25);
  row.samples = static_cast<uint32_t>(times.size());
}

} // namespace tawa
