// BlockTraffic: the memory traffic of one load or store of a block, counted as memory and TMA count: bytes, rows
// outside of the tensor, and lines of L2.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/artifact/WorkSummary.h"

#include <span>

namespace tawa {

struct BlockTraffic {
  double bytes = 0;      ///< Inside the tensor.
  double absentRows = 0; ///< Of 128 bytes at most, of TMA boxes, outside of it.
  /// Lines of 128 bytes that rows touch: a row that straddles two fetches both, and one of 64 bytes takes as long as a
  /// whole line.
  double lines = 0;
  double brokenLines = 0; ///< Likewise, of rows that do not all begin with a sector of 32 bytes.
};

/// `places` is the position of the block, per dimension of the tensor; empty where unknown, as where `tensor` is null:
/// then nothing is outside, and lines are whole.
BlockTraffic trafficOf(const WorkAccess &access, std::span<const int64_t> places, const ArgumentValue *tensor);

} // namespace tawa
