// Channels.cpp: arefs as mbarriers (paper, section III.E).
//
// Slot i of a ring of depth D has two barriers. `full` completes a phase when one arrival and all bytes of the slot
// have come in (where threads copy tiles, CopyAsync.cpp, also the arrival of each; where they turn them,
// TurnedTiles.cpp, one arrival of each warp instead); `empty` when every warp of the consumer has arrived. Put and get
// number n use slot n mod D in round n div D. A barrier's phase parity alternates with the rounds, so a get waits for
// parity (round & 1) of full, and a put for parity (round & 1) ^ 1 of empty: in round 0 that names the phase before the
// first, which counts as complete, so the first D puts pass (PTX ISA, mbarrier phases).
//
// In a cluster, a ring may be shared (tawa.put .. shared): where the condition holds, each CTA loads one part of a tile
// and TMA writes it to the same place in all CTAs, counting the bytes on the full barrier there. So full barriers
// expect what they always do, whoever sends it, while an empty barrier of a shared ring counts the consumers of all
// CTAs: when it completes, the slot is empty everywhere. Bytes of a peer may come in before this CTA has announced
// them: the arrival that announces is still missing, so the phase cannot end without it.
#include "compiler/analysis/TurnedPut.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

/// Arrivals of one round on a ring's empty barriers: all warps of the role that got the slot (roles that take turns at
/// one ring are of one size), in every CTA that the slot is shared with.
static unsigned emptyArrivals(Value aref, uint32_t cluster) {
  for (Operation *user : aref.getUsers())
    if (isa<ws::GetOp>(user))
      return user->getParentOfType<ws::WarpGroupOp>().getWarps() * (ws::isSharedRing(aref) ? cluster : 1);
  return 1;
}

void KernelLowering::initBarriers(Location loc) {
  for (auto &[aref, ring] : shared.allRings())
    for (uint32_t slot = 0; slot < ring.depth; ++slot) {
      builder.create<sm90::MBarrierInitOp>(loc, add(loc, sharedBase, ring.full + slot * kBarrierBytes),
                                           fullArrivals(aref));
      builder.create<sm90::MBarrierInitOp>(loc, add(loc, sharedBase, ring.empty + slot * kBarrierBytes),
                                           emptyArrivals(aref, cluster));
    }
  for (auto &[op, sum] : shared.allSums())
    for (uint32_t round = 0; round < sum.rounds; ++round) // one arrival announces the bytes
      builder.create<sm90::MBarrierInitOp>(loc, add(loc, sharedBase, sum.barrier(round)), 1);
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
  if (isTurned(put))
    return turnTile(put, slot);
  uint32_t bytes = 0;
  bool copies = false;
  for (auto [value, size] : llvm::zip(put.getValues(), ring.valueBytes)) {
    bool isCopy = value.getDefiningOp<ws::CopyTileOp>() != nullptr;
    bytes += isCopy ? 0 : size;
    copies |= isCopy;
  }
  if (bytes != 0) // TMA loads first: they are on their way while the threads start their copies
    builder.create<sm90::MBarrierArriveExpectTxOp>(loc, slot.full, constant(loc, bytes), leader);
  for (auto [position, offset] : llvm::enumerate(ring.valueOffset))
    if (!put.getValues()[position].getDefiningOp<ws::CopyTileOp>() &&
        failed(startTmaLoads(put, position, slot, offset)))
      return failure();
  for (auto [value, offset] : llvm::zip(put.getValues(), ring.valueOffset))
    if (auto copy = value.getDefiningOp<ws::CopyTileOp>())
      if (failed(startCopies(copy, add(loc, slot.address, offset))))
        return failure();
  if (copies)
    builder.create<sm90::CpAsyncArriveOp>(loc, slot.full);
  return success();
}

LogicalResult KernelLowering::startTmaLoads(ws::PutOp put, unsigned position, const Slot &slot, uint32_t offset) {
  Location loc = put.getLoc();
  auto load = put.getValues()[position].getDefiningOp<tt::DescriptorLoadOp>();
  if (!load)
    return put.emitOpError() << "only tiles loaded through a tensor descriptor can be put";
  Value tile = add(loc, slot.address, offset), shared;
  if (!put.getShared().empty())
    shared = put.getShared()[position];
  if (!shared || matchPattern(shared, m_Zero()))
    return loadBoxes(load, tile, slot.full, /*part=*/false);
  if (matchPattern(shared, m_One()))
    return loadBoxes(load, tile, slot.full, /*part=*/true);
  auto branch = builder.create<scf::IfOp>(loc, one(shared), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(loadBoxes(load, tile, slot.full, /*part=*/true)))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  return loadBoxes(load, tile, slot.full, /*part=*/false);
}

