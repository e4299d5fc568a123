// Stage: the number of measurements of a trial's candidates. Single launches of 15 us have a quartile distance of 5 %,
// the median of 60 of them varies within 0.7 %, and that of 300 within 0.3 %; a measurement is the mean of two
// launches.
#pragma once

#include <algorithm>
#include <cmath>

namespace tawa {

struct Stage {
  const char *name;
  double seconds;   ///< Until its launches have taken so long, as short ones scatter more than they differ;
  int fewest, most; ///< but so often at least, and at most.
  int enough;       ///< After so many rounds, and as many again, candidates that cannot become the fastest are dropped:
  double hopeless;  ///< those that take this many times as long as the fastest after the first of these.

  /// Medians vary by the square root of their samples.
  double hopelessAfter(int rounds) const { return 1 + (hopeless - 1) * std::sqrt(double(enough) / rounds); }

  int roundsFor(double launch) const {
    return static_cast<int>(std::lround(std::clamp(seconds / launch, double(fewest), double(most))));
  }
};

inline constexpr Stage kHeats{"measure", 5e-3, 3, 30, 10, 1.3};
inline constexpr Stage kFinals{"finals", 8e-3, 5, 100, 25, 1.035};

} // namespace tawa
