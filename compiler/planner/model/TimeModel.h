// Time of a plan (TileLoom, section 3.4), loop by loop from the inside out.
//
// In a loop of I iterations that each load a tile (l), compute on it (c) and store a result (s), beside each other in
// double buffers, the paper has max(l, c, s) (I - 2) + l + c + s. Taken literally, the iterations in which two of the
// three overlap are missing; the model counts l + c + s + (I - 1) max(l, c, s). Over a nest, with one thread per core
// that fetches in the order of the text:
//
//   first(loop)  = first(body) + (I - 1) steady(body)
//   steady(body) = max(l, c, s)                 where no loop inside of the body loads anything
//   steady(body) = sum of loops + max(0, l - lead)   where one does: the fetch of a hoisted tile delays what is loaded
//                                               after it, except for what the thread was ahead: 2 (c - l) of that loop
//
// What one fetch takes follows from what transfers share (Traffic.h): of all loads that are issued together, the cycles
// of the busiest port, connection or link; at least the latency and the own transfer of one core; at least the
// handshake of a broadcast. No run is shorter than the cycles of its busiest resource.
#pragma once

#include "compiler/planner/model/ComputeTime.h"
#include "compiler/planner/model/Traffic.h"

#include <span>

namespace tawa::mesh::planner {

enum class Formula : uint8_t {
  Nest, ///< As above.
  Paper ///< The paper's, literally, with inner loops as the computation of outer ones.
};

/// The estimates of all plans of one mapping.
class TimeModel {
public:
  TimeModel(const Mapping &mapping, const MappingView &view, const Work &work, Formula formula = Formula::Nest);

  /// Whole cycles of a plan, one choice for each load. Null where none is chosen yet: the cycles are then a lower bound
  /// for all choices.
  double cycles(std::span<const LoadCost *const> loads) const;
  /// The same with its parts and what bounds it.
  Estimate estimate(std::span<const LoadCost *const> loads) const;
  double computeCycles() const { return nodes.front().total; }

private:
  /// The body of a loop, or of the run. Loads are issued in groups: before each loop of the body, and after the last.
  struct Node {
    double compute = 0; ///< Of the body's own operators.
    double total = 0;   ///< With all loops.
    double store = 0;   ///< Of all stores of the body, once.
    struct Inner {
      int node;
      double extent;
    };
    std::vector<Inner> loops;
    size_t firstGroup = 0;
  };
  /// Loads that are issued together.
  struct Fetch {
    double pace = 0;             ///< Between two fetches, when they follow each other.
    double first = 0, whole = 0; ///< From the issue to the first tile, and to the last.
    double after = 1;            ///< Share of the computation that needs the last tile or comes after it.
    bool isEmpty() const { return whole == 0; }
  };
  struct Time {
    double first = 0, steady = 0;
    double lead = 0; ///< Cycles that the loading thread gains in one execution; two slots keep at most two of them.
    bool loads = false;
  };

  int addBody(const std::vector<TileStep> &body, const Work &work);
  void placeLoads(const std::vector<TileStep> &body, int node, std::vector<size_t> &groups);
  void addStores(const std::vector<TileStep> &body, int node);
  double sharedCycles(std::span<const LoadCost *const> loads) const;
  std::vector<Fetch> fetches(std::span<const LoadCost *const> loads) const;
  Fetch fetchOf(std::span<const LoadCost *const> loads) const;
  Time timeOf(int node, std::span<const Fetch> fetches) const;
  Time sequence(const Node &node, std::span<const Time> inner, std::span<const Fetch> groups) const;
  double paperTime(int node, std::span<const Fetch> fetches) const;
  float busiest(std::span<const LoadCost *const> loads, size_t &resource) const;

  const Mapping &mapping;
  const MappingView view;
  const Work &work;
  Formula formula;
  std::vector<Node> nodes; ///< The wave loops' first, outermost first.
  size_t groups = 0;
  std::vector<std::vector<size_t>> groupOfLevel; ///< Of each load.
  std::vector<StoreCost> stores;
  Busy storeBusy;
  double drain = 0;
  double deviations = 0; ///< By which the busiest of the memory's instances exceeds the average.
};

} // namespace tawa::mesh::planner
