// What is done to shared memory, and who knows that it is over.
//
// An access is something one agent does at one place of its program to certain bytes; doing it again (in the next
// round) renews it. For every agent and barrier there is a set of accesses whose latest execution is known to be
// complete. Barriers hand such sets on. That is a vector clock in which only the last event of each kind counts, so it
// has finitely many values.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir {
class Operation;
}

namespace tawa::verify {

/// A small set of numbers.
class Bits {
public:
  static constexpr unsigned kWords = 12, kSize = kWords * 64;
  void set(unsigned index) { words[index / 64] |= uint64_t(1) << index % 64; }
  void reset(unsigned index) { words[index / 64] &= ~(uint64_t(1) << index % 64); }
  bool test(unsigned index) const { return words[index / 64] >> index % 64 & 1; }
  bool any() const {
    for (uint64_t word : words)
      if (word)
        return true;
    return false;
  }
  std::optional<unsigned> first() const {
    for (unsigned word = 0; word < kWords; ++word)
      if (words[word])
        return word * 64 + __builtin_ctzll(words[word]);
    return std::nullopt;
  }
  Bits &operator|=(const Bits &other) {
    for (unsigned word = 0; word < kWords; ++word)
      words[word] |= other.words[word];
    return *this;
  }
  /// Without those of the other.
  Bits &operator-=(const Bits &other) {
    for (unsigned word = 0; word < kWords; ++word)
      words[word] &= ~other.words[word];
    return *this;
  }
  Bits &operator&=(const Bits &other) {
    for (unsigned word = 0; word < kWords; ++word)
      words[word] &= other.words[word];
    return *this;
  }
  friend Bits operator&(Bits a, const Bits &b) { return a &= b; }
  friend Bits operator-(Bits a, const Bits &b) { return a -= b; }
  bool operator==(const Bits &) const = default;
  const std::array<uint64_t, kWords> &raw() const { return words; }

private:
  std::array<uint64_t, kWords> words{};
};

/// Accesses known to be complete, and those of them whose writes the async proxy sees as well.
struct Known {
  Bits done, visible;
  Known &operator|=(const Known &other) {
    done |= other.done;
    visible |= other.visible;
    return *this;
  }
  void forget(unsigned access) {
    done.reset(access);
    visible.reset(access);
  }
  bool operator==(const Known &) const = default;
};

/// Bytes [begin, end) of shared memory, counted from its base.
struct Range {
  int64_t begin = 0, end = 0;
  bool operator<(const Range &other) const { return std::pair(begin, end) < std::pair(other.begin, other.end); }
  bool operator==(const Range &) const = default;
};
using Ranges = llvm::SmallVector<Range, 4>;
/// Sorted, without overlaps.
Ranges normalize(Ranges ranges);

inline constexpr unsigned kMostAgents = 64;

enum class AccessKind : uint8_t {
  Read,       ///< By an ordinary load.
  Write,      ///< By an ordinary store or cp.async.
  AsyncRead,  ///< By wgmma or a TMA store.
  AsyncWrite, ///< By a TMA load.
  Wait,       ///< An agent has seen the last phase of a barrier. No bytes.
  Phase,      ///< A barrier has completed its last phase. No bytes.
  Init,       ///< The barriers have been made. No bytes.
};

struct Access {
  AccessKind kind = AccessKind::Read;
  mlir::Operation *op = nullptr;
  unsigned agent = 0;
  Ranges ranges;
};

/// All accesses met so far in any state, numbered.
class AccessTable {
public:
  /// The number of the access that agent `agent` makes at `op` to these bytes, `part` telling apart those of several
  /// lanes. None when there are too many.
  std::optional<unsigned> find(AccessKind kind, mlir::Operation *op, unsigned agent, unsigned part,
                               llvm::ArrayRef<Range> ranges = {});

  const Access &operator[](unsigned index) const { return accesses[index]; }
  size_t size() const { return accesses.size(); }
  /// Those that touch the same bytes, one of the two writing.
  const Bits &conflicts(unsigned index) const { return conflicting[index]; }
  /// Those of whose bytes this one leaves nothing.
  const Bits &covered(unsigned index) const { return covering[index]; }
  /// Writes that the async proxy only sees behind a fence.
  const Bits &genericWrites() const { return generic; }
  const Bits &asyncWrites() const { return async; }
  /// No bytes: what is known of barriers.
  const Bits &events() const { return withoutBytes; }

private:
  void relate(unsigned index);

  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, llvm::SmallVector<unsigned, 4>> numbers;
  std::vector<Access> accesses;
  std::vector<Bits> conflicting, covering;
  Bits generic, async, withoutBytes;
};

} // namespace tawa::verify
