// SlotReads.cpp: one warp barrier for all reads of slots since the last.
#include "compiler/target/hopper/TawaToSM90/SlotReads.h"

using namespace mlir;

namespace tawa {

void SlotReads::add(Value tile) {
  while (Operation *view = tile.getDefiningOp()) {
    isRead |= isa<ws::GetOp>(view);
    if (isa<ws::GetOp, ws::ToSharedOp>(view) || view->getNumOperands() == 0)
      return;
    tile = view->getOperand(0);
  }
}

void SlotReads::joinBefore(Operation *next) {
  if (!isRead || isa<ws::FromSharedOp>(next) ||
      (isMemoryEffectFree(next) && next->getNumRegions() == 0 && !next->hasTrait<OpTrait::IsTerminator>()))
    return;
  builder.create<sm90::WarpSyncOp>(next->getLoc());
  isRead = false;
}

} // namespace tawa
