// TileNumbering: how programs take tiles, and how many tiles there are.
//
//   %tn = (%N + 255) / 256                        a count: tiles along one dimension
//   %width = %tn * 8; %group = %pid / %width; ..  arithmetic on the program's number and counts gives the tile's numbers
//
// The arithmetic stays as it is when the counts change: it is computed for several counts, and has to give each tile to
// one program (of each batch, where programs differ on other scalars). How many programs there are follows: the product
// of the counts, times what is left of the grid that was asked for.
#pragma once

#include "compiler/analysis/IterationSpace.h"
#include "compiler/analysis/ProgramGrid.h"

namespace tawa {

/// Number of tiles along a dimension: a division by their size, or a constant.
struct TileCount {
  mlir::Value value;
  size_t dimension = 0;
  bool roundsUp = false;                     ///< The dividend is a size plus that of a tile less one.
  int64_t factor = 1;                        ///< A constant is so many times the number of tiles.
  llvm::SmallVector<mlir::OpOperand *> uses; ///< That count tiles.
  mlir::Operation *division() const { return value.getDefiningOp(); }
};

/// The tiles that one number enumerates: a program id, or the induction variable of a loop over tiles.
struct TileNumbering {
  mlir::Value number;
  int axis = 0;          ///< Of the grid.
  mlir::scf::ForOp loop; ///< Over tiles; null where each program has one.
  llvm::SmallVector<size_t> dimensions;
  llvm::SmallVector<TileCount> counts;
  std::optional<size_t> uncounted; ///< A dimension whose tiles only the grid counts.
  bool hasOthers = false;          ///< There are several for each tile, which differ on other scalars.
};

/// Numberings of the open dimensions that programs number; closes those where one is not understood.
std::vector<TileNumbering> findNumberings(IterationSpace &space);

/// Of each open dimension that a loop goes along: its number of tiles, unless the loop goes by elements. Closes
/// dimensions whose loop runs otherwise.
std::vector<TileCount> findTrips(IterationSpace &space);

} // namespace tawa
