// Ranking of plans (TileLoom, section 3.4): all plans of all candidate tile programs, estimated by the model, and the
// best of them. What is enumerated, left out and estimated is counted.
#pragma once

#include "compiler/planner/model/TimeModel.h"
#include "compiler/planner/space/Templates.h"

namespace tawa::mesh::planner {

struct RankOptions {
  size_t keep = 5;
  /// Of plans with the same estimate, to the cycle, keep one: the model cannot tell them apart, and they mostly differ
  /// in what does not matter. Plans that are kept to be measured then differ more.
  bool distinct = true;
  /// Estimate every plan that fits, rather than leave out those whose lower bound shows that they are not kept. The
  /// best plans are the same.
  bool exhaustive = false;
  Template only = Template::Any;
  Formula formula = Formula::Walk;
};

struct RankedPlan {
  size_t program = 0; ///< Of the candidates.
  Plan plan;          ///< With its estimate.
  size_t rank = 1;    ///< By the estimate.
};

struct Ranking {
  std::vector<RankedPlan> best; ///< Fastest first.
  int64_t mappings = 0;         ///< That differ, of all candidates.
  int64_t plans = 0;            ///< Combinations of the loads' choices under all mappings.
  int64_t estimated = 0;        ///< Of these.
  PruneCounts pruned;
};

/// One candidate for each block shape, of the same kernel and arguments. Fails where the machine cannot execute tile
/// programs, or no plan of any candidate fits the local memory.
Result<Ranking> rankPlans(std::span<const TileProgram> candidates, const Machine &machine,
                          const RankOptions &options = {});

/// The footprint of a plan: buffers, accumulators and semaphores.
int64_t footprintOf(const Plan &plan, const TileProgram &program);

/// The model's estimate of any plan of the space, such as one that was kept in a file.
Result<Estimate> estimatePlan(const Plan &plan, const TileProgram &program, const Machine &machine,
                              Formula formula = Formula::Walk);

} // namespace tawa::mesh::planner
