// SpaceQuestions: the queries to the compiler about a search space. One query per choice of tile parameters, in the
// least demanding configuration; a few more for facts common to all choices.
#pragma once

#include "runtime/tuner/space/SpaceRules.h"

#include <map>
#include <string>
#include <utility>

namespace tawa {

using TileValues = std::map<std::string, int64_t>;

/// Tile parameters and raster, which changes what a kernel does like one of them. Every entry begins unanswered.
using TileChoices = std::map<std::pair<TileValues, int>, TileChoice>;

/// All choices of tile parameters.
Result<std::vector<TileValues>> tileValuesOf(const SpaceInput &input);

/// Answers every choice that has no answer yet, on as many threads as the input says.
void askChoices(const SpaceInput &input, TileChoices &choices);

/// The answer for the kernel of an answered choice as one role, whatever else it could be.
TileChoice askForOneRole(const SpaceInput &input, const TileChoice &other);

/// The work of the launch in a configuration of an answered choice.
const ProblemWork &workOf(const SpaceInput &input, TileChoice &choice, const KernelConfig &config);

/// The settings of a loop over tiles (persistent, schedule, cluster, raster) that do not apply to any kernel of this
/// text.
WorkSummary askForTileLoop(const SpaceInput &input, const TileValues &tile);

/// The same for a sum that CTAs share (split).
WorkSummary askForSharedSum(const SpaceInput &input, const TileValues &tile);

/// All settings that do not apply to any kernel of this text, whatever its tiles: from configurations that request all.
WorkSummary askForEverything(const SpaceInput &input, const TileValues &tile);

/// What orders the tiles of a text.
struct TileOrders {
  Verdict rasters; ///< Whether rasters have an effect.
  /// Tile parameters that only order: with a raster they change nothing, or, where rasters have no effect, nothing but
  /// which program does what.
  std::vector<std::string> parameters;
};
/// Rasters have none where they do not apply to the kernel, and where a tile parameter orders its tiles. `tile` is any
/// choice.
TileOrders judgeOrders(const SpaceInput &input, const TileValues &tile);

} // namespace tawa
