// What the walk of Timeline.h needs to know of a plan's loads and stores, in fixed-point cycles: classes of cores that
// are alike, and the few resources that can hold a fetch up. Internal to the time model.
#pragma once

#include "compiler/planner/model/Timeline.h"

#include <cmath>

namespace tawa::mesh::planner {

/// Fixed-point cycles: sums do not depend on their order, so that equal iterations are seen to be equal.
using Ticks = int64_t;
constexpr double kTicksPerCycle = 64;
inline Ticks ticksOf(double cycles) { return std::llround(cycles * kTicksPerCycle); }

/// Cores by the dimensions along which loads travel: bit d of a class is set where the core is not the first of its
/// line along dims[d].
struct CoreClasses {
  std::vector<int> dims;
  std::vector<double> sizes; ///< Cores of a line that have work.

  explicit CoreClasses(std::span<const LoadCost *const> loads);
  size_t count() const { return size_t(1) << dims.size(); }
  uint32_t bitOf(int dim) const;
  double coresOf(size_t of) const;
};

/// What one tile of a load takes of one resource, of all cores together.
struct Service {
  Ticks read = 0, sent = 0;
  Ticks own = 0;    ///< Of `read`, one core's.
  Ticks uneven = 0; ///< By which the busiest instance exceeds the average, of one fetch by cores that run in step.
  bool isAtLeast(const Service &other) const {
    return read >= other.read && sent >= other.sent && own >= other.own && uneven >= other.uneven;
  }
};

/// A stage of a load's movement between classes of cores.
struct ClassStage {
  uint32_t bit = 0;        ///< Cores with it receive, the same without it send.
  uint32_t absent = 0;     ///< Bits that no core has that takes part: it is the first of its lines in later stages.
  Ticks transfer = 0;      ///< Of a tile on a link.
  Ticks way = 0, back = 0; ///< Of a tile's head to the last core, and of its signal that it has room.
};

struct FetchCosts {
  const LoadCost *cost = nullptr;
  std::vector<ClassStage> stages;
  std::vector<Service> services; ///< By resource that counts.
  std::vector<double> shares;    ///< Of a tile's read, by class; 0 for those that receive it.
  Ticks latency = 0;
  size_t tiles = 1, slots = 2;
};

struct TimelineCosts {
  explicit TimelineCosts(const WalkInput &input);

  CoreClasses classes;
  std::vector<FetchCosts> loads;
  std::vector<std::vector<Ticks>> stores; ///< Of each: service, by resource that counts.
  size_t resources = 0;                   ///< That count: no other one is at least as busy by every load and store.
  Ticks message = 0, semaphore = 0;

private:
  FetchCosts makeLoad(const LoadCost *cost) const;
  ClassStage makeStage(const StageCost &stage) const;
  Service serviceOf(const LoadCost &cost, size_t resource, double deviations) const;
  void findResources(const WalkInput &input);
};

} // namespace tawa::mesh::planner
