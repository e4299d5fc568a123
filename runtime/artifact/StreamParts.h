// StreamParts: into how many parts the sums of a launch's last tiles are cut (stream=1), as the kernel computes it
// (tawa-stream-reduction) and the performance model predicts it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tawa {

/// The CTA that comes last reads all parts of a tile, which takes as long as some iterations for each.
inline constexpr uint32_t kMostParts = 8;

/// For `tiles`, fewer than `ctas`. Tiles times parts are units, which CTAs take in one round or two: as many parts as
/// give each CTA one unit at most, or an odd number of which a third of the CTAs' time, a fifth or a seventh is less.
inline uint32_t streamParts(uint64_t tiles, uint64_t ctas, uint64_t iterations) {
  uint64_t once = ctas / std::max<uint64_t>(tiles, 1), twice = 2 * ctas / std::max<uint64_t>(tiles, 1);
  uint64_t parts = twice != 2 * once && twice <= kMostParts ? twice : std::min<uint64_t>(once, kMostParts);
  return static_cast<uint32_t>(std::max<uint64_t>(std::min(parts, iterations), 1));
}

} // namespace tawa
