// SharedTiles.cpp: tiles between registers and shared memory (tawa.to_shared, tawa.from_shared).
//
// A buffer is written by all warps of a role and read by all of them, so every write stands between two barriers of the
// role: one behind the earlier readers of these bytes (in a loop, those of the iteration before), one before the new
// ones. Writes that follow each other without a reader between share both. wgmma reads through the async proxy: the
// writers fence towards it, and a write waits for dots that are still in flight.
#include "compiler/analysis/DotKind.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

static bool isSharedTile(Type type) {
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

/// The next operation of the block that has to do with shared memory is another write: the barrier behind this write
/// can wait for that one.
static bool anotherWriteFollows(Operation *write) {
  for (Operation *op = write->getNextNode(); op; op = op->getNextNode()) {
    if (isa<ws::ToSharedOp>(op))
      return true;
    bool reads = llvm::any_of(op->getOperandTypes(), isSharedTile) && !isMemoryEffectFree(op);
    if (reads || op->getNumRegions() != 0 || isa<tt::DotOp>(op))
      return false;
  }
  return false;
}

/// Nobody can have read a tile of the role before its first write, as long as that happens once.
static bool isFirstWrite(Operation *write, ws::WarpGroupOp role) {
  if (write->getParentOp() != role)
    return false;
  Operation *first = nullptr;
  role.walk<WalkOrder::PreOrder>([&](ws::ToSharedOp op) {
    first = op;
    return WalkResult::interrupt();
  });
  return first == write;
}

/// Groups of dots that still read shared memory when `at` is reached end here. The accumulators that are in flight at
/// this place pass through the wait.
void KernelLowering::waitForDots(Operation *at) {
  SmallVector<Value> live;
  auto consider = [&](Value value) {
    if (!isa<ws::InflightType>(value.getType()) || !values.count(value))
      return;
    for (Operation *user : value.getUsers())
      if (Operation *here = at->getBlock()->findAncestorOpInBlock(*user);
          here && (here == at || at->isBeforeInBlock(here)))
        return live.push_back(value);
  };
  llvm::for_each(at->getBlock()->getArguments(), consider);
  for (Operation &op : *at->getBlock()) {
    if (&op == at)
      break;
    llvm::for_each(op.getResults(), consider);
  }
  Values operands;
  for (Value value : live)
    llvm::append_range(operands, values[value]);
  auto wait = builder.create<sm90::WgmmaWaitOp>(at->getLoc(), llvm::to_vector(ValueRange(operands).getTypes()),
                                                /*pendings=*/0, operands);
  ValueRange waited = wait.getResults();
  for (Value value : live) {
    size_t count = values[value].size();
    values[value] = Values(waited.take_front(count));
    waited = waited.drop_front(count);
  }
}

LogicalResult KernelLowering::lowerToShared(ws::ToSharedOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  LinearLayout from = ws::layoutOf(op.getSource().getType()).getLayout();
  auto plan = planSharedAccess(from, ws::layoutOf(type).getLayout(), storageBits(type.getElementType()));
  if (!plan)
    return op.emitOpError() << "the tile in shared memory has no place for every element that registers hold";
  if (shared.hasLateReaders(role))
    waitForDots(op);
  if (!tileWriteFollows && !isFirstWrite(op, role))
    roleBarrier(loc);
  Value tile = add(loc, sharedBase, shared.tile(op));
  writeShared(loc, tile, *plan, Values(values[op.getSource()]), ownsElements(loc, from));
  if (llvm::any_of(readersOfTile(op.getResult()), runsOnWgmma))
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  tileWriteFollows = anotherWriteFollows(op);
  if (!tileWriteFollows)
    roleBarrier(loc);
  values[op.getResult()] = {tile};
  return success();
}

/// A slot is given back by one lane of each warp: the others must have read it by then.
void KernelLowering::endSlotRead(Location loc, Value tile) {
  while (Operation *view = tile.getDefiningOp()) {
    if (isa<ws::GetOp>(view))
      builder.create<sm90::WarpSyncOp>(loc);
    if (isa<ws::GetOp, ws::ToSharedOp>(view) || view->getNumOperands() == 0)
      return;
    tile = view->getOperand(0);
  }
}

LogicalResult KernelLowering::lowerFromShared(ws::FromSharedOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  LinearLayout to = ws::layoutOf(type).getLayout();
  auto plan =
      planSharedAccess(to, ws::layoutOf(op.getSource().getType()).getLayout(), storageBits(type.getElementType()));
  if (!plan)
    return op.emitOpError() << "the tile in shared memory does not hold every element that registers want";
  values[op.getResult()] = readShared(loc, one(op.getSource()), *plan, machineType(type.getElementType()), to);
  endSlotRead(loc, op.getSource());
  return success();
}

} // namespace tawa
