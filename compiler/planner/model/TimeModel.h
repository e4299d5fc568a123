// Time of a plan (TileLoom, section 3.4), loop by loop from the inside out.
//
// The cores' threads are walked through the nest, tile by tile, as far as its iterations differ (Timeline.h). No run is
// shorter than the cycles of its busiest resource. The paper's own formula, max(l, c, s) (I - 2) + l + c + s for a loop
// of I iterations, is kept to compare with.
#pragma once

#include "compiler/planner/model/ComputeTime.h"
#include "compiler/planner/model/Timeline.h"

namespace tawa::mesh::planner {

enum class Formula : uint8_t {
  Walk, ///< As above.
  Paper ///< The paper's, literally, with inner loops as the computation of outer ones.
};

/// The estimates of all plans of one mapping.
class TimeModel {
public:
  TimeModel(const Mapping &mapping, const MappingView &view, const Work &work, Formula formula = Formula::Walk);

  /// Whole cycles of a plan, one choice for each load.
  double cycles(std::span<const LoadCost *const> loads) const;
  /// Not more than the cycles for all choices of the loads that are null.
  double bound(std::span<const LoadCost *const> loads) const;
  /// The same with its parts and what bounds it.
  Estimate estimate(std::span<const LoadCost *const> loads) const;

private:
  int addBody(const std::vector<TileStep> &body, const Work &work);
  void placeLoads(const std::vector<TileStep> &body, int number, std::vector<size_t> &path);
  void addStore(const TileStep &step, Body::Segment &segment);
  double paceOf(std::span<const LoadCost *const> loads) const;
  double paperTime(int body, const std::vector<std::vector<const LoadCost *>> &groups) const;
  std::vector<std::vector<size_t>> groupsOf(std::span<const LoadCost *const> loads) const;
  float busiest(std::span<const LoadCost *const> loads, size_t &resource) const;
  std::map<int, std::vector<int>> togetherOf(std::span<const LoadCost *const> loads) const;

  const Mapping &mapping;
  const MappingView view;
  const Work &work;
  Formula formula;
  std::vector<Body> bodies; ///< The wave loops' first, outermost first.
  size_t groups = 0;
  std::vector<std::vector<size_t>> groupOfLevel; ///< Of each load.
  std::vector<StoreCost> stores;
  Busy storeBusy;
  double compute = 0;    ///< Cycles of all operators of a core.
  double deviations = 0; ///< By which the busiest of the memory's instances exceeds the average.
};

} // namespace tawa::mesh::planner
