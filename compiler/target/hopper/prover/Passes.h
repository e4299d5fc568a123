// The prover of machine code as a pass; Passes.td documents it.
#pragma once

#include "compiler/support/PassDeclarations.h"

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/target/hopper/prover/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/target/hopper/prover/Passes.h.inc"
} // namespace tawa
