// ConvertingPut: a put of a converter (tawa-distribute-roles). Its tile comes from a slot of another ring, with another
// element order, or from registers of the role's threads.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

namespace tawa {

/// Whether threads move the tile from one ring to the next: the operand of the put is the result of a get.
inline bool isTransposed(ws::PutOp put) { return put.getValues().front().getDefiningOp<ws::GetOp>() != nullptr; }

/// Whether the role's threads computed the tile.
inline bool isComputed(ws::PutOp put) {
  mlir::Operation *source = put.getValues().front().getDefiningOp();
  return !put.getAref().getType().holdsNumber() &&
         !isa_and_nonnull<ws::GetOp, ws::CopyTileOp, tt::DescriptorLoadOp>(source);
}

/// Whether threads write the tile to its slot, as the dots that read it ask for.
inline bool isConverted(ws::PutOp put) { return isTransposed(put) || isComputed(put); }

} // namespace tawa
