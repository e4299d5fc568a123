// All states that the roles of a kernel can reach together, and whether each of them lets everybody go on.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

namespace tawa::verify {

struct RoleVerdict {
  std::optional<RoleFinding> finding; ///< None: proved.
  std::string scenario;               ///< Of a finding: how loops and conditions come out until then.
  unsigned states = 0;

  /// The finding with the scenario.
  std::string text() const { return finding->what + (scenario.empty() ? "" : " (when " + scenario + ")"); }
};

/// Runs all roles from their beginning, for every number of rounds and every outcome of conditions.
RoleVerdict exploreRoles(llvm::ArrayRef<RoleProgram> programs, const std::vector<std::string> &names,
                         const std::vector<RingInfo> &rings);

} // namespace tawa::verify
