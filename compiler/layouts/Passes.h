// The passes that choose layouts, and those that follow from the choice. Passes.td documents them.
#pragma once

#include "compiler/support/PassDeclarations.h"

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/layouts/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/layouts/Passes.h.inc"
} // namespace tawa
