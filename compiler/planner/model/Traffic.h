// Traffic of loads and stores under a mapping: how many cycles each takes of every port, connection and link over the
// whole run, and how long one fetch takes beside that. Transfers that share a resource divide its bandwidth (TileLoom,
// section 3.4), which is to say that their cycles add up.
#pragma once

#include "compiler/planner/model/Routing.h"
#include "compiler/planner/space/LoadSpace.h"

namespace tawa::mesh::planner {

/// Cycles of each resource over the whole run.
using Busy = std::vector<float>;

/// The costs of one choice of a load.
struct LoadCost {
  int level = 0;
  double tiles = 1;  ///< Fetched at once.
  double issues = 1; ///< Fetches over the run.
  double bytes = 0;  ///< Of one fetch.
  double alone = 0;  ///< Cycles of one fetch from global memory with nothing else under way, beside `latency`.
  double latency = 0;
  double issue = 0;      ///< Cycles of the reading thread for one fetch: messages.
  double way = 0;        ///< From global memory's last byte of a tile to the last core that gets the tile.
  double handshake = 0;  ///< Of the slowest stage: least time between two fetches.
  bool isShared = false; ///< One core reads for several.
  /// Share of the iterations inside of the level that come before the first use of the last tile fetched.
  double untilLast = 0;
  bool isRepeated = false; ///< Several cores read the same tile.
  Busy busy;
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
};

LoadCost costOf(const LoadPlan &load, const TileAccess &access, const std::vector<NestLoop> &nest,
                const MappingView &view);
StoreCost costOf(const TileAccess &access, const std::vector<NestLoop> &nest, const MappingView &view);

} // namespace tawa::mesh::planner
