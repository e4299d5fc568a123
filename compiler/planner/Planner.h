// The planner (TileLoom, section 2): a kernel's text and arguments on a described machine, to plans in the order of the
// model and, of the best, in the order of the simulator.
//
//   each block shape of the text -> affinize -> all plans, ranked by the model -> k of the best simulated -> the fastest
//
// Opens no device and no file.
#pragma once

#include "compiler/planner/affinize/Affinize.h"
#include "compiler/planner/model/Ranking.h"
#include "runtime/mesh/simulator/Simulator.h"

namespace tawa {

struct PlanRequest {
  AffinizeInput kernel; ///< Parameters in its `tile` keep their value.
  /// Values of the text's tile parameters that are candidates; empty: all combinations of those that keep no value.
  std::vector<std::map<std::string, int64_t>> tiles;
  mesh::Machine machine;
  mesh::planner::RankOptions ranking;
  size_t simulated = 5; ///< So many of the best plans are simulated (model/Choice.h).
  mesh::SimulatorOptions simulator;
};

/// A block shape, affinized.
struct PlanCandidate {
  std::map<std::string, int64_t> tile;
  AffineKernel kernel;
};

/// A ranked plan, and what the simulation of it found.
struct SimulatedPlan {
  mesh::planner::RankedPlan ranked; ///< `program` counts in Planned::candidates.
  mesh::SimulationResult result;
};

struct Planned {
  std::vector<PlanCandidate> candidates; ///< That differ as tile programs.
  /// Block shapes that have no tile program, with the reason.
  std::vector<std::pair<std::map<std::string, int64_t>, Status>> refused;
  mesh::planner::Ranking ranking;       ///< Its best are those that were simulated, where any were.
  std::vector<SimulatedPlan> simulated; ///< In the order of the model.
  size_t fastest = 0;                   ///< Of `simulated`.
  double rankSeconds = 0, simulateSeconds = 0;

  const AffineKernel &kernelOf(const mesh::planner::RankedPlan &plan) const { return candidates[plan.program].kernel; }
};

/// Fails where no block shape has a tile program or a plan, and where a plan of the ranking cannot be simulated.
Result<Planned> planKernel(const PlanRequest &request);

} // namespace tawa
