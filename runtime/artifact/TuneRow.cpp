// The choice among rows.
#include "runtime/artifact/TuneRow.h"

#include <limits>
#include <string_view>
#include <utility>

namespace tawa {

/// A configuration has to be this much faster than the default to replace it: less is within the noise of medians.
static constexpr double kClearly = 0.995;

/// The row with this outcome whose `time` is least, 0 meaning unknown; ties are broken by configuration, so that the
/// order of the rows does not matter. -1: there is none.
static int leastOf(std::span<const TuneRow> rows, TuneRow::Outcome outcome, double TuneRow::*time) {
  auto rank = [&](size_t i) {
    double known = rows[i].*time > 0 ? rows[i].*time : std::numeric_limits<double>::infinity();
    return std::pair(known, std::string_view(rows[i].config));
  };
  int best = -1;
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].outcome == outcome && (best < 0 || rank(i) < rank(static_cast<size_t>(best))))
      best = static_cast<int>(i);
  return best;
}

int chooseRow(std::span<const TuneRow> rows) {
  int best = leastOf(rows, TuneRow::Outcome::Measured, &TuneRow::median);
  if (best < 0) {
    int verified = leastOf(rows, TuneRow::Outcome::Verified, &TuneRow::predicted);
    return verified >= 0 ? verified : leastOf(rows, TuneRow::Outcome::Predicted, &TuneRow::predicted);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    bool isEqual = rows[static_cast<size_t>(best)].median > kClearly * rows[i].median;
    if (rows[i].isDefault && rows[i].outcome == TuneRow::Outcome::Measured && isEqual)
      return static_cast<int>(i);
  }
  return best;
}

} // namespace tawa
