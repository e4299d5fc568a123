// Contest: the configurations of a preset by their predicted times, where some have to be clearly faster than others.
#pragma once

#include "runtime/tuner/space/SpaceQuestions.h"

#include <map>
#include <span>
#include <vector>

namespace tawa {

/// Programs of a launch.
int64_t programsOf(const TileChoice &choice);

class Contest {
public:
  /// `usual` is what is taken unless another one is clearly faster. Both outlive the contest.
  explicit Contest(const SpaceInput &input, const KernelConfig &usual) : input(input), usual(usual) {}

  /// Of one tile, those that the rules allow. `probe`: settings that do not apply to any kernel of the text. `ofTile`:
  /// what a time counts for where the tile is another than the usual one, against 1 for that.
  void enter(TileChoice &choice, const WorkSummary &probe, std::span<const KernelConfig> configs, double ofTile = 1);
  /// Of a kernel of several roles. Whether it follows a setting, the compiler is asked only where a configuration that
  /// has it would win.
  void enterRoles(TileChoice &choice, std::span<const KernelConfig> configs, double ofTile = 1);

  const KernelConfig &winner() const;
  double seconds() const; ///< Predicted, of the winner; 0 where nothing entered.
  /// The winner, and those that come next, for a compiler that refuses it.
  std::vector<Candidate> ranking() const;

private:
  const SpaceInput &input;
  const KernelConfig &usual;
  std::multimap<double, Candidate> entries; ///< By what their seconds count for; of equal ones the first stays ahead.
};

} // namespace tawa
