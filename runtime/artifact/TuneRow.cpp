// The choice among rows.
#include "runtime/artifact/TuneRow.h"

#include <limits>

namespace tawa {

/// A configuration has to be this much faster than the default to replace it: less is within the noise of medians.
static constexpr double kClearly = 0.995;

/// The first of the rows with this outcome whose `time` is least, 0 standing for one that nobody knows; -1: there is
/// none.
static int leastOf(std::span<const TuneRow> rows, TuneRow::Outcome outcome, double TuneRow::*time) {
  auto known = [&](const TuneRow &row) { return row.*time > 0 ? row.*time : std::numeric_limits<double>::infinity(); };
  int best = -1;
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].outcome == outcome && (best < 0 || known(rows[i]) < known(rows[static_cast<size_t>(best)])))
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
