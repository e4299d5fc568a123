// Order of the accesses to parts of sums that resident CTAs share (tawa.store_part and its like): a part is counted
// when all threads of the role have stored it, and read when all of them know it to be counted.
#pragma once

#include "compiler/roles/prover/RoleRules.h"
#include "compiler/target/hopper/prover/MachineKernel.h"

namespace tawa::verify {

/// Returns the first access that comes too early; README.md says what is proved.
std::optional<RoleFinding> checkParts(MachineKernel &kernel, MachineRole &role);

} // namespace tawa::verify
