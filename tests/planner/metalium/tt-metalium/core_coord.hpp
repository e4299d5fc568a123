// Coordinates of cores. A test fixture.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tt::tt_metal {
struct CoreCoord {
  size_t x = 0, y = 0;
};
struct CoreRange {
  CoreRange(const CoreCoord &start, const CoreCoord &end) : start_coord(start), end_coord(end) {}
  CoreCoord start_coord, end_coord; ///< Both inclusive.
};
} // namespace tt::tt_metal
