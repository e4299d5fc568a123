// Plans for people: the ranked ones as a table, the chosen one explained.
#pragma once

#include "bindings/cli/PlanFacts.h"

namespace tawa::cli {

/// One line a plan, best estimate first; an asterisk marks the chosen one.
std::string planTable(const PlanFacts &facts);

/// The chosen plan: machine, tile program, nest, estimate, what was searched, and what the simulation shows.
std::string explainPlan(const PlanFacts &facts);

} // namespace tawa::cli
