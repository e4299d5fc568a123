// The passes of the front end: from verified TTIR to one specialized function. Passes.td documents them.
#pragma once

#include "compiler/support/PassDeclarations.h"

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/frontend/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/frontend/Passes.h.inc"
} // namespace tawa
