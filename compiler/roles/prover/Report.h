// The attributes and remarks that a prover leaves on a module.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tawa::verify {

void reportProved(mlir::ModuleOp module, unsigned states);
/// `op`: the location; null: none in particular.
void reportUnproved(mlir::ModuleOp module, mlir::Operation *op, llvm::StringRef why);

} // namespace tawa::verify
