// A kernel's use of its grid position, and whether it depends on when other programs run.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallVector.h"

namespace tawa {

using Axes = llvm::SmallVector<tt::ProgramDim, 3>;

/// The axes whose program ids the kernel reads, x first.
Axes axesAskedFor(tt::FuncOp func);

/// Whether programs can observe each other's progress: then their order is up to them.
bool programsObserveEachOther(tt::FuncOp func);

/// For how many programs the text's masks leave elements, where constants say so along every axis that the kernel
/// reads: what a launch starts without wasting any. 0: not known.
int64_t programsWithinMasks(tt::FuncOp func);

/// A loop of the text over the tiles of the grid, from the program's own number in steps of how many programs there
/// are; null where the kernel has none.
mlir::scf::ForOp findWrittenTileLoop(tt::FuncOp func);

} // namespace tawa