/// A part of a box is a range of its rows. Those lie behind each other in memory, and swizzle patterns begin again
/// after every eighth.
static constexpr uint32_t kSwizzleRows = 8;

static uint32_t bytesOf(ArrayRef<uint32_t> extents, unsigned elementBits) {
  uint32_t bits = elementBits;
  for (uint32_t extent : extents)
    bits *= extent;
  return bits / 8;
}

LogicalResult KernelLowering::loadBoxes(tt::DescriptorLoadOp load, Value tile, Value full, bool part) {
  Location loc = load.getLoc();
  LinearLayout layout = ws::layoutOf(load.getType()).getLayout();
  unsigned bits = load.getType().getElementTypeBitWidth();
  TmaFailure why = TmaFailure::None;
  auto swizzle = findTmaSwizzle(layout, bits);
  auto boxes = swizzle ? deriveTmaBoxes(layout, bits, *swizzle, &why) : std::nullopt;
  if (!boxes)
    return load.emitOpError() << "no TMA box fills this tile: " << describe(why);
  if (part && boxes->front().shape.front() % (kSwizzleRows * cluster) != 0)
    return load.emitOpError() << "a box of " << boxes->front().shape.front() << " rows cannot be shared by " << cluster
                              << " CTAs";
  Value everyCta;
  if (part)
    everyCta = builder.create<arith::ConstantOp>(loc, builder.getI16IntegerAttr((1 << cluster) - 1));
  for (TmaBox &box : *boxes) {
    if (part)
      box.shape.front() /= cluster;
    auto [map, coordinates] = tmaBox(loc, load.getDesc(), load.getIndices(), box.shape, box.origin, *swizzle);
    Value destination = add(loc, tile, box.byteOffset);
    if (part) {
      auto mine = [&](Value base, uint32_t step) -> Value {
        Value moved = builder.create<arith::MulIOp>(loc, clusterRank, constant(loc, step));
        return builder.create<arith::AddIOp>(loc, base, moved);
      };
      Value &row = coordinates[box.shape.size() - 1]; // innermost first
      row = mine(row, box.shape.front());
      destination = mine(destination, bytesOf(box.shape, bits));
    }
    builder.create<sm90::TmaLoadOp>(loc, destination, map, coordinates, full, everyCta, leader);
  }
  return success();
}

void KernelLowering::lowerGet(ws::GetOp get) {
  Location loc = get.getLoc();
  const RingPlan &ring = shared.ring(get.getAref());
  Slot slot = slotOf(loc, ring, one(get.getIndex()));
  builder.create<sm90::MBarrierWaitParityOp>(loc, slot.full, slot.round);
  if (isCopiedTo(get.getAref())) // written by threads, read by wgmma: another proxy
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  for (auto [value, offset] : llvm::zip(get.getValues(), ring.valueOffset))
    values[value] = {add(loc, slot.address, offset)};
}

/// One arrival per warp: the wait before it was executed by the whole warp together, so no wider barrier is needed. To
/// a shared ring as many lanes arrive as there are CTAs, each in another one.
void KernelLowering::lowerConsumed(ws::ConsumedOp consumed) {
  Location loc = consumed.getLoc();
  Slot slot = slotOf(loc, shared.ring(consumed.getAref()), one(consumed.getIndex()));
  bool inCluster = ws::isSharedRing(consumed.getAref());
  Value predicate = laneIsZero;
  if (inCluster)
    predicate = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, lane, constant(loc, cluster));
  if (Value condition = consumed.getCondition())
    predicate = builder.create<arith::AndIOp>(loc, predicate, one(condition));
  if (!inCluster) {
    builder.create<sm90::MBarrierArriveOp>(loc, slot.empty, predicate);
    return;
  }
  Value rank = builder.create<arith::AndIOp>(loc, lane, constant(loc, cluster - 1)); // exists for every lane
  Value empty = builder.create<sm90::MapSharedRankOp>(loc, builder.getI32Type(), slot.empty, rank);
  builder.create<sm90::MBarrierArriveClusterOp>(loc, empty, predicate);
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
