// Passes that print what an analysis finds; for tests and for reading. Passes.td documents them.
#pragma once

#include "compiler/support/PassDeclarations.h"

namespace tawa {
#define GEN_PASS_DECL
#include "compiler/analysis/print/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/analysis/print/Passes.h.inc"
} // namespace tawa
