// TileSteps: tiles of other sizes than the text's in a contest, from the fastest so far to those beside it. Each is a
// query of the compiler, so only those that promise something are asked about.
#pragma once

#include "runtime/tuner/space/Contest.h"

#include <functional>

namespace tawa {

/// The configurations to enter for a tile, which that given has.
struct TileConfigs {
  std::function<std::vector<KernelConfig>(const KernelConfig &, const TileChoice &)> ofRoles, ofOneRole;
};

/// Tiles that load less for each product, or need fewer iterations: upwards as long as that helps, along two dimensions
/// where along none it does. Of short launches the model knows too little.
void enterLargerTiles(const SpaceInput &input, const KernelConfig &usual, const TileConfigs &configs, Contest &contest);

/// Where the programs of `choice`, the text's tile, leave multiprocessors idle: along dimensions of results tiles of
/// which there are as many as multiprocessors, along others such of twice the size, with which a program needs fewer
/// iterations.
void enterSmallerTiles(const SpaceInput &input, const KernelConfig &usual, const TileChoice &choice,
                       const TileConfigs &configs, Contest &contest);

} // namespace tawa
