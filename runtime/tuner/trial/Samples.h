// Samples: measured times of one candidate.
#pragma once

#include "runtime/artifact/TuneRow.h"

#include <vector>

namespace tawa {

class Samples {
public:
  void add(double seconds) { all.push_back(seconds); }
  void clear() { all.clear(); }
  bool empty() const { return all.empty(); }
  double last() const { return all.back(); }
  size_t count() const { return all.size(); }
  double median() const;
  /// Of those that were taken first, up to `count`.
  double medianOfFirst(size_t count) const;
  void scale(double factor);
  /// Median, best and spread of them make a measured row.
  void writeTo(TuneRow &row) const;

private:
  std::vector<double> all; ///< Seconds, in the order in which they were taken.
};

} // namespace tawa
