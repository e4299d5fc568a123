// Collective operations that give their threads no result (stmatrix, a wgmma, a commit) do not make them wait for each
// other: every thread leaves its operands in the entry of its own sequence number and goes on, and the last one to come
// carries the operation out. Threads meet the operations of their warp or warp group in the same order, so entries fill
// in order.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace tawa::emu {

/// `Entry` has clear(). Entries are recycled, since some hold kilobytes of registers.
template <typename Entry> class DepositQueue {
public:
  using Holder = std::unique_ptr<Entry>;

  /// The entry of sequence number `sequence`, made by whoever asks first.
  Entry &at(uint64_t sequence) {
    while (sequence - first >= entries.size())
      entries.push_back(makeEntry());
    return *entries[sequence - first];
  }

  /// Takes the oldest entry out; give it back with recycle().
  Holder takeFront() {
    Holder entry = std::move(entries.front());
    entries.pop_front();
    ++first;
    return entry;
  }
  void popFront() { recycle(takeFront()); }
  void recycle(Holder entry) {
    entry->clear();
    spare.push_back(std::move(entry));
  }

  bool empty() const { return entries.empty(); }
  const Entry &front() const { return *entries.front(); }
  /// Sequence number of the oldest unfinished entry: all before it are done.
  uint64_t done() const { return first; }

  void reset() {
    while (!entries.empty())
      popFront();
    first = 0;
  }

private:
  Holder makeEntry() {
    if (spare.empty())
      return std::make_unique<Entry>();
    Holder entry = std::move(spare.back());
    spare.pop_back();
    return entry;
  }

  std::deque<Holder> entries;
  std::vector<Holder> spare;
  uint64_t first = 0;
};

} // namespace tawa::emu
