// mma.sync: products of a warp, entirely in registers.
#pragma once

#include <cstdint>

namespace tawa::emu {

/// Collects the fragments of a warp's lanes. The last lane multiplies.
struct MmaMeeting {
  uint32_t arrived = 0;
  uint32_t types = 0; ///< As EmulatorAbi.def numbers them.
  uint32_t a[32][4];
  uint32_t b[32][2];
  float sums[16][8];
};

} // namespace tawa::emu
