// Panels: how warps divide their parts of an accumulator for TMA stores.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"

namespace tawa {

inline constexpr uint32_t kPanelRows = 16; ///< Of an accumulator: what the lanes of a warp and two registers cover.
inline constexpr uint32_t kPanelRowBytes = 128; ///< The widest swizzle.
inline constexpr uint32_t kPanelBytes = kPanelRows * kPanelRowBytes;

/// One warp's part of a tile in panels of at most 128 bytes by 16 rows, or by as many as fill as much memory where the
/// warp has more of them (of a transposed accumulator it has all rows of few columns). It writes each to a staging
/// buffer of its own and hands it to TMA as one box.
struct StorePanels {
  uint32_t rows = 0, cols = 0; ///< Of one panel.
  Swizzle swizzle = Swizzle::None;
  LinearLayout registers; ///< (register, lane, warp of size 1) -> place in the panel.
  /// The same with registers exchanged within threads, where lanes served together would otherwise conflict; else
  /// equal.
  LinearLayout staged;
  LinearLayout shared;               ///< offset -> place in the panel, swizzled.
  std::vector<unsigned> insideBits;  ///< Bits of the tile's register index that run inside a panel, low to high.
  std::vector<unsigned> outsideBits; ///< Those that choose the panel, low to high.
  unsigned elementBits = 16;
  uint32_t bytes() const { return rows * cols * elementBits / 8; }
};

/// None where a panel would be narrower than the 16 bytes of a TMA box, or a thread's registers do not fill it.
std::optional<StorePanels> planStorePanels(const LinearLayout &tile, unsigned elementBits);

} // namespace tawa
