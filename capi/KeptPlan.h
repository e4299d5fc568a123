// What tawa_plan() keeps in the store: the key of a planning problem, and the payload of its row.
#pragma once

#include "compiler/planner/Planner.h"
#include "runtime/store/Key.h"

#include <string>
#include <string_view>

namespace tawa::capi {

struct KeptPlan {
  std::string summary; ///< One line, for people.
  std::string json;    ///< An object.
};

/// Of all that planning reads but the name of the kernel's file, which must not appear in what is kept. The machine
/// counts by the text of its description, not by request.machine, which need not be set yet: a hit reads no MLIR.
store::Key planKey(const PlanRequest &request, std::string_view machineText, std::string_view build);

/// The payload of this key's row, and back: CacheCorrupt where it is of another version or no plan.
std::string writePlan(const store::Key &key, const KeptPlan &plan);
Result<KeptPlan> readPlan(std::string_view payload);

} // namespace tawa::capi
