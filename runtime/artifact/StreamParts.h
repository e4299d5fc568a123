// StreamParts: into how many parts the sums of a launch's last tiles are cut (stream=1), as the kernel computes it
// (tawa-stream-reduction) and the performance model predicts it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tawa {

/// Parts take time, whoever adds them up: a sum has only a few, or more of many iterations each.
inline constexpr uint32_t kFewParts = 8, kMostParts = 64, kLongPart = 16;

/// Of parts of so many bytes, the most that the CTA which comes last adds up alone. More are added up by all CTAs of
/// the tile, a slice of it by each: some microseconds whatever their number, in which one CTA reads so much.
inline uint32_t mostPartsOfOneReader(uint64_t bytes) {
  constexpr uint64_t kBytes = 512 << 10;
  return static_cast<uint32_t>(std::max<uint64_t>(kBytes / std::max<uint64_t>(bytes, 1), kFewParts));
}

/// Parts that a CTA reads at a time, of so many 32-bit words of each thread: registers hold them, and the sum, until
/// all are there.
inline uint32_t partsAtOnce(uint64_t words) {
  constexpr uint64_t kRegisters = 160, kMost = 8;
  return static_cast<uint32_t>(std::clamp<uint64_t>(kRegisters / std::max<uint64_t>(words, 1), 2, kMost + 1)) - 1;
}

/// For `tiles`, fewer than `ctas`. Tiles times parts are units, which CTAs take in one round or two: as many parts as
/// give each CTA one unit at most, or an odd number of which a third of the CTAs' time, a fifth or a seventh is less.
inline uint32_t streamParts(uint64_t tiles, uint64_t ctas, uint64_t iterations) {
  uint64_t once = ctas / std::max<uint64_t>(tiles, 1), twice = 2 * ctas / std::max<uint64_t>(tiles, 1);
  uint64_t most = std::clamp<uint64_t>(iterations / kLongPart, kFewParts, kMostParts);
  uint64_t parts = twice != 2 * once && twice <= kFewParts ? twice : std::min(once, most);
  return static_cast<uint32_t>(std::max<uint64_t>(std::min(parts, iterations), 1));
}

} // namespace tawa
