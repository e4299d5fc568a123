// What an operation of a kernel is as an operator of a tile program, without its operands. Internal to
// compiler/planner/affinize.
#pragma once

#include "runtime/mesh/TileProgram.h"

#include "mlir/IR/Operation.h"

namespace tawa {

mesh::TileOperator operatorOf(mlir::Operation *op);
int64_t elementsOf(mlir::Type type);

} // namespace tawa
