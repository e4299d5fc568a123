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
  double median() const;
  /// Median, best and spread of them make a measured row.
  void writeTo(TuneRow &row) const;

private:
  std::vector<double> sorted() const;

  std::vector<double> all; ///< Seconds, in the order in which they were taken.
};

} // namespace tawa
