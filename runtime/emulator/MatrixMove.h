// stmatrix and ldmatrix: 8x8 matrices of 16-bit elements between a warp's registers and rows of shared memory.
#pragma once

#include <cstdint>

namespace tawa::emu {

/// A stmatrix whose lanes are still coming. The last lane stores all rows.
struct MatrixStore {
  uint32_t lanes = 0;
  uint32_t count = 0;
  uint32_t transpose = 0;
  uint32_t address[32];
  uint32_t registers[32][4];
  void clear() { lanes = 0; }
};

} // namespace tawa::emu
