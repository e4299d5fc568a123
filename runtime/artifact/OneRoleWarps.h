// OneRoleWarps: the warp groups of a kernel that is one role, by its largest tile. tawa-wrap-one-role chooses by it,
// and the performance model predicts what that pass would choose.
#pragma once

#include <cstdint>

namespace tawa {

/// A kernel with a dot has whole warp groups: one, two or four of them.
constexpr uint32_t oneRoleGroups(int64_t elementsOfLargestTile) {
  constexpr int64_t kTwo = 128 * 128, kFour = 256 * 256;
  return elementsOfLargestTile >= kFour ? 4 : elementsOfLargestTile >= kTwo ? 2 : 1;
}

} // namespace tawa
