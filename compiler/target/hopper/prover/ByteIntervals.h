// Byte intervals of shared memory.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tawa::verify {

/// Bytes [begin, end), counted from the base of shared memory or of a slot.
struct Range {
  int64_t begin = 0, end = 0;
  bool operator<(const Range &other) const { return begin != other.begin ? begin < other.begin : end < other.end; }
  bool operator==(const Range &) const = default;
};
using ByteIntervals = llvm::SmallVector<Range, 4>;

inline bool meets(const Range &a, const Range &b) { return a.begin < b.end && b.begin < a.end; }
/// Sorted, without overlaps.
ByteIntervals normalize(ByteIntervals ranges);
/// Whether two sorted, disjoint lists overlap.
bool meets(const ByteIntervals &a, const ByteIntervals &b);

} // namespace tawa::verify
