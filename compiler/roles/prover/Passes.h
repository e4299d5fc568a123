// The prover of the protocol between roles, as a pass; Passes.td documents it.
#pragma once

#include "compiler/support/PassDeclarations.h"

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/roles/prover/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/roles/prover/Passes.h.inc"
} // namespace tawa
