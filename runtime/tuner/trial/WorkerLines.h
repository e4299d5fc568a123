// WorkerLines: what a worker says, read and written. Isolation.h has the lines.
#pragma once

#include "runtime/tuner/trial/Isolation.h"

#include <istream>
#include <string>
#include <tuple>

namespace tawa {

/// "row 3 measured 7.1e-05 7.0e-05 1e-07 15" and, of a failure, the reason.
std::string rowLine(size_t index, const TuneRow &row);
std::string oneLine(std::string text);

/// One worker's progress, according to its lines. Beyond their form they are not trusted, and repetitions are ignored.
class WorkerLines {
public:
  /// `remaining`: what the candidates of its job are among all; `rows`: of all.
  WorkerLines(const IsolationInput &input, std::span<const size_t> remaining, std::vector<TuneRow> &rows)
      : input(input), remaining(remaining), rows(rows), phases(remaining.size()) {}

  Heard hear(std::string_view line);

  /// Its last activity: on a candidate, or on none of them.
  std::string phase() const { return busyWith < 0 ? generalPhase : phases[static_cast<size_t>(busyWith)]; }

  int busyWith = -1; ///< Position among the remaining.
  bool wasCompiling = false;
  bool hasSpoken = false;
  bool hasEnded = false;
  Status failure;
  std::vector<size_t> failed; ///< Positions among all candidates.

private:
  bool isKnown(int config) const { return config >= -1 && config < static_cast<int>(remaining.size()); }
  Heard hearStage(std::istream &words);
  Heard hearPhase(std::istream &words);
  Heard hearRow(std::istream &words);
  Heard hearEnd(std::istream &words);

  const IsolationInput &input;
  std::span<const size_t> remaining;
  std::vector<TuneRow> &rows;
  std::vector<std::string> phases; ///< Of the remaining.
  std::string generalPhase;
  std::tuple<std::string, int, uint32_t, uint32_t> last;
};

} // namespace tawa
