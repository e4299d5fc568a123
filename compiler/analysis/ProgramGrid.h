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

/// On a function whose programs tawa-schedule-longest-first has put in order, and on the number that it takes their
/// places from.
inline constexpr llvm::StringLiteral kTileNumberAttr = "tawa.tile_number";

/// On a `tt.get_num_programs` that counts resident CTAs, whatever becomes of the grid.
inline constexpr llvm::StringLiteral kResidentAttr = "tawa.resident";

} // namespace tawa
