// PartialCopies: copies that reach over the end of a row.
//
//   %in = arith.cmpi slt, %column, %columns         %in of a copy's elements holds for the first ones, and for no later
//   %m = arith.andi %rows, broadcast(%in)     ->    tawa.copy_tile %p, %rows holding %count, where %count is how many
//
// The mask of a copy is one for all its elements; the number of bytes that it reads is not.
#pragma once

#include "compiler/analysis/PointerTiles.h"
#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tawa {

/// How a tile is copied if one condition of its mask may end within a copy.
struct PartialTile {
  PointerTile copy;
  mlir::arith::CmpIOp end; ///< Positions along the contiguous dimension compared with where the row ends.
};
/// Nothing where no copy would become wider by it.
std::optional<PartialTile> planPartialCopies(tt::LoadOp load, const AxisInfoAnalysis &axes);

/// The mask, and how many elements from each on are before the end, at most `vector`. `end` is the condition of the
/// mask; where nothing else is in it the mask is null.
struct PartialMask {
  mlir::Value mask, count;
};
PartialMask takeEnd(mlir::OpBuilder &builder, mlir::Value mask, mlir::arith::CmpIOp end, uint32_t vector);

} // namespace tawa
