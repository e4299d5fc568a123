// Transposing a tile: from one order in shared memory to another, through registers.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"

#include <array>

namespace tawa {

/// Register layout of `warps` warps through which a tile moves from layout `from` in shared memory to layout `to`: /
/// rectangles that are read and written in the fewest cycles.
LinearLayout transposingRegisters(const LinearLayout &from, const LinearLayout &to, unsigned elementBits,
                                  uint32_t warps);

/// Words of four bytes between registers and shared memory by stmatrix or ldmatrix, which take two bytes as one
/// element. `registers` of the plan are numbers of such pairs.
struct BytePairMoves {
  StmatrixPlan plan;
  unsigned pairBit = 0; ///< The bit of a byte's register number that tells the two bytes of a pair.

  /// The registers of the four bytes, lowest first, of the word whose low half is the pair `low`.
  std::array<uint32_t, 4> bytesOf(uint32_t low) const;
};

/// A tile of bytes transposed by matrix moves: ldmatrix.trans reads pairs adjacent in `from`, stmatrix writes pairs /
/// adjacent in `to`. One ldmatrix reads what one stmatrix stores, in as many words.
struct MatrixTranspose {
  LinearLayout registers; ///< (register, lane, warp) -> element, as they are read.
  BytePairMoves read, write;
  /// In lanes with an odd number of these bits neighbouring registers are swapped before they are written, so that /
  /// rows of a matrix are in different banks.
  uint32_t swappingLanes = 0;

  /// The register, as read, that a lane writes as its register `index`.
  static uint32_t swapped(uint32_t index) { return index ^ 1; }
};

/// None for elements of more than 8 bits, and where the two orders do not run across each other in rows of 16 bytes.
std::optional<MatrixTranspose> transposingMatrices(const LinearLayout &from, const LinearLayout &to,
                                                   unsigned elementBits, uint32_t warps);

} // namespace tawa
