// SharedTiles: that programs of a cluster which load a tile for each other would each load the same one, and that all
// of them know which programs share it.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/prover/RoleRules.h"

namespace tawa::verify {

/// The first put whose shared tiles are not proved to be the same (README.md, "Tiles that programs share"); nothing
/// where all are.
std::optional<RoleFinding> findDifferentTiles(tt::FuncOp func);

} // namespace tawa::verify
