// OneRoleWarps: warps of a kernel that is one role. tawa-wrap-one-role chooses by them, the performance model predicts
// what that pass would choose, and presets ask for more where a launch has few programs.
#pragma once

#include <cstdint>

namespace tawa {

/// A kernel with a dot has whole warp groups: one, two or four of them.
constexpr uint32_t oneRoleGroups(int64_t elementsOfLargestTile) {
  constexpr int64_t kTwo = int64_t{128} * 128, kFour = int64_t{256} * 256;
  return elementsOfLargestTile >= kFour ? 4 : elementsOfLargestTile >= kTwo ? 2 : 1;
}

/// The most of a kernel without a dot: more only synchronize. A power of two.
inline constexpr uint32_t kMostWarpsWithoutDot = 8;

} // namespace tawa
