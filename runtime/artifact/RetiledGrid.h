// RetiledGrid: how many programs a launch starts of a kernel whose tile sizes the compiler changed (tawa-retile), or
// whose own loop over tiles it left out (tawa-grid-from-tile-loop). Callers ask for the grid of the text as it is
// written, whatever the configuration says.
//
// Expressions (runtime/support/Expression.h) are over the arguments, as those of TensorMapRecipe, and over g0, g1 and
// g2: the programs that were asked for along x, y and z.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tawa {

struct RetiledGrid {
  std::array<std::string, 3> programs; ///< By axis; empty: as many as were asked for.
  /// Each is 0 where these programs cover what those of the text cover; otherwise the launch is refused.
  std::vector<std::string> zeros;
  /// Programs that walk the tiles in the text: resident CTAs are on no more multiprocessors. Empty: the text walks
  /// none.
  std::string walkers;
  bool isRetiled() const { return !zeros.empty() || programs != std::array<std::string, 3>{}; }
  bool operator==(const RetiledGrid &) const = default;
};

} // namespace tawa
