// RingDepth: rings whose depth the configuration leaves to the compiler give back slots where shared memory wants them.
#pragma once

#include "compiler/dialect/TT/TT.h"

namespace tawa {

/// Makes such rings of `func` shallower until `excess` bytes are free; false where they have not so much to give.
bool takeSlots(tt::FuncOp func, uint32_t excess);

} // namespace tawa
