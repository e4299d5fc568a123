// LiveTiles: the peak size of the tiles that a kernel's threads hold.
//
//   %x = tt.load           f16: 16 KiB live
//   %v = arith.extf %x     f32: 32 KiB live; with one use it is computed there, and %x counts until then
//   %e = math.exp %v       replaces %v, which has no further use
//
// Values that threads can recompute (indices, masks, addresses, splats) do not count. Known before layouts are, so that
// the number of warps may depend on it.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include <cstdint>

namespace tawa {

/// The largest number of bytes of tiles that are live between two operations of the function, taken in their order.
int64_t peakTileBytes(tt::FuncOp func);

/// Bytes of the largest tile that the function loads or stores through pointers.
int64_t largestAccessBytes(tt::FuncOp func);

} // namespace tawa
