// The names under which a configuration sets the tile sizes of a text that does not declare them as parameters: those
// of its products. The compiler changes them (tawa-retile).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tawa {

/// Rows and columns of a product's result, and the length of its sums; in this order.
inline constexpr std::array<std::string_view, 3> kTileSizes = {"BLOCK_M", "BLOCK_N", "BLOCK_K"};

inline bool isTileSize(std::string_view name) { return std::ranges::find(kTileSizes, name) != kTileSizes.end(); }

} // namespace tawa
