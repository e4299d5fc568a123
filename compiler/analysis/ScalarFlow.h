// ScalarFlow: the scalars that depend on given ones, through arithmetic, memory, loops and conditions.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/DenseSet.h"

namespace tawa {

/// `roots`, and every scalar that is computed from one of them. Tensors are not followed.
llvm::DenseSet<mlir::Value> scalarsFrom(llvm::ArrayRef<mlir::Value> roots);

} // namespace tawa
