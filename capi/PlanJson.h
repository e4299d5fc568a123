// What the planner found as the JSON text of tawa_plan(), whose members are listed there.
#pragma once

#include "compiler/planner/Planner.h"

namespace tawa::capi {

/// All but "answer", which differs from call to call. Without the name of the kernel's file: the answer to the same
/// problem in another file is the same.
std::string planJson(const Planned &planned, const PlanRequest &request);
std::string withAnswer(std::string planJson, bool isFromCache, double seconds);

/// The chosen plan in one line.
std::string planSummary(const Planned &planned, const PlanRequest &request);

} // namespace tawa::capi
