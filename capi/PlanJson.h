// What the planner found as the JSON text of tawa_plan(), whose members are listed there.
#pragma once

#include "compiler/planner/Planner.h"

namespace tawa::capi {

std::string planJson(const Planned &planned, const PlanRequest &request);

} // namespace tawa::capi
