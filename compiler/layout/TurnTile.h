// Turning a tile: from one order in shared memory to another, through registers.
#pragma once

#include "compiler/layout/HopperLayouts.h"

namespace tawa {

/// Registers of `warps` warps through which a tile goes from layout `from` in shared memory to layout `to`: rectangles
/// that are read and written in the fewest cycles.
LinearLayout turningRegisters(const LinearLayout &from, const LinearLayout &to, unsigned elementBits, uint32_t warps);

} // namespace tawa
