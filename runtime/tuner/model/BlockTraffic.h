// BlockTraffic: what one load or store of a block moves, counted as memory and TMA count: bytes, rows that are not
// there, and lines of L2.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/artifact/WorkSummary.h"

#include <span>

namespace tawa {

struct BlockTraffic {
  double bytes = 0;      ///< Inside the tensor.
  double absentRows = 0; ///< Of 128 bytes at most, of TMA boxes, outside of it.
  /// Of 128 bytes, that rows touch: one that straddles two fetches both, and one of 64 bytes takes as long as a whole
  /// one.
  double lines = 0;
  double brokenLines = 0; ///< Likewise, of rows that do not all begin with a sector of 32 bytes.
};

/// `places` are where the block begins, per dimension of the tensor; empty where that is not known, as where `tensor`
/// is null: then nothing lies outside, and lines are whole.
BlockTraffic trafficOf(const WorkAccess &access, std::span<const int64_t> places, const ArgumentValue *tensor);

} // namespace tawa
