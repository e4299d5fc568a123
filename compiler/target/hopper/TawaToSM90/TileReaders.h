// The readers of a tile in shared memory, and how they read it.
#pragma once

#include "compiler/roles/Tawa/Tawa.h"

namespace tawa {

bool isSharedTile(mlir::Type type);
/// The operations that read a tile in shared memory, seen through views.
llvm::SmallVector<mlir::Operation *> readersOfTile(mlir::Value tile);
/// Whether an operation reads its operands as wgmma does, through the async proxy.
bool runsOnWgmma(mlir::Operation *op);
/// A wait of the dot's own block ends it.
bool finishesInBlock(ws::DotIssueOp issue);

} // namespace tawa
