// Stage: the number of launches of a trial's candidates. Single launches of 15 us have a quartile distance of 5 %, the
// median of 60 of them varies within 0.7 %, and that of 300 within 0.3 %.
#pragma once

#include <algorithm>
#include <cmath>

namespace tawa {

struct Stage {
  const char *name;
  double seconds;   ///< Until its launches have taken so long, as short ones scatter more than they differ;
  int fewest, most; ///< but so often at least, and at most.
  int enough;       ///< Rounds after which candidates that cannot become the fastest are dropped:
  double hopeless;  ///< those that take this many times as long as the fastest.

  int roundsFor(double launch) const {
    return static_cast<int>(std::lround(std::clamp(seconds / launch, double(fewest), double(most))));
  }
};

inline constexpr Stage kHeats{"measure", 5e-3, 3, 30, 10, 1.3};
inline constexpr Stage kFinals{"finals", 15e-3, 5, 300, 60, 1.03};

} // namespace tawa
