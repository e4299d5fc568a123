// See Ranges.h.
#include "compiler/verify/Ranges.h"

#include "llvm/ADT/STLExtras.h"

namespace tawa::verify {

Ranges normalize(Ranges ranges) {
  llvm::sort(ranges);
  Ranges merged;
  for (const Range &range : ranges) {
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  }
  return merged;
}

bool meets(const Ranges &a, const Ranges &b) {
  for (auto mine = a.begin(), other = b.begin(); mine != a.end() && other != b.end();) {
    if (meets(*mine, *other))
      return true;
    ++(mine->end <= other->begin ? mine : other);
  }
  return false;
}

} // namespace tawa::verify
