#include "compiler/target/hopper/TawaToSM90/RingPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tawa {

std::optional<uint32_t> fittingDepth(llvm::ArrayRef<RingPlan> rings, uint32_t excess) {
  uint32_t depth = 0, round = 0; // round: the bytes of one slot of each of the deepest rings
  for (const RingPlan &ring : rings)
    depth = std::max(depth, ring.depth);
  if (depth <= 1)
    return std::nullopt;
  for (const RingPlan &ring : rings)
    if (ring.depth == depth)
      round += ring.slotBytes;
  return depth - std::min(depth, static_cast<uint32_t>(llvm::divideCeil(excess, round)));
}

} // namespace tawa
