// Plans the exchange of partial results between warps through scratch, as numbers (no MLIR).
#pragma once

#include <cstdint>
#include <vector>

namespace tawa {

/// Each of `parts` warps writes its part of every element. Parts of one place are apart, so that neighbouring lanes
/// access neighbouring words; with a single place, the parts are neighbours.
struct WarpExchangePlan {
  uint32_t parts = 0;                          ///< Warps that take part.
  uint32_t places = 0;                         ///< Of all elements in lanes and warps that hold no copies.
  uint32_t lanePlaces = 0;                     ///< Of one element in one warp.
  std::vector<uint32_t> elementBytes, regions; ///< Per operand; regions: byte offsets.
  uint32_t bytes = 0;                          ///< Of all regions.

  WarpExchangePlan(uint32_t parts, uint32_t elements, uint32_t lanes, uint32_t warps,
                   const std::vector<uint32_t> &elementBytes);

  /// From one part of an element to the next.
  uint32_t partStride(uint32_t operand) const { return places * elementBytes[operand]; }
  /// Of an element's first part at place 0.
  uint32_t offsetOf(uint32_t operand, uint32_t element) const {
    return regions[operand] + element * lanePlaces * elementBytes[operand];
  }
  /// Parts that one access reads.
  uint32_t partsPerLoad(uint32_t operand) const;
};

} // namespace tawa
