// Checks named barriers at which the warp groups of a role take turns.
#pragma once

#include "compiler/roles/prover/RoleRules.h"
#include "compiler/target/hopper/prover/MachineKernel.h"

#include "llvm/ADT/ArrayRef.h"

namespace tawa::verify {

/// `uses`: the uses, in program order, of named barriers that a part of the role's threads executes. Returns the first
/// violation.
std::optional<RoleFinding> checkTurns(MachineKernel &kernel, const MachineRole &role,
                                      llvm::ArrayRef<mlir::Operation *> uses);

} // namespace tawa::verify
