// Tensors that a tile program both reads and writes. Plans move loads before stores of the text, keep what they loaded
// and run programs at the same time, so that a load may only see what was there before the launch.
#pragma once

#include "runtime/mesh/TileProgram.h"

namespace tawa {

/// The first load, as its access in the program, of an element that another program of the grid stores, or the same one
/// before; null where there is none. Elements are told apart by blocks that all accesses are made of; where these are
/// too many to go through, every load of a tensor that is stored counts.
const mesh::TileAccess *findLateLoad(const mesh::TileProgram &program);

} // namespace tawa
