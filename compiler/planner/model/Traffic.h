// Traffic of loads and stores under a mapping: how many cycles each takes of every port, connection and link over the
// whole run, and how long one fetch takes beside that. Transfers that share a resource divide its bandwidth (TileLoom,
// section 3.4), which is to say that their cycles add up.
#pragma once

#include "compiler/planner/model/LoopLengths.h"
#include "compiler/planner/space/LoadSpace.h"

namespace tawa::mesh::planner {

/// Cycles of each resource over the whole run.
using Busy = std::vector<float>;

/// A stage of a load's movement: from the first core of each line along a dimension to all others.
struct StageCost {
  int dim = -1;
  double hops = 0, hop = 0; ///< To the last core that has work; cycles of one.
  double transfer = 0;      ///< Of one tile on a link.
  bool isChain = false;     ///< From neighbour to neighbour, each of which stores the tile.
};

/// The costs of one choice of a load.
struct LoadCost {
  int level = 0;
  double tiles = 1;  ///< Fetched at once.
  double issues = 1; ///< Fetches over the run.
  double bytes = 0;  ///< Of one fetch.
  double alone = 0;  ///< Cycles of one fetch from global memory with nothing else under way, beside `latency`.
  double latency = 0;
  double issue = 0;      ///< Cycles of the reading thread for one fetch: messages.
  double handshake = 0;  ///< Of the slowest stage: least time between two fetches.
  bool isShared = false; ///< One core reads for several.
  std::vector<StageCost> stages;
  std::vector<int64_t> strides; ///< Of each loop of the nest: tiles of one fetch between two of its iterations.
  Busy busy;
  Busy sent;    ///< Of `busy`, what cores send to each other.
  Busy readers; ///< Cores that read by way of it.
  /// Of the cycles of one fetch, squared: the blocks of a tile are spread at random.
  Busy variance;
};

struct StoreCost {
  double issues = 1;
  double alone = 0, latency = 0;
  double copy = 0; ///< Cycles of the computing thread to put the tile into its buffer.
  Busy busy;
};

/// A mapping with all that its costs depend on.
struct MappingView {
  const Mapping &mapping;
  const TileProgram &program;
  const GridShare &share;
  const MachineModel &model;
  const LoopLengths &lengths;
  int64_t busiest; ///< The core with the most to compute.
};

LoadCost costOf(const LoadPlan &load, const TileAccess &access, const std::vector<NestLoop> &nest,
                const MappingView &view);
StoreCost costOf(const TileAccess &access, const std::vector<NestLoop> &nest, const MappingView &view);

} // namespace tawa::mesh::planner
