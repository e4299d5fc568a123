// The choices for one load under a mapping (TileLoom, section 3.2): how its tiles travel (spatial reuse) and at which
// level of the nest they are fetched (temporal reuse), with the local memory that they take.
#pragma once

#include "compiler/planner/space/Reuse.h"

#include <functional>

namespace tawa::mesh::planner {

/// One way for the tiles of a load to reach the cores, bound to networks.
struct Route {
  Movement movement = Movement::PerCore;
  std::vector<int> along, networks; ///< As in LoadPlan.
};

/// Each core for itself; a broadcast, and passing on from neighbour to neighbour (a wavefront), along each dimension in
/// which the tile is the same; both orders of two dimensions; a wavefront over two. One for each choice of networks
/// that have lines along these dimensions.
std::vector<Route> enumerateRoutes(const Reuse &reuse, const std::vector<Line> &lines, const Machine &machine,
                                   PruneCounts &pruned);

/// One level of the nest to issue a load at, with its buffers.
struct Level {
  int level = 0;
  int64_t tiles = 1; ///< Fetched at once: the extents of the loops further in on which the tile depends.
  int64_t bytes = 0; ///< Of the local memory, all slots.
  int slots = 2;     ///< 1 where the load is issued once.
};

Level levelAt(int level, const std::vector<NestLoop> &nest, const Reuse &reuse, int64_t tileBytes);

/// All levels that differ and whose buffers fit `capacity` bytes, outermost first. Inside of a loop that the tile does
/// not depend on, or that runs once, a load is never better than right outside of it: as many tiles, fetched more
/// often.
std::vector<Level> enumerateLevels(const std::vector<NestLoop> &nest, const Reuse &reuse, int64_t tileBytes,
                                   int64_t capacity, PruneCounts &pruned);

/// Buffers of a store: two, or one where it happens once.
StorePlan storePlanOf(const TileAccess &access, const std::vector<NestLoop> &nest, const TileProgram &program);

int64_t tileBytesOf(const TileAccess &access, const TileProgram &program);

/// All choices under one mapping: of each load of the program, in the order of its text.
struct LoadSpace {
  std::vector<std::vector<LoadPlan>> choices;
  std::vector<StorePlan> stores;
  int64_t fixedBytes = 0; ///< Of the local memory: carried values and buffers of stores.
  PruneCounts pruned;
};

/// What limits the choices: all of them, or those of a template.
struct ChoiceFilter {
  bool spatialReuse = true;  ///< Otherwise each core reads its tiles itself.
  bool temporalReuse = true; ///< Otherwise each load is issued in its innermost loop.
  /// The routes that a load may take, of all that it has; empty: all.
  std::function<std::vector<Route>(const std::vector<Route> &routes)> pick;
};

LoadSpace enumerateLoads(const Mapping &mapping, const GridShare &share, const TileProgram &program,
                         const Machine &machine, const std::vector<Line> &lines, const ChoiceFilter &filter);

} // namespace tawa::mesh::planner
