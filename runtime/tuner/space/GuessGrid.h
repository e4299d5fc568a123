// GuessGrid: how many programs a launch most likely has, where neither the caller nor the text says.
#pragma once

#include "runtime/tuner/space/SearchSpace.h"

namespace tawa {

/// As many along each axis as put blocks beside each other in a result; else as many in all as write the largest
/// result; else those that masks leave something to do, or SpaceInput::assumedPrograms.
std::array<uint32_t, 3> guessGrid(const SpaceInput &input, const WorkSummary &summary);

} // namespace tawa
