// UniformTileWork: whether all programs of a grid take equally long, as the launch of a persistent kernel and the
// performance model want to know.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa {

/// Whether every program multiplies matrices, and none goes through more loops or other branches than the rest, as far
/// as arguments tell: what memory says may differ.
bool programsAreEqualProducts(tt::FuncOp func);

} // namespace tawa
