// Plans as one self-contained page: no script, nothing from elsewhere.
#pragma once

#include "bindings/cli/PlanFacts.h"

namespace tawa::cli {

/// Of plans that were simulated; `kernel` is the name of its file.
std::string planPage(const PlanFacts &facts, const std::string &kernel);

} // namespace tawa::cli
