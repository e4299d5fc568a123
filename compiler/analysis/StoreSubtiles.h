// StoreSubtiles: a tile stored by TMA may be stored in subtiles, at different times.
#pragma once

#include "compiler/layouts/algebra/StorePanels.h"

#include <algorithm>
#include <cstdint>

namespace tawa {

/// Whether so many bits fit a staging buffer of each warp.
inline bool fitsStoreBuffer(int64_t bits, int64_t warps) { return bits <= warps * kPanelBytes * 8; }

/// Pieces of a tile (`tawa.subtile`) are stored in their order and together are all of it. Each is some of the panels
/// (layouts/algebra/StorePanels.h).
///
/// Into how many pieces `warps` warps cut a tile of so many bits for each to fill a staging buffer: 16 rows by at most
/// 128 bytes of each warp.
inline int32_t storeSubtiles(int64_t bits, int64_t warps) {
  return static_cast<int32_t>(std::max<int64_t>(bits / (warps * kPanelBytes * 8), 1));
}

} // namespace tawa
