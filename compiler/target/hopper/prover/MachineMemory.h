// Race check for shared memory private to a role: store panels, scratch, tiles that it writes for wgmma. Accesses to
// the same bytes by two threads, or by a thread and an asynchronous operation, must be ordered.
#pragma once

#include "compiler/target/hopper/prover/MachineRings.h"

namespace tawa::verify {

/// Returns the first access that may race; README.md says what counts as ordered.
std::optional<RoleFinding> checkMemory(MachineKernel &kernel, MachineRole &role, const MachineRings &rings);

} // namespace tawa::verify
