// Checks the exchange of partial sums between the CTAs of a cluster: no part comes to bytes that are still read, and no
// CTA waits in vain.
#pragma once

#include "compiler/target/hopper/prover/MachineRings.h"

namespace tawa::verify {

std::optional<RoleFinding> checkSums(MachineKernel &kernel, const MachineRings &rings);

} // namespace tawa::verify
