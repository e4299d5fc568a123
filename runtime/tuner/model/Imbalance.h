// Imbalance: the load of the most loaded CTA relative to the average, where tiles are not equally long.
#pragma once

#include <cstdint>
#include <vector>

namespace tawa {

struct Imbalance {
  double dealt = 1; ///< CTAs take tiles round-robin, and every other section is reversed.
  double taken = 1; ///< Whoever is free takes the next.
  double least = 1; ///< However they are assigned: one CTA has the longest tile.
  bool operator==(const Imbalance &) const = default;
};

/// `lengths` of tiles in the order of the grid, where the tiles of a section are in descending order; for `ctas` CTAs
/// at a time.
Imbalance imbalanceOf(std::vector<double> lengths, uint32_t ctas);

} // namespace tawa
