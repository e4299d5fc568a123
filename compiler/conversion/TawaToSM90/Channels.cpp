// Channels.cpp: arefs as mbarriers (paper, section III.E).
//
// Slot i of a ring of depth D has two barriers. `full` completes a phase when one arrival and all bytes of the slot
// have come in (where threads copy tiles, CopyAsync.cpp, also the arrival of each); `empty` when every warp of the
// consumer has arrived. Put and get number n use slot n mod D in round n div D. A barrier's phase parity alternates
// with the rounds, so a get waits for parity (round & 1) of full, and a put for parity (round & 1) ^ 1 of empty: in
// round 0 that names the phase before the first, which counts as complete, so the first D puts pass (PTX ISA, mbarrier
// phases).
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

/// Warps that arrive on a ring's empty barriers: all warps of the role that got the slot. Roles that take turns at one
/// ring are of one size.
static unsigned releasingWarps(Value aref) {
  for (Operation *user : aref.getUsers())
    if (isa<ws::GetOp>(user))
      return user->getParentOfType<ws::WarpGroupOp>().getWarps();
  return 1;
}

void KernelLowering::initBarriers(Location loc) {
  for (auto &[aref, ring] : shared.allRings())
    for (uint32_t slot = 0; slot < ring.depth; ++slot) {
      builder.create<sm90::MBarrierInitOp>(loc, add(loc, sharedBase, ring.full + slot * kBarrierBytes),
                                           fullArrivals(aref));
      builder.create<sm90::MBarrierInitOp>(loc, add(loc, sharedBase, ring.empty + slot * kBarrierBytes),
                                           releasingWarps(aref));
    }
  builder.create<sm90::FenceMBarrierInitOp>(loc);
}

KernelLowering::Slot KernelLowering::slotOf(Location loc, const RingPlan &ring, Value index) {
  Value depth = constant(loc, ring.depth);
  Value slot = builder.create<arith::RemUIOp>(loc, index, depth);
  Value round = builder.create<arith::DivUIOp>(loc, index, depth);
  auto at = [&](uint32_t base, uint32_t stride) -> Value {
    Value offset = builder.create<arith::MulIOp>(loc, slot, constant(loc, stride));
    return builder.create<arith::AddIOp>(loc, add(loc, sharedBase, base), offset);
  };
  return {at(ring.slots, ring.slotBytes), at(ring.full, kBarrierBytes), at(ring.empty, kBarrierBytes),
          builder.create<arith::AndIOp>(loc, round, constant(loc, 1))};
}

LogicalResult KernelLowering::lowerPut(ws::PutOp put) {
  Location loc = put.getLoc();
  const RingPlan &ring = shared.ring(put.getAref());
  Slot slot = slotOf(loc, ring, one(put.getIndex()));
  Value parity = builder.create<arith::XOrIOp>(loc, slot.round, constant(loc, 1));
  builder.create<sm90::MBarrierWaitParityOp>(loc, slot.empty, parity);
  uint32_t bytes = 0;
  bool copies = false;
  for (auto [value, size] : llvm::zip(put.getValues(), ring.valueBytes)) {
    bool isCopy = value.getDefiningOp<ws::CopyTileOp>() != nullptr;
    bytes += isCopy ? 0 : size;
    copies |= isCopy;
  }
  if (bytes != 0) // TMA loads first: they are on their way while the threads start their copies
    builder.create<sm90::MBarrierArriveExpectTxOp>(loc, slot.full, constant(loc, bytes), leader);
  for (auto [value, offset] : llvm::zip(put.getValues(), ring.valueOffset))
    if (!value.getDefiningOp<ws::CopyTileOp>() && failed(startTmaLoads(put, value, slot, offset)))
      return failure();
  for (auto [value, offset] : llvm::zip(put.getValues(), ring.valueOffset))
    if (auto copy = value.getDefiningOp<ws::CopyTileOp>())
      if (failed(startCopies(copy, add(loc, slot.address, offset))))
        return failure();
  if (copies)
    builder.create<sm90::CpAsyncArriveOp>(loc, slot.full);
  return success();
}

LogicalResult KernelLowering::startTmaLoads(ws::PutOp put, Value value, const Slot &slot, uint32_t offset) {
  Location loc = put.getLoc();
  auto load = value.getDefiningOp<tt::DescriptorLoadOp>();
  if (!load)
    return put.emitOpError() << "only tiles loaded through a tensor descriptor can be put";
  auto type = cast<RankedTensorType>(value.getType());
  LinearLayout layout = ws::layoutOf(type).getLayout();
  unsigned bits = type.getElementTypeBitWidth();
  TmaFailure why = TmaFailure::None;
  auto swizzle = findTmaSwizzle(layout, bits);
  auto boxes = swizzle ? deriveTmaBoxes(layout, bits, *swizzle, &why) : std::nullopt;
  if (!boxes)
    return load.emitOpError() << "no TMA box fills this tile: " << describe(why);
  for (const TmaBox &box : *boxes) {
    auto [map, coordinates] = tmaBox(loc, load.getDesc(), load.getIndices(), box.shape, box.origin, *swizzle);
    builder.create<sm90::TmaLoadOp>(loc, add(loc, slot.address, offset + box.byteOffset), map, coordinates, slot.full,
                                    /*multicast=*/Value(), leader);
  }
  return success();
}

void KernelLowering::lowerGet(ws::GetOp get) {
  Location loc = get.getLoc();
  const RingPlan &ring = shared.ring(get.getAref());
  Slot slot = slotOf(loc, ring, one(get.getIndex()));
  builder.create<sm90::MBarrierWaitParityOp>(loc, slot.full, slot.round);
  if (fullArrivals(get.getAref()) > 1) // written by threads, read by wgmma: another proxy
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  for (auto [value, offset] : llvm::zip(get.getValues(), ring.valueOffset))
    values[value] = {add(loc, slot.address, offset)};
}

/// One arrival per warp: the wait before it was executed by the whole warp together, so no wider barrier is needed.
void KernelLowering::lowerConsumed(ws::ConsumedOp consumed) {
  Location loc = consumed.getLoc();
  Slot slot = slotOf(loc, shared.ring(consumed.getAref()), one(consumed.getIndex()));
  Value predicate = laneIsZero;
  if (Value condition = consumed.getCondition())
    predicate = builder.create<arith::AndIOp>(loc, predicate, one(condition));
  builder.create<sm90::MBarrierArriveOp>(loc, slot.empty, predicate);
}

/// A turn is a named barrier of two roles: the one whose turn it is waits, the one that hands it over only arrives.
/// Barrier 0 is the kernel's, the next ones belong to the roles (Scratch.cpp), then come the turns.
void KernelLowering::lowerTurn(Location loc, uint32_t turn, Value condition, bool waits) {
  auto roles = source.getOps<ws::WarpGroupOp>();
  auto id = static_cast<uint32_t>(std::distance(roles.begin(), roles.end())) + 1 + turn;
  uint32_t threads = 2 * role.getWarps() * kLanes;
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto branch = builder.create<scf::IfOp>(loc, one(condition), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  if (waits)
    builder.create<sm90::BarrierSyncOp>(loc, id, threads);
  else
    builder.create<sm90::BarrierArriveOp>(loc, id, threads);
}

} // namespace tawa
