// A plan: a tile program on a machine. Which cores run which programs of the grid and when, how each load travels,
// where it is issued and what it keeps. Made by compiler/planner, executed by the simulator and printed as code through
// CoreProgram; plain data.
//
// The loop nest of a core, outermost first: the waves in their order, then the loops of the body. The index of a grid
// dimension g that is split over spatial dimensions s1, s2 (in this order) is, with w its wave index,
//
//   g = (w * size(s1) + x(s1)) * size(s2) + x(s2)
//
// so that neighbouring cores have neighbouring tiles and a wave is a contiguous batch. What is at or beyond the extent
// of the dimension is idle. Where the split turns, odd waves go through the cores in the opposite direction: a core
// whose tile is a short one of its wave then has a long one of the next.
#pragma once

#include "runtime/mesh/Machine.h"
#include "runtime/mesh/TileProgram.h"

namespace tawa::mesh {

/// One dimension of the grid: split over these spatial dimensions of the machine, in this order.
struct GridSplit {
  std::vector<int> spatial;
  bool turns = false; ///< Only where no core idles.

  /// The index in a wave, of the core at a position among those of the split.
  int64_t index(int64_t wave, int64_t position, int64_t cores) const {
    return wave * cores + (turns && wave % 2 != 0 ? cores - 1 - position : position);
  }
};

/// How the cores get a tile that several of them need.
enum class Movement : uint8_t {
  PerCore,         ///< Each core reads it from global memory.
  Broadcast,       ///< One core of each line along one spatial dimension reads it and sends it along the line.
  RowsThenColumns, ///< One core reads it, sends it along the first dimension; each of these along the second.
  Wavefront, ///< One core reads it; each passes it on to its next neighbours as it arrives. Over one dimension or two.
};

struct LoadPlan {
  Movement movement = Movement::PerCore;
  std::vector<int> along;    ///< Spatial dimensions, in order of use: one of Broadcast, one or two of Wavefront, two of
                             ///< RowsThenColumns.
  std::vector<int> networks; ///< Of each of `along`: the network whose links it takes.
  /// Issued inside so many loops of the nest (waves and loops around the load); the tiles of all loops further in are
  /// fetched at once and kept.
  int level = 0;
  int64_t tiles = 1; ///< Fetched at once.
  int64_t bytes = 0; ///< Footprint in the local memory: tiles, with `slots` buffers of them.
  int slots = 2;     ///< Buffers: 2 overlap the next fetch with work, 1 where it is fetched once.
};

struct StorePlan {
  int slots = 2;
  int64_t bytes = 0;
};

/// Cycles by resource, as the model estimates them.
struct Estimate {
  double cycles = 0;
  double compute = 0, load = 0, store = 0; ///< Each alone, of the slowest core, over the whole run.
  std::string bound;                       ///< Name of the resource that bounds: "mat", "noc_h", "dram", ...
};

struct Plan {
  std::vector<GridSplit> splits; ///< One per dimension of the grid.
  std::vector<int> waves;        ///< Dimensions of the grid, outermost first: the order of the wave loops.
  std::vector<LoadPlan> loads;   ///< As TileProgram::loads().
  std::vector<StorePlan> stores; ///< As TileProgram::stores().
  int64_t footprint = 0;         ///< Bytes of the local memory of one core.
  Estimate estimate;

  /// Waves of dimension `grid` of the program on the machine.
  int64_t waveExtent(int grid, const TileProgram &program, const Machine &machine) const;
  /// Iterations of a loop over all programs of each core, by the core's number.
  std::vector<int64_t> iterationsOf(int loop, const TileProgram &program, const Machine &machine) const;
};

} // namespace tawa::mesh
