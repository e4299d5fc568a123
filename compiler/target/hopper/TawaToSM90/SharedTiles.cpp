// SharedTiles.cpp: moves of tiles between registers and shared memory (tawa.to_shared, tawa.from_shared).
//
// A buffer is written by all warps of a role and read by all of them, so every write is between two barriers of the
// role: one after the earlier readers of these bytes (in a loop, those of the previous iteration), one before the new
// ones. Both are placed where warps wait anyway: the first at an iteration's first wait for products, or wherever they
// meet for something else, the second before the first reader. Consecutive writes between which no read begins or ends
// share both. wgmma reads through the async proxy: the writers fence towards it, and a write waits for dots that are
// still in flight.
#include "compiler/target/hopper/TawaToSM90/SharedTiles.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/TawaToSM90/SharedAccess.h"
#include "compiler/target/hopper/TawaToSM90/TileReaders.h"
#include "compiler/target/hopper/TawaToSM90/WgmmaDot.h"

using namespace mlir;

namespace tawa {

/// A tile written by a role itself, seen through views; not the slot of a ring.
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

/// Whether the barriers of an operation are in a branch: they may not happen, so they order nothing after it.
static bool meetsInBranch(Operation *op) { return isa<ws::MakeDescriptorOp, ws::NeedsPartOp, ws::CountPartOp>(op); }

/// Whether no thread can have read the tile before this write, because the write happens only once.
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

SharedTileEmitter::SharedTileEmitter(RoleContext &context, RoleBarrier &barrier, SlotReads &slotReads)
    : Emitter(context), barrier(barrier), slotReads(slotReads) {
  barrier.onBarrier([this] {
    isFresh = false;
    haveMet = true;
  });
}

LogicalResult SharedTileEmitter::lower(ws::ToSharedOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  LinearLayout from = ws::layoutOf(op.getSource().getType()).getLayout();
  auto plan = planSharedWrite(from, ws::layoutOf(type).getLayout(), storageBits(type.getElementType()),
                              hasFeature(op, Feature::MatrixStores));
  if (!plan)
    return op.emitOpError() << "the tile in shared memory has no place for every element that registers hold";
  bool waits = shared.hasLateReaders(role());
  if (waits)
    waitForDots(builder, values, op);
  bool areRead = waits ? isFresh : haveMet;
  if (!areRead && metFor != op && !isFirstWrite(op, role()))
    barrier.emit(loc);
  haveMet = true;
  Value tile = builder.add(loc, thread.sharedBase, shared.tile(op));
  writeShared(builder, thread, loc, tile, *plan, Values(values[op.getSource()]), thread.ownsElements(loc, from));
  if (llvm::any_of(readersOfTile(op.getResult()), runsOnWgmma))
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  isFresh = true;
  values[op.getResult()] = {tile};
  return success();
}

void SharedTileEmitter::noteReads(Operation *done) {
  bool mayRead = touchesTiles(done) || isa<ws::DotWaitOp>(done);
  if ((mayRead && !isa<ws::ToSharedOp, tt::ReduceOp>(done)) || meetsInBranch(done))
    haveMet = false;
}

void SharedTileEmitter::publishBefore(Operation *next) {
  bool beginsBlock = next == &next->getBlock()->front() && !isa<tt::ReduceOp>(next->getParentOp());
  haveMet &= !beginsBlock;
  bool isView = next->getNumResults() == 1 && isSharedTile(next->getResult(0).getType());
  bool isEnd = next->hasTrait<OpTrait::IsTerminator>();
  if (isFresh && !isView && (isEnd || touchesTiles(next) || meetsInBranch(next)))
    barrier.emit(next->getLoc());
}

/// The write of a loop's iteration before which the role could meet at this wait: the first of the iteration, for
/// products that it has in flight, while tiles of the iteration before are no longer read.
static ws::ToSharedOp findNextWrite(ws::DotWaitOp wait) {
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

/// A write of an iteration waits for the readers of the previous one. They are done where an iteration waits for its
/// first products, and the tensor cores are busy while warps wait for each other.
void SharedTileEmitter::meetForWrite(ws::DotWaitOp wait) {
  ws::ToSharedOp write = shared.hasLateReaders(role()) ? ws::ToSharedOp() : findNextWrite(wait);
  if (!write)
    return;
  barrier.emit(wait.getLoc());
  metFor = write;
}

LogicalResult SharedTileEmitter::lower(ws::FromSharedOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  LinearLayout to = ws::layoutOf(type).getLayout();
  auto plan =
      planSharedRead(to, ws::layoutOf(op.getSource().getType()).getLayout(), storageBits(type.getElementType()));
  if (!plan)
    return op.emitOpError() << "the tile in shared memory does not hold every element that registers want";
  values[op.getResult()] =
      readShared(builder, thread, loc, one(op.getSource()), *plan, builder.machineType(type.getElementType()), to);
  slotReads.add(op.getSource());
  return success();
}

} // namespace tawa
