// Chooses the instructions that move a tensor between registers and a tile of shared memory, and counts their cycles.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"

namespace tawa {

/// One direction of a move through shared memory.
struct SharedAccessPlan {
  std::optional<StmatrixPlan> matrix; ///< stmatrix or ldmatrix, where that is cheaper
  VectorPlan vector;
  unsigned conflicts = 0; ///< Cycles lost in one warp, counted by BankConflicts.
  unsigned cycles = 0;    ///< All cycles of one warp, conflicts included.
};
/// The cheapest accesses from a tile of shared memory to registers; none when the tile has no place for them.
std::optional<SharedAccessPlan> planSharedRead(const LinearLayout &registers, const LinearLayout &shared,
                                               unsigned elementBits);
/// The same from registers to the tile. Every GPU that the compiler knows has ldmatrix, but not every one stmatrix.
std::optional<SharedAccessPlan> planSharedWrite(const LinearLayout &registers, const LinearLayout &shared,
                                                unsigned elementBits, bool hasStmatrix);

} // namespace tawa
