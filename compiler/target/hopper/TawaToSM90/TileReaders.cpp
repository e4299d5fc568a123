// TileReaders.cpp: readers of a tile through its views.
#include "compiler/target/hopper/TawaToSM90/TileReaders.h"
#include "compiler/analysis/DotKind.h"

using namespace mlir;

namespace tawa {

bool isSharedTile(Type type) {
  ws::LinearAttr layout = ws::layoutOf(type);
  return layout && layout.isShared();
}

SmallVector<Operation *> readersOfTile(Value tile) {
  SmallVector<Operation *> readers;
  for (Operation *user : tile.getUsers()) {
    bool isView = user->getNumResults() == 1 && isSharedTile(user->getResult(0).getType());
    if (isView)
      readers.append(readersOfTile(user->getResult(0)));
    else
      readers.push_back(user);
  }
  return readers;
}

bool runsOnWgmma(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return planDot(dot, op->getParentOfType<ws::WarpGroupOp>().getWarps()).promoteEvery != 0;
  return isa<ws::DotIssueOp>(op);
}

bool finishesInBlock(ws::DotIssueOp issue) {
  for (Operation *user : issue.getResult().getUsers()) {
    auto wait = dyn_cast<ws::DotWaitOp>(user);
    if (wait && isa<RankedTensorType>(wait.getType()) && wait->getBlock() == issue->getBlock())
      return true;
  }
  return false;
}

} // namespace tawa
