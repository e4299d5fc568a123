// Why a part of the planner's search space is left out: an enum with texts, shared by counts, reports and tests.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tawa::mesh::planner {

enum class PruneReason : uint8_t {
  IdleDimension,
  SameMapping,
  SymmetricMapping,
  TileChanges,
  NoLine,
  NoMulticast,
  DominatedLevel,
  LoadTooLarge,
  PlanTooLarge,
  BoundExceeded,
  NotOfTemplate,
};
inline constexpr size_t kPruneReasons = 11;

constexpr std::string_view textOf(PruneReason reason) {
  switch (reason) {
  case PruneReason::IdleDimension:
    return "a dimension of the machine has no part of the grid, so that its cores idle";
  case PruneReason::SameMapping:
    return "another order of the same dimensions gives every core the same tiles at the same times";
  case PruneReason::SymmetricMapping:
    return "the machine looks the same with its dimensions exchanged, and so does the mapping";
  case PruneReason::TileChanges:
    return "the tile changes along the dimension, so that there is nothing to share";
  case PruneReason::NoLine:
    return "no network has links that make a line or a ring along the dimension";
  case PruneReason::NoMulticast:
    return "the network cannot take a message and pass it on at the same time, as a broadcast needs";
  case PruneReason::DominatedLevel:
    return "the load does not depend on the loop that it is issued in: one level further out needs no more memory";
  case PruneReason::LoadTooLarge:
    return "the buffers of the load do not fit the local memory";
  case PruneReason::PlanTooLarge:
    return "the buffers of all loads and stores together do not fit the local memory";
  case PruneReason::BoundExceeded:
    return "a lower bound of the estimate exceeds the best plans that are kept";
  case PruneReason::NotOfTemplate:
    return "the template that was asked for does it another way";
  }
  return "";
}

/// How often each reason applied. Mappings, movements, levels and plans are counted by the unit that was left out.
class PruneCounts {
public:
  void add(PruneReason reason, int64_t count = 1) { counts[static_cast<size_t>(reason)] += count; }
  int64_t of(PruneReason reason) const { return counts[static_cast<size_t>(reason)]; }
  PruneCounts &operator+=(const PruneCounts &other) {
    for (size_t i = 0; i < kPruneReasons; ++i)
      counts[i] += other.counts[i];
    return *this;
  }

private:
  std::array<int64_t, kPruneReasons> counts{};
};

} // namespace tawa::mesh::planner
