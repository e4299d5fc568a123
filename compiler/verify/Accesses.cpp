// See Accesses.h.
#include "compiler/verify/Accesses.h"

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

static bool overlaps(const Ranges &a, const Ranges &b) {
  return llvm::any_of(a, [&](const Range &mine) {
    return llvm::any_of(b, [&](const Range &other) { return mine.begin < other.end && other.begin < mine.end; });
  });
}

static bool contains(const Ranges &outer, const Ranges &inner) {
  return llvm::all_of(inner, [&](const Range &range) {
    return llvm::any_of(outer, [&](const Range &all) { return all.begin <= range.begin && range.end <= all.end; });
  });
}

static bool writes(const Access &access) {
  return access.kind == AccessKind::Write || access.kind == AccessKind::AsyncWrite;
}

std::optional<unsigned> AccessTable::find(AccessKind kind, mlir::Operation *op, unsigned agent, unsigned part,
                                          llvm::ArrayRef<Range> ranges) {
  auto &candidates = numbers[{op, part * kMostAgents + agent}];
  for (unsigned index : candidates)
    if (accesses[index].kind == kind && llvm::ArrayRef(accesses[index].ranges) == ranges)
      return index;
  if (accesses.size() == Bits::kSize)
    return std::nullopt;
  unsigned index = accesses.size();
  candidates.push_back(index);
  accesses.push_back({kind, op, agent, Ranges(ranges)});
  relate(index);
  return index;
}

void AccessTable::relate(unsigned index) {
  const Access &added = accesses[index];
  conflicting.emplace_back();
  covering.emplace_back();
  if (added.ranges.empty())
    withoutBytes.set(index);
  if (added.kind == AccessKind::Write)
    generic.set(index);
  if (added.kind == AccessKind::AsyncWrite) { // a slot is not written again before its last write has landed
    async.set(index);
    conflicting[index].set(index);
  }
  for (unsigned other = 0; other < index; ++other) {
    const Access &known = accesses[other];
    if (!overlaps(added.ranges, known.ranges))
      continue;
    // Threads that execute one store write places of their own: a layout gives each element to one of them.
    bool sameStore = added.op == known.op && added.kind == AccessKind::Write && known.kind == AccessKind::Write;
    if ((writes(added) || writes(known)) && !sameStore) {
      conflicting[index].set(other);
      conflicting[other].set(index);
    }
    if (writes(added) && contains(added.ranges, known.ranges))
      covering[index].set(other);
    if (writes(known) && contains(known.ranges, added.ranges))
      covering[other].set(index);
  }
}

} // namespace tawa::verify
