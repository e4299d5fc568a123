// WarpExchangePlan.cpp: one region for each operand, aligned to the widest access.
#include "compiler/target/hopper/TawaToSM90/WarpExchangePlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tawa {

static constexpr uint32_t kMaxAccessBytes = 16;

/// `lanes` and `warps` hold no copies of each other.
WarpExchangePlan::WarpExchangePlan(uint32_t parts, uint32_t elements, uint32_t lanes, uint32_t warps,
                                   const std::vector<uint32_t> &elementBytes)
    : parts(parts), places(lanes * elements * warps), lanePlaces(lanes), elementBytes(elementBytes) {
  for (uint32_t size : elementBytes) {
    regions.push_back(bytes);
    bytes += llvm::alignTo(places * parts * size, kMaxAccessBytes);
  }
}

uint32_t WarpExchangePlan::partsPerLoad(uint32_t operand) const {
  return places == 1 ? std::min(parts, kMaxAccessBytes / elementBytes[operand]) : 1;
}

} // namespace tawa
