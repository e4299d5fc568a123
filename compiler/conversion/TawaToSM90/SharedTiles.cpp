// SharedTiles.cpp: tiles between registers and shared memory (tawa.to_shared, tawa.from_shared).
//
// A buffer is written by all warps of a role and read by all of them, so every write stands between two barriers of the
// role: one behind the earlier readers of these bytes (in a loop, those of the iteration before), one before the new
// ones. Both stand where warps have something to wait for anyway: the first at an iteration's first wait for products,
// the second before the first reader. Writes that follow each other without a reader between share both. wgmma reads
// through the async proxy: the writers fence towards it, and a write waits for dots that are still in flight.
#include "compiler/analysis/DotKind.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

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

/// A tile that a role writes itself, seen through views; not the slot of a ring.
static bool isWrittenTile(Value tile) {
  if (!isSharedTile(tile.getType()))
    return false;
  Operation *source = tile.getDefiningOp();
  while (source && source->getNumOperands() == 1 && !isa<ws::GetOp, ws::ToSharedOp>(source))
    source = source->getOperand(0).getDefiningOp();
  return !isa_and_nonnull<ws::GetOp>(source);
}

/// Whether an operation may read or write tiles of the role, or scratch.
static bool touchesTiles(Operation *op) {
  return isa<ws::ToSharedOp, tt::DotOp>(op) || op->getNumRegions() != 0 ||
         llvm::any_of(op->getOperands(), isWrittenTile);
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
  if (!tileIsFresh && metFor != op && !isFirstWrite(op, role))
    roleBarrier(loc);
  Value tile = add(loc, sharedBase, shared.tile(op));
  writeShared(loc, tile, *plan, Values(values[op.getSource()]), ownsElements(loc, from));
  if (llvm::any_of(readersOfTile(op.getResult()), runsOnWgmma))
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  tileIsFresh = true;
  values[op.getResult()] = {tile};
  return success();
}

/// Tiles that were written, if they have no barrier yet, get it where they may be read or this is not followed further.
void KernelLowering::publishTiles(Operation *next) {
  bool isView = next->getNumResults() == 1 && isSharedTile(next->getResult(0).getType());
  bool isEnd = next->hasTrait<OpTrait::IsTerminator>();
  if (tileIsFresh && !isView && (isEnd || touchesTiles(next)))
    roleBarrier(next->getLoc());
}

/// The write of a loop's iteration before which the role could meet at this wait: the first of the iteration, for
/// products that it has under way, while tiles of the iteration before are no longer read.
static ws::ToSharedOp findWriteBehind(ws::DotWaitOp wait) {
  if (!isa<scf::ForOp>(wait->getParentOp()))
    return {};
  bool isUnderWay = false;
  for (Operation &op : *wait->getBlock()) {
    if (&op == wait)
      break;
    if (isa<ws::DotWaitOp>(op) || touchesTiles(&op))
      return {};
    isUnderWay |= isa<ws::DotIssueOp>(op);
  }
  for (Operation *op = wait->getNextNode(); op && isUnderWay; op = op->getNextNode()) {
    if (auto write = dyn_cast<ws::ToSharedOp>(op))
      return write;
    if (touchesTiles(op))
      break;
  }
  return {};
}

/// A write of an iteration waits for all who read in the one before. They are behind that where an iteration waits for
/// its first products, and the tensor cores have something to do while warps wait for each other.
void KernelLowering::meetForWrite(ws::DotWaitOp wait) {
  ws::ToSharedOp write = shared.hasLateReaders(role) ? ws::ToSharedOp() : findWriteBehind(wait);
  if (!write)
    return;
  roleBarrier(wait.getLoc());
  metFor = write;
}

/// A slot is given back by one lane of each warp: the others must have read it by then.
void KernelLowering::endSlotRead(Value tile) {
  while (Operation *view = tile.getDefiningOp()) {
    slotIsRead |= isa<ws::GetOp>(view);
    if (isa<ws::GetOp, ws::ToSharedOp>(view) || view->getNumOperands() == 0)
      return;
    tile = view->getOperand(0);
  }
}

/// Reads of slots meet their warp where something else than arithmetic follows: until then they may be put off.
void KernelLowering::joinSlotReads(Operation *next) {
  if (!slotIsRead || isa<ws::FromSharedOp>(next) ||
      (isMemoryEffectFree(next) && next->getNumRegions() == 0 && !next->hasTrait<OpTrait::IsTerminator>()))
    return;
  builder.create<sm90::WarpSyncOp>(next->getLoc());
  slotIsRead = false;
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
  endSlotRead(op.getSource());
  return success();
}

} // namespace tawa
