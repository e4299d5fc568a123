// Random tile programs from a seed: valid Triton IR whose every result the text defines (up to rounding), with the
// launch that goes with it. Numbers are kept in ranges where nothing overflows or divides by nothing, addresses inside
// of their tensors, loops short. Every operation that the language has in tiles is drawn; README.md of this folder has
// the list.
#pragma once

#include "tests/conformance/TileProgram.h"

namespace tawa::conformance {

/// The program number `index` of a seed; always the same.
TileProgram generateProgram(uint32_t seed, uint32_t index);

} // namespace tawa::conformance
