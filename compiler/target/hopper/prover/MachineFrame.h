// What holds a machine kernel's roles together beside rings: the barriers' initialization, named barriers, registers,
// the cluster.
#pragma once

#include "compiler/roles/prover/RoleRules.h"
#include "compiler/target/hopper/prover/MachineKernel.h"

namespace tawa::verify {

/// Numbers of the named barriers by which roles take turns.
using Turns = llvm::DenseMap<uint32_t, unsigned>;

/// Each names the first place where something is wrong.
std::optional<RoleFinding> checkInitialization(MachineKernel &kernel);
std::optional<RoleFinding> checkNamedBarriers(MachineKernel &kernel, Turns &turns);
std::optional<RoleFinding> checkRegisters(MachineKernel &kernel);
std::optional<RoleFinding> checkCluster(MachineKernel &kernel);

} // namespace tawa::verify
