// Explores all states that the roles of a kernel can reach together, and checks each for deadlock.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

namespace tawa::verify {

struct RoleVerdict {
  std::optional<RoleFinding> finding; ///< None: proved.
  std::string scenario;               ///< Of a finding: the iterations and conditions that lead to it.
  unsigned states = 0;

  /// The finding with the scenario.
  std::string text() const { return finding->what + (scenario.empty() ? "" : " (when " + scenario + ")"); }
};

/// Runs all roles from their beginning, for every trip count and every outcome of conditions.
RoleVerdict exploreRoles(llvm::ArrayRef<RoleProgram> programs, const std::vector<std::string> &names,
                         const std::vector<RingInfo> &rings);

} // namespace tawa::verify
