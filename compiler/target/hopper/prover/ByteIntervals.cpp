// Normal form and intersection of lists of byte intervals.
#include "compiler/target/hopper/prover/ByteIntervals.h"

#include "llvm/ADT/STLExtras.h"

namespace tawa::verify {

ByteIntervals normalize(ByteIntervals ranges) {
  llvm::sort(ranges);
  ByteIntervals merged;
  for (const Range &range : ranges) {
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  }
  return merged;
}

bool meets(const ByteIntervals &a, const ByteIntervals &b) {
  for (auto mine = a.begin(), other = b.begin(); mine != a.end() && other != b.end();) {
    if (meets(*mine, *other))
      return true;
    ++(mine->end <= other->begin ? mine : other);
  }
  return false;
}

} // namespace tawa::verify
