// Checks of what the roles of a machine kernel share besides rings: barrier initialization, named barriers, registers,
// the cluster.
#pragma once

#include "compiler/roles/prover/RoleRules.h"
#include "compiler/target/hopper/prover/MachineKernel.h"

namespace tawa::verify {

/// Numbers of the named barriers by which roles alternate.
using PingPongs = llvm::DenseMap<uint32_t, unsigned>;

/// Each returns the first violation.
std::optional<RoleFinding> checkInitialization(MachineKernel &kernel);
std::optional<RoleFinding> checkNamedBarriers(MachineKernel &kernel, PingPongs &pingPongs);
std::optional<RoleFinding> checkRegisters(MachineKernel &kernel);
std::optional<RoleFinding> checkCluster(MachineKernel &kernel);

} // namespace tawa::verify
