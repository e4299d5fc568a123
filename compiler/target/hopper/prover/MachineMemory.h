// Shared memory that a role has for itself: panels of stores, scratch, tiles that it writes for wgmma. Whatever two of
// its threads, or a thread and an asynchronous operation, do to the same bytes is ordered.
#pragma once

#include "compiler/target/hopper/prover/MachineRings.h"

namespace tawa::verify {

/// Gives the first access that may meet another one; README.md says what counts as ordered.
std::optional<RoleFinding> checkMemory(MachineKernel &kernel, MachineRole &role, const MachineRings &rings);

} // namespace tawa::verify
