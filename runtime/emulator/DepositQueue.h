// Collective operations without results (stmatrix, a wgmma, a commit) do not make their threads wait for each other:
// every thread deposits its operands in the entry of its own sequence number and continues, and the last one performs
// the operation. Threads execute the operations of their warp or warp group in the same order, so entries fill in
// order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tawa::emu {

/// `Entry` has clear(). Entries are recycled, since some hold kilobytes of registers.
template <typename Entry> class DepositQueue {
public:
  using Holder = std::unique_ptr<Entry>;

  /// The entry of sequence number `sequence`, made by whoever asks first.
  Entry &at(uint64_t sequence) {
    while (sequence >= end) {
      if (end - first == ring.size())
        grow();
      slot(end++) = makeEntry();
    }
    return *slot(sequence);
  }

  /// Takes the oldest entry out; give it back with recycle().
  Holder takeFront() { return std::move(slot(first++)); }
  void popFront() { recycle(takeFront()); }
  void recycle(Holder entry) {
    entry->clear();
    spare.push_back(std::move(entry));
  }

  bool empty() const { return first == end; }
  const Entry &front() const { return *ring[first & (ring.size() - 1)]; }
  /// Sequence number of the oldest unfinished entry: all before it are done.
  uint64_t done() const { return first; }

  void reset() {
    while (!empty())
      popFront();
    first = end = 0;
  }

private:
  Holder &slot(uint64_t sequence) { return ring[sequence & (ring.size() - 1)]; }

  void grow() {
    std::vector<Holder> larger(ring.size() * 2);
    for (uint64_t i = first; i < end; ++i)
      larger[i & (larger.size() - 1)] = std::move(slot(i));
    ring = std::move(larger);
  }

  Holder makeEntry() {
    if (spare.empty())
      return std::make_unique<Entry>();
    Holder entry = std::move(spare.back());
    spare.pop_back();
    return entry;
  }

  std::vector<Holder> ring = std::vector<Holder>(8); // a power of two
  std::vector<Holder> spare;
  uint64_t first = 0, end = 0; // sequence numbers in the ring
};

} // namespace tawa::emu
