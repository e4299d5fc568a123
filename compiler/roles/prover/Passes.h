// The provers as passes; Passes.td documents them.
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
}

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/roles/prover/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/roles/prover/Passes.h.inc"

/// On a module: why its protocol was not shown to be right (a string).
inline constexpr llvm::StringLiteral kUnprovedAttr = "tawa.unproved";
/// On a module: states over which its protocol was shown to be right (an integer; of the last prover that ran).
inline constexpr llvm::StringLiteral kProvedAttr = "tawa.proved";
} // namespace tawa
