// Lowering of a plan to the program of a core: all movements, hoisted loads, slots, ragged grids.
//
// All threads walk the plan's nest. At the place where a load is issued, the reader
//
//   1. reserves the slots of all its tiles; where the core reads from global memory it issues all reads, where it
//      receives it signals to its sender that the slots are free;
//   2. for each tile: waits for its read, or for the sender's signal; forwards the tile to the cores that get it from this
//      core (before the first tile it has awaited that their slots are free) and signals; pushes the tile.
//
// Step 1 of all loads that are issued at one place comes before step 2 of any. The compute thread waits for each tile
// where the body loads it, and pops all when the nest leaves the place. Cores whose index is at or beyond the grid's
// extent receive and forward what their neighbours share with them, but compute and store nothing.
//
// The plan's words are taken as they are: whether cores that share a load need the same tile is not checked here (a
// plan that is wrong there computes wrong results).
#pragma once

#include "runtime/mesh/Plan.h"
#include "runtime/mesh/core/CoreProgram.h"

namespace tawa::mesh {

/// Why a plan has no program.
enum class PlanFault : uint8_t {
  None,
  Counts,   ///< Not one split per grid dimension, one entry per load and store, one wave per dimension with waves.
  Split,    ///< A spatial dimension is none of the cores', or splits twice; or one turns whose last wave is not full.
  Level,    ///< A load's level is not within the loops around it.
  Tiles,    ///< The tiles of a load are not the product of extents of loops inside of its level.
  Slots,    ///< Less than one.
  Movement, ///< The number of dimensions or networks is not the movement's.
  Network,  ///< The network does not reach all cores of a line along the dimension.
};
const char *name(PlanFault fault);

struct Lowered {
  CoreProgram program;
  PlanFault fault = PlanFault::None;
  std::string detail; ///< What has the fault, with its values.
  bool isOk() const { return fault == PlanFault::None; }
};

Lowered lowerPlan(const Plan &plan, const TileProgram &program, const Machine &machine);

} // namespace tawa::mesh
