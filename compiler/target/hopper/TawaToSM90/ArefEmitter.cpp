// ArefEmitter.cpp: lowers arefs to mbarriers (paper, section III.E).
//
// Slot i of a ring of depth D has two barriers. `full` completes a phase after one arrival and all bytes of the slot
// (where threads copy tiles, CopyAsync.cpp, also one arrival per thread, or per warp where these go through registers;
// where they convert them, ConvertTiles.cpp, one arrival per warp instead; of a number, that of the thread that
// writes it); `empty` when every warp of the consumer has arrived. Put and get number n use slot n mod D in round n div
// D. A barrier's phase parity alternates with the rounds, so a get waits for parity (round & 1) of full, and a put for
// parity (round & 1) ^ 1 of empty: in round 0 that names the phase before the first, which counts as complete, so the
// first D puts pass (PTX ISA, mbarrier phases).
//
// In a cluster, a ring may be shared (tawa.put .. shared): where the condition holds, each CTA loads one part of a tile
// and TMA multicasts it to the same place in all CTAs, counting the bytes on the full barrier there. So full barriers
// expect the same bytes, whichever CTA sends them, while an empty barrier of a shared ring counts the consumers of all
// CTAs: when it completes, the slot is empty everywhere. Bytes of a peer may arrive before this CTA has announced them:
// the announcing arrival is still missing, so the phase cannot complete without it.
#include "compiler/target/hopper/TawaToSM90/ArefEmitter.h"
#include "compiler/analysis/ConvertingPut.h"
#include "compiler/target/hopper/TawaToSM90/TileReaders.h"

using namespace mlir;

namespace tawa {

/// Arrivals per round on a ring's empty barriers: all warps of the role that got the slot (roles that alternate on one
/// ring have the same size), in every CTA that shares the slot.
static unsigned emptyArrivals(Value aref, uint32_t programs) {
  for (Operation *user : aref.getUsers())
    if (isa<ws::GetOp>(user))
      return user->getParentOfType<ws::WarpGroupOp>().getWarps() * (ws::isMulticastRing(aref) ? programs : 1);
  return 1;
}

/// How values of a put come to the slot.
struct Fetches {
  bool byTma = false, byCopies = false, byRegisters = false;

