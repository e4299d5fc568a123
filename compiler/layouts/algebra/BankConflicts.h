// Shared-memory bank conflicts of one warp-wide access, counted from the lanes' byte offsets.
//
// Shared memory has 32 banks of 4 bytes and serves 128 bytes per cycle. An access of 4 bytes per lane is one phase of
// 32 lanes, 8 bytes are two phases of 16 lanes, 16 bytes and stmatrix/ldmatrix are phases of 8 lanes. A phase takes as
// many cycles as the fullest bank has different words; each cycle beyond the first is a conflict.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"

#include <array>

namespace tawa {

/// Byte offset of each lane's access.
using LaneOffsets = std::array<uint32_t, 32>;

/// Conflicts of one access of `bytes` (1, 2, 4, 8 or 16) per lane.
unsigned countBankConflicts(const LaneOffsets &offsets, uint32_t bytes);
/// Conflicts of one stmatrix or ldmatrix of 1, 2 or 4 matrices; lane 8 i + r supplies row r of matrix i.
unsigned countMatrixBankConflicts(const LaneOffsets &rowOffsets, unsigned matrices);
/// Conflicts of all accesses of a plan in one warp; each warp has as many.
unsigned countBankConflicts(const StmatrixPlan &plan);
unsigned countBankConflicts(const VectorPlan &plan, uint32_t elementBytes);

} // namespace tawa
