// Happens-before race detection on shared memory (the FastTrack scheme, with asynchronous agents and two proxies).
//
// For every 16 bytes the shadow holds the last write and the reads since, each as an epoch: an agent and a tick of its
// clock. An access is a race when an earlier conflicting epoch is not covered by the accessor's knowledge. Agents learn
// of each other only through what the PTX memory model orders: barriers, mbarrier completion, waits. So a missing
// synchronization is detected in every schedule, not only in an unlucky one.
//
// Agents are warps, not threads: a missing __syncwarp is not detected.
#pragma once

#include "runtime/emulator/VectorClock.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tawa::emu {

/// One access: the agent and its tick. A wgmma reads with four warps, which finish separately: its epochs name the
/// first of four consecutive agents (Quarters) and are covered only by a clock that covers all four.
struct Epoch {
  enum Flags : uint16_t { Atomic = 1, Quarters = 2, Generic = 4, Link = 8 };
  uint32_t tick = 0; ///< 0: no access. With Link: index into a side table, see ShadowMemory.
  AgentId agent = 0;
  uint16_t flags = 0;

  bool isNone() const { return tick == 0; }
  bool operator==(const Epoch &) const = default;
  bool coveredBy(const VectorClock &clock) const {
    if (!(flags & Quarters))
      return clock[agent] >= tick;
    return clock[agent] >= tick && clock[agent + 1] >= tick && clock[agent + 2] >= tick && clock[agent + 3] >= tick;
  }
};

/// Shadow of one CTA's shared memory.
class ShadowMemory {
public:
  static constexpr uint32_t kGranule = 16;

  struct Access {
    Epoch self;
    const Knowledge *knows = nullptr;
    bool write = false;
    bool asyncProxy = false; ///< Generic writes must have passed a proxy fence to be known.
  };
  struct Conflict {
    uint32_t offset = 0;
    Epoch other;
    bool otherWrote = false;
    bool fenceMissing = false; ///< Ordered, but not made visible to the async proxy.
  };

  void reset(uint32_t bytes);

  /// Records the access; the first conflict with an earlier one, if any.
  std::optional<Conflict> record(uint32_t offset, uint32_t bytes, const Access &access);
  /// Likewise for reads of many whole granules.
  std::optional<Conflict> recordReads(std::span<const uint32_t> offsets, const Access &access);

private:
  struct Cell {
    Epoch write;
    std::array<Epoch, 3> reads;
    bool operator==(const Cell &) const = default;
  };
  using Bytes = std::array<Cell, kGranule>;

  bool visit(Cell &cell, const Access &access, Conflict &conflict);
  bool visitWhole(Cell &cell, const Access &access, Conflict &conflict);
  bool visitPart(Cell &cell, uint32_t first, uint32_t count, const Access &access, Conflict &conflict);
  bool checkRead(const Epoch &read, const Access &access, Conflict &conflict) const;
  void addRead(Cell &cell, const Access &access);

  std::vector<Cell> cells;
  // Granules that were accessed in parts: their cell's `write` links here, one cell per byte.
  std::vector<Bytes> splits;
  // Cells with more than three unordered readers: the last of `reads` links here.
  std::vector<std::vector<Epoch>> crowds;
};

/// Names of agents, for messages, and their numbering.
class AgentTable {
public:
  void reset() { names.clear(); }
  /// `count` consecutive agents described by one text.
  AgentId add(const std::string &name, unsigned count = 1) {
    auto first = static_cast<AgentId>(names.size());
    names.insert(names.end(), count, name);
    return first;
  }
  const std::string &operator[](AgentId agent) const { return names[agent]; }

private:
  std::vector<std::string> names;
};

} // namespace tawa::emu
