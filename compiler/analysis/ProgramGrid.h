// What a kernel wants to know of its place in the grid, and whether it matters to it when others run.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallVector.h"

namespace tawa {

using Axes = llvm::SmallVector<tt::ProgramDim, 3>;

/// The axes whose program ids the kernel reads, x first.
Axes axesAskedFor(tt::FuncOp func);

/// Whether programs can see what others have done so far: then the order in which they run is theirs to choose.
bool programsObserveEachOther(tt::FuncOp func);

/// A loop of the text over the tiles of the grid, from the program's own number in steps of how many programs there
/// are; null where the kernel has none.
mlir::scf::ForOp findWrittenTileLoop(tt::FuncOp func);

} // namespace tawa
