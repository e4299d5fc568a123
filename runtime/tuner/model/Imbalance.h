// Imbalance: how much more the CTA has to do that has most than all have on average, where tiles are not equally long.
#pragma once

#include <cstdint>
#include <vector>

namespace tawa {

struct Imbalance {
  double dealt = 1; ///< Every CTA has each so-manieth tile, and every other section is turned around.
  double taken = 1; ///< Whoever is free takes the next.
  bool operator==(const Imbalance &) const = default;
};

/// `lengths` of tiles in the order of the grid, where tiles of a section follow each other from the longest on; for so
/// many CTAs at a time.
Imbalance imbalanceOf(std::vector<double> lengths, uint32_t ctas);

} // namespace tawa
