// The threads of the cores over the loop nest of a plan, as the time model sees them: when each tile is asked for, sent
// on and used. What the simulator does packet by packet for every core, this does tile by tile for a few classes of
// cores, with the averages of Traffic.h.
//
// - Cores are alike that are the root of the same lines: with loads that travel along two dimensions there are four
//   classes. A core reads for others, receives, or both; a thread does one after the other, so that a tile that waits
//   for another one's broadcast delays its own.
// - The reading thread of a core reserves the slots of all loads of a group, asks for their tiles, then takes, sends on
//   and publishes tile by tile (runtime/mesh/core/LowerReader.cpp). It waits for slots that computation frees, for
//   bytes, and for the cores that it sends to.
// - Every port, connection and link serves one fetch after the other, each for the cycles that all cores together take
//   of it. A tile that cores send to each other passes before those reads that have not come that far, which arrive
//   later by as much. Only those resources count that no other one is at least as busy as, by every load.
// - A loop whose iterations have become the same but for their time is not walked to its end.
// - Loops that are not equally long in all programs are as long as those of the core that has the most to compute, or as
//   the longest of the cores that it shares tiles with in each wave.
#pragma once

#include "compiler/planner/model/Traffic.h"

#include <map>
#include <span>

namespace tawa::mesh::planner {

/// The body of a loop, or of the run: segments of work, and loops between them.
struct Body {
  struct Segment {
    double compute = 0;              ///< Of the operators, and to put results into their buffers.
    std::vector<size_t> loads = {};  ///< That it waits for.
    std::vector<size_t> stores = {}; ///< That it ends with.
  };
  struct Inner {
    int body;
    int64_t extent;
    int index;           ///< Of the loop in the tile program.
    bool repeats = true; ///< Its iterations do the same.
  };
  std::vector<Segment> segments = {}; ///< One more than loops.
  std::vector<Inner> loops = {};
  size_t firstGroup = 0; ///< Of loads that are issued together: before each loop, and after the last.
};

/// What the walk needs to know of a plan.
struct WalkInput {
  const std::vector<Body> &bodies; ///< The first is the outermost.
  std::span<const LoadCost *const> loads;
  std::vector<std::vector<size_t>> groups; ///< Loads of each.
  const std::vector<StoreCost> &stores;
  const MappingView &view;
  /// Of each loop that is not equally long: dimensions along which cores share tiles of each wave.
  std::map<int, std::vector<int>> together;
  double deviations; ///< By which the busiest of the memory's instances exceeds the average.
};

/// Cycles from the first instruction to the end of the last thread.
double walkTimeline(const WalkInput &input);

} // namespace tawa::mesh::planner
