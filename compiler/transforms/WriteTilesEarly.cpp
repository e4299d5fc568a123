// WriteTilesEarly: a tile goes to shared memory before products are issued that do not read it.
//
//   %p = dot_issue %ds, %q, ..                  %t = to_shared %ds
//   %t = to_shared %ds                  ->      %p = dot_issue %ds, %q, ..
//   %o = dot_issue %t, %k, ..                   %o = dot_issue %t, %k, ..
//
// All warps of a role meet between the write and its reader (conversion/TawaToSM90/SharedTiles.cpp). What is issued
// between the two keeps the tensor cores busy meanwhile.
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_WRITETILESEARLY
#include "compiler/transforms/Passes.h.inc"

namespace {

/// The write and the views of registers through which its source is seen, in program order, if nobody else wants those.
SmallVector<Operation *> withViews(ws::ToSharedOp write) {
  SmallVector<Operation *> chain{write};
  for (Operation *view = write.getSource().getDefiningOp(); view; view = view->getOperand(0).getDefiningOp()) {
    if (!isa<tt::TransOp, tt::ReshapeOp>(view) || !view->hasOneUse() || view->getBlock() != write->getBlock())
      break;
    chain.insert(chain.begin(), view);
  }
  return chain;
}

/// A dot that reads slots and registers only, not what its role has written to shared memory.
bool readsNoWrittenTile(ws::DotIssueOp dot) {
  auto isWritten = [](Value tile) {
    while (Operation *view = tile.getDefiningOp()) {
      if (isa<ws::ToSharedOp>(view))
        return true;
      if (!isa<tt::TransOp, tt::ReshapeOp>(view))
        return false;
      tile = view->getOperand(0);
    }
    return true; // carried by a loop: not known
  };
  return !isWritten(dot.getA()) && !isWritten(dot.getB());
}

/// The earliest dot that the chain can come before; null where that is none.
Operation *findEarlierPlace(ArrayRef<Operation *> chain) {
  Operation *place = nullptr, *source = chain.front()->getOperand(0).getDefiningOp();
  for (Operation *op = chain.back()->getPrevNode(); op && op != source; op = op->getPrevNode()) {
    auto dot = dyn_cast<ws::DotIssueOp>(op);
    if (dot && readsNoWrittenTile(dot))
      place = op;
    else if (dot || (!isa<ws::DotBeginOp>(op) && !isMemoryEffectFree(op)))
      break;
  }
  return place;
}

struct WriteTilesEarlyPass : impl::WriteTilesEarlyBase<WriteTilesEarlyPass> {
  using WriteTilesEarlyBase::WriteTilesEarlyBase;

  void runOnOperation() override {
    getOperation().walk([&](ws::ToSharedOp write) {
      SmallVector<Operation *> chain = withViews(write);
      Operation *place = findEarlierPlace(chain);
      if (!place)
        return;
      for (Operation *op : chain)
        op->moveBefore(place);
      ++writes;
    });
  }
};

} // namespace
} // namespace tawa
