// The passes that split a kernel into roles and pipeline them. Passes.td documents them.
#pragma once

#include "compiler/support/PassDeclarations.h"

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/roles/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/roles/Passes.h.inc"
} // namespace tawa
