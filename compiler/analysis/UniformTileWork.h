// UniformTileWork: whether all programs of a grid take equally long, for the launch of persistent kernels and the
// performance model.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa {

/// Whether every program multiplies matrices, and none goes through more loops or other branches than the rest, as far
/// as arguments tell: what memory says may differ.
bool programsAreEqualProducts(tt::FuncOp func);

} // namespace tawa
