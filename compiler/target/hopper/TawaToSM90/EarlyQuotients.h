// Moves quotients of launch values, by which a producer finds its first tile, before its threads first wait.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

namespace tawa {

/// Of what `body` computes, which a thread of the first warp executes. `point` is where the kernel's threads first
/// wait, and `warp`, which each knows by then, its warp.
void moveQuotients(mlir::Block *body, mlir::Operation *point, mlir::Value warp);

} // namespace tawa
