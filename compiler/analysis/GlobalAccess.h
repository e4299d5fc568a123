// GlobalAccess: what accesses of global memory through pointers have in common.
#pragma once

#include "mlir/IR/Operation.h"

namespace tawa {

/// The mask of a load, store or atomic operation through pointers; null where there is none.
mlir::Value maskOf(mlir::Operation *access);

/// Whether one instruction may access several elements: a load, a store, or a sum of floats whose result is unused,
/// where the GPU adds vectors (PTX ISA, "red").
bool takesNeighbours(mlir::Operation *access);

} // namespace tawa
