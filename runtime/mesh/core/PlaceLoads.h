// Checks a plan's shape and places its loads in the nest. Internal to the lowering of plans.
#pragma once

#include "runtime/mesh/core/LowerPlan.h"
#include "runtime/mesh/core/PlanNest.h"

namespace tawa::mesh {

/// PlanFault::None where splits, waves and counts fit the program and the machine; comes before a PlanNest is made.
PlanFault checkShape(const Plan &plan, const TileProgram &program, const Machine &machine, std::string &detail);

/// The loads as the plan has them, in the order of the text.
PlanFault placeLoads(const Plan &plan, const TileProgram &program, const Machine &machine, const PlanNest &nest,
                     std::vector<PlacedLoad> &loads, std::string &detail);

/// Loops that are not equally long: how far the nest's go on the cores that share tiles, and which tiles each load
/// needs.
void limitLoads(PlanNest &nest, std::vector<PlacedLoad> &loads);

} // namespace tawa::mesh
