// Preset: the configuration of a kernel that nothing has been measured for and that no search is wanted for: the few
// settings by which kernels differ most, ranked by the performance model. Tile parameters have their first values;
// sizes that the compiler found in the text may be others.
//
//   split into roles   consumers 2 or 1   persistent 0 or 1   D as many as fit, or 2
//                      split=2, 3, 4 or 8 where so many CTAs for each program find idle multiprocessors, split=2 also
//                      where that gives each two, with D as many as fit, or 8, and P 1 or 2
//   one role           D as many as fit, 2, 3 or 4, where its loops load ahead; consumers=0 where it could be split; of
//                      large tiles also warps=4
//   larger tiles       one size twice the text's, and once more of the fastest, with the settings of several roles, where
//                      the launch takes long enough
//   smaller tiles      where the programs leave half of the multiprocessors idle, as many as these along one dimension,
//                      then along another; twice the size along dimensions of which programs have all
//   computed operands  the same, also with P=2 and converters=1
//   without products   more warps where the programs leave most threads of the GPU idle
//
// stream=1 and dynamic=1 are left to searches: launches of such kernels need memory that only Tawa knows, so that they
// have no tawa_kernel_function().
#pragma once

#include "runtime/tuner/space/SearchSpace.h"

namespace tawa {

/// The usual configuration, unless the model finds another one clearly faster, and those to take if it is refused.
/// Needs neither shapes nor a grid: what is not known is guessed. One query of the compiler, and one more for each
/// thing that may be worth it: a loop over tiles, one role, a larger or smaller tile.
Result<std::vector<Candidate>> choosePreset(const SpaceInput &input);

} // namespace tawa
