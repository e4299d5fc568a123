// LiveTiles: how much of a kernel's tiles its threads hold at once.
//
//   %x = tt.load           f16: 16 KiB live
//   %v = arith.extf %x     f32: 32 KiB live; with one reader it would be done there, and %x count until then
//   %e = math.exp %v       takes the place of %v, which nobody reads again
//
// What threads can make anew (indices, masks, addresses, splats) counts as nothing. Known before layouts are, so that
// the number of warps may follow from it.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include <cstdint>

namespace tawa {

/// The largest number of bytes of tiles that are live between two operations of the function, taken in their order.
int64_t peakTileBytes(tt::FuncOp func);

/// Bytes of the largest tile that the function loads or stores through pointers.
int64_t largestAccessBytes(tt::FuncOp func);

} // namespace tawa
