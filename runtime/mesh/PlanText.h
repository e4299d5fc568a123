// Plans as text for people: the loop nest of a core, with where each load is issued, how its tiles travel and what they
// take of the local memory.
#pragma once

#include "runtime/mesh/Plan.h"

namespace tawa::mesh {

/// "broadcast along x on noc_h", "each core reads".
std::string str(const LoadPlan &load, const Machine &machine);

/// "y, x -> m, n; waves of n (4), m (2); a: broadcast along x on noc_h, level 2; ...": a plan in one line.
std::string summary(const Plan &plan, const TileProgram &program, const Machine &machine);

/// The whole nest. The plan's fields have to be of this program and machine.
std::string str(const Plan &plan, const TileProgram &program, const Machine &machine);

} // namespace tawa::mesh