  explicit Fetches(ws::PutOp put) {
    for (Value value : put.getValues()) {
      auto copy = value.getDefiningOp<ws::CopyTileOp>();
      (!copy ? byTma : goesThroughRegisters(copy) ? byRegisters : byCopies) = true;
    }
  }
};

static bool isCopy(Value value) { return value.getDefiningOp<ws::CopyTileOp>() != nullptr; }

/// Arrivals of one round on the full barriers of a ring.
static uint32_t fullArrivals(Value aref) {
  if (cast<ws::ArefType>(aref.getType()).holdsNumber())
    return 1;
  uint32_t arrivals = 0;
  for (Operation *user : aref.getUsers()) {
    auto put = dyn_cast<ws::PutOp>(user);
    if (!put)
      continue;
    uint32_t warps = put->getParentOfType<ws::WarpGroupOp>().getWarps();
    Fetches fetches(put);
    arrivals = isConverted(put) ? warps
                                : (fetches.byTma ? 1 : 0) + (fetches.byCopies ? warps * kLanes : 0) +
                                      (fetches.byRegisters ? warps : 0);
  }
  return std::max(arrivals, 1u);
}

void ArefEmitter::initBarriers(Location loc) {
  for (auto &[aref, ring] : shared.allRings())
    for (uint32_t slot = 0; slot < ring.depth; ++slot) {
      builder.create<sm90::MBarrierInitOp>(loc, builder.add(loc, thread.sharedBase, ring.fullBarrier(slot)),
                                           fullArrivals(aref));
      builder.create<sm90::MBarrierInitOp>(loc, builder.add(loc, thread.sharedBase, ring.emptyBarrier(slot)),
                                           emptyArrivals(aref, cluster.programs));
    }
}

RingSlot ArefEmitter::slotOf(Location loc, Value aref, Value index) {
  return tawa::slotOf(builder, thread, loc, shared.ring(aref), one(index));
}

LogicalResult ArefEmitter::lower(ws::PutOp put) {
  Location loc = put.getLoc();
  RingSlot slot = slotOf(loc, put.getAref(), put.getIndex());
  builder.create<sm90::MBarrierWaitParityOp>(loc, slot.empty, parityBefore(builder, loc, slot));
  if (put.getAref().getType().holdsNumber())
    return putNumber(put, slot), success();
  return isConverted(put) ? converts.lower(put, slot) : fillSlot(put, slot);
}

/// By the thread that acts for the role, which waited for the slot like all others.
void ArefEmitter::putNumber(ws::PutOp put, const RingSlot &slot) {
  Location loc = put.getLoc();
  Value actor = thread.actsForRole(loc);
  builder.create<sm90::StoreSharedOp>(loc, slot.address, one(put.getValues().front()), actor);
  builder.create<sm90::FenceProxyAsyncOp>(loc); // as after all writes to slots
  builder.create<sm90::MBarrierArriveOp>(loc, slot.full, actor);
}

LogicalResult ArefEmitter::fillSlot(ws::PutOp put, const RingSlot &slot) {
  Location loc = put.getLoc();
  const RingPlan &ring = shared.ring(put.getAref());
  uint32_t bytes = 0;
  for (auto [value, size] : llvm::zip(put.getValues(), ring.valueBytes))
    bytes += isCopy(value) ? 0 : size;
  if (bytes != 0) // TMA loads first: they are on their way while the threads start their copies
    builder.create<sm90::MBarrierArriveExpectTxOp>(loc, slot.full, builder.constant(loc, bytes), thread.leader);
  if (failed(loads.start(put, slot, ring.valueOffset)))
    return failure();
  Fetches fetches(put);
  for (bool throughRegisters : {false, true})
    for (auto [value, offset] : llvm::zip(put.getValues(), ring.valueOffset)) {
      auto copy = value.getDefiningOp<ws::CopyTileOp>();
      if (!copy || goesThroughRegisters(copy) != throughRegisters)
        continue;
      Value tile = builder.add(loc, slot.address, offset);
      if (failed(throughRegisters ? copies.move(copy, tile) : copies.start(copy, tile)))
        return failure();
    }
  if (fetches.byRegisters)
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  if (fetches.byCopies)
    builder.create<sm90::CpAsyncArriveOp>(loc, slot.full);
  if (fetches.byRegisters) {
    builder.create<sm90::WarpSyncOp>(loc); // after the writes of all lanes
    builder.create<sm90::MBarrierArriveOp>(loc, slot.full, thread.laneIsZero);
  }
  return success();
}

static bool multiplies(ws::WarpGroupOp role) {
  return role.walk([](Operation *op) { return runsOnWgmma(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

LogicalResult ArefEmitter::lower(ws::GetOp get) {
  Location loc = get.getLoc();
  RingSlot slot = slotOf(loc, get.getAref(), get.getIndex());
  builder.create<sm90::MBarrierWaitParityOp>(loc, slot.full, slot.round);
  if (isCopiedTo(get.getAref()) && multiplies(role())) // written by threads, read by wgmma: another proxy
    builder.create<sm90::FenceProxyAsyncOp>(loc);
  if (get.getAref().getType().holdsNumber())
    return getNumber(get, slot), success();
  for (auto [value, offset] : llvm::zip(get.getValues(), shared.ring(get.getAref()).valueOffset))
    values[value] = {builder.add(loc, slot.address, offset)};
  return success();
}

void ArefEmitter::getNumber(ws::GetOp get, const RingSlot &slot) {
  Location loc = get.getLoc();
  Value number = get.getValues().front();
  auto load = builder.create<sm90::LoadSharedOp>(loc, TypeRange{number.getType()}, slot.address, Value());
  builder.create<sm90::WarpSyncOp>(loc); // one lane gives the slot back for all
  values[number] = {load.getResult(0)};
}

/// One arrival per warp: the wait before it was executed by the whole warp together, so no wider barrier is needed. To
/// a shared ring as many lanes arrive as there are CTAs, each in another one.
LogicalResult ArefEmitter::lower(ws::ConsumedOp consumed) {
  Location loc = consumed.getLoc();
  if (shared.staging(role()).slotOf == consumed.getAref()) {
    builder.create<sm90::BulkWaitOp>(loc, 0, /*read=*/true);
    builder.create<sm90::WarpSyncOp>(loc); // one lane releases the slot for all
  }
  RingSlot slot = slotOf(loc, consumed.getAref(), consumed.getIndex());
  bool inCluster = ws::isMulticastRing(consumed.getAref());
  Value predicate = thread.laneIsZero;
  if (inCluster)
    predicate = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, thread.lane,
                                              builder.constant(loc, cluster.programs));
  if (Value condition = consumed.getCondition())
    predicate = builder.create<arith::AndIOp>(loc, predicate, one(condition));
  if (!inCluster) {
    builder.create<sm90::MBarrierArriveOp>(loc, slot.empty, predicate);
    return success();
  }
  Value rank = builder.create<arith::AndIOp>(loc, thread.lane,
                                             builder.constant(loc, cluster.programs - 1)); // exists for every lane
  if (cluster.split != 1) {
    Value first = builder.create<arith::MulIOp>(loc, rank, builder.constant(loc, cluster.split));
    rank = builder.create<arith::AddIOp>(loc, first, cluster.ofSum);
  }
  Value empty = builder.create<sm90::MapSharedRankOp>(loc, builder.getI32Type(), slot.empty, rank);
  builder.create<sm90::MBarrierArriveClusterOp>(loc, empty, predicate);
  return success();
}

/// As the next puts into all slots would wait.
LogicalResult ArefEmitter::lower(ws::ProducerTailOp tail) {
  Location loc = tail.getLoc();
  for (uint32_t ahead = 0; ahead < shared.ring(tail.getAref()).depth; ++ahead) {
    RingSlot slot =
        tawa::slotOf(builder, thread, loc, shared.ring(tail.getAref()), builder.add(loc, one(tail.getIndex()), ahead));
    builder.create<sm90::MBarrierWaitParityOp>(loc, slot.empty, parityBefore(builder, loc, slot));
  }
  return success();
}

} // namespace tawa
