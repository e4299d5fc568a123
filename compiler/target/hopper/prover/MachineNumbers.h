// Numbers that one role hands to others through a ring of words.
#pragma once

#include "compiler/roles/prover/ValueEquivalence.h"
#include "compiler/target/hopper/prover/MachineRings.h"

namespace tawa::verify {

/// Makes what roles put into such rings, and get from them, known to be equal.
void handOnNumbers(MachineKernel &kernel, const MachineRings &rings, Identities &identities);

} // namespace tawa::verify
