// ClusterSum.cpp: sums over the CTAs of a program, each of which has a part (tawa.cluster_sum).
//
// Parts are added pairwise, in rounds: in round i the ranks that are odd multiples of 2^i send theirs to the even
// multiple below and are done; the others receive and add. So the order of additions depends only on the number of
// CTAs. A thread sends its registers, 16 bytes at a time, to where the same thread of the peer reads them:
//
//   split 4     round 0    0 <- 1, 2 <- 3        byte 16 * (v * threads + thread) of the round's buffer:
//               round 1    0 <- 2                registers 4 * v .. 4 * v + 3
//
// Each round has an mbarrier of its own, used once, and, where there is room, a buffer:
// - The mbarrier is initialized before its CTA arrives at the cluster barrier, at the start of the kernel. Roles that
//   add
//   up wait there before their first sum, the others before they end: by then the peers have begun, and their shared memory
//   exists, but no loop had to wait for that. Bytes may arrive before the receiver has announced them: the announcing
//   arrival is still missing, so the phase cannot complete without it (as in ArefEmitter.cpp).
// - A receiver waits only for a higher rank, and the highest waits for none, so there is no deadlock. The sender's
//   earlier work, its own share of the loop, needs no other CTA.
// - Where there is no room for buffers, the parts of all rounds lie in the slots of the rings (SharedPlan.cpp). Then a
//   receiver tells the sender that the bytes are free, each warp by one arrival at the sender's `empty` barrier of the
//   round: in round 0 once all warps that read slots have waited for the products that do, so that no copy is on its way
//   either, later once they have added the part before. A sender waits there; receivers wait only for what is earlier in
//   their own program, so there is no deadlock.
// - st.async reads registers and writes to a CTA that waits for the data and is therefore still running; once a sender
//   has sent, its shared memory is not used any more. So no CTA need wait for others before it exits.
#include "compiler/target/hopper/TawaToSM90/ClusterSum.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kWordBytes = 4, kWordBits = 32;

void ClusterSumEmitter::initBarriers(Location loc) {
  for (auto &[op, sum] : shared.allSums()) {
    auto init = [&](uint32_t barrier, uint32_t arrivals) {
      builder.create<sm90::MBarrierInitOp>(loc, builder.add(loc, thread.sharedBase, barrier), arrivals);
    };
    for (uint32_t round = 0; round < sum.rounds; ++round) // one arrival announces the bytes
      init(sum.full(round), 1);
    uint32_t ownWarps = op->getParentOfType<ws::WarpGroupOp>().getWarps();
    for (uint32_t round = 0; sum.usesRings && round < sum.rounds; ++round)
      init(sum.empty(round), round == 0 ? shared.summingWarps() : ownWarps);
  }
}

Value ClusterSumEmitter::ofPeer(Location loc, uint32_t barrier, Value peer) {
  return builder.create<sm90::MapSharedRankOp>(loc, builder.getI32Type(), builder.add(loc, thread.sharedBase, barrier),
                                               peer);
}

/// Of each warp, to the sender of the round.
void ClusterSumEmitter::announceBuffer(Location loc, uint32_t empty, uint32_t round) {
  Value peer = builder.create<arith::AddIOp>(loc, cluster.rank, builder.constant(loc, 1u << round));
  builder.create<sm90::WarpSyncOp>(loc); // after the reads of all lanes
  builder.create<sm90::MBarrierArriveClusterOp>(loc, ofPeer(loc, empty, peer), thread.laneIsZero);
}

/// This role reads no slot any more: of all sums, also those of other roles, the first part may come.
void ClusterSumEmitter::announceRings(Location loc) {
  if (std::exchange(hasReadRings, true))
    return;
  for (auto &[op, sum] : shared.allSums())
    announceBuffer(loc, sum.empty(0), 0);
}

/// Address of this thread's first vector in a round's buffer.
Value ClusterSumEmitter::ownPart(Location loc, const ClusterSumPlan &plan, uint32_t round) {
  Value first = builder.create<arith::MulIOp>(loc, thread.warp, builder.constant(loc, kLanes));
  Value number = builder.create<arith::AddIOp>(loc, first, thread.lane);
  Value offset = builder.create<arith::MulIOp>(loc, number, builder.constant(loc, plan.words * kWordBytes));
  return builder.create<arith::AddIOp>(loc, builder.add(loc, thread.sharedBase, plan.buffer(round)), offset);
}

void ClusterSumEmitter::sendPart(Location loc, const ClusterSumPlan &plan, uint32_t round, ArrayRef<Value> part) {
  Type i32 = builder.getI32Type();
  Value peer = builder.create<arith::SubIOp>(loc, cluster.rank, builder.constant(loc, 1u << round));
  if (plan.usesRings)
    builder.create<sm90::MBarrierWaitParityOp>(loc, builder.add(loc, thread.sharedBase, plan.empty(round)),
                                               builder.constant(loc, 0));
  Value place = builder.create<sm90::MapSharedRankOp>(loc, i32, ownPart(loc, plan, round), peer);
  Value full = ofPeer(loc, plan.full(round), peer);
  Values words = builder.packWords(loc, part);
  for (uint32_t vector = 0; vector < plan.vectors; ++vector)
    builder.create<sm90::StoreAsyncOp>(loc, builder.add(loc, place, vector * plan.vectorBytes),
                                       ValueRange(words).slice(size_t{vector} * plan.words, plan.words), full);
}

/// Adds the part of this round's peer to this CTA's own.
Values ClusterSumEmitter::receivePart(Location loc, const ClusterSumPlan &plan, uint32_t round, ArrayRef<Value> part) {
  Type element = part.front().getType();
  if (plan.usesRings && round == 0)
    announceRings(loc);
  else if (plan.usesRings)
    announceBuffer(loc, plan.empty(round), round);
  Value full = builder.add(loc, thread.sharedBase, plan.full(round)), place = ownPart(loc, plan, round);
  builder.create<sm90::MBarrierArriveExpectTxOp>(loc, full, builder.constant(loc, plan.roundBytes()),
                                                 thread.actsForRole(loc));
  builder.create<sm90::MBarrierWaitParityOp>(loc, full, builder.constant(loc, 0), /*acquiresCluster=*/true);
  SmallVector<Type> types(plan.words, builder.wordTypes(element, part.size()).front());
  Values words;
  for (uint32_t vector = 0; vector < plan.vectors; ++vector) {
    auto load =
        builder.create<sm90::LoadSharedOp>(loc, types, builder.add(loc, place, vector * plan.vectorBytes), Value());
    llvm::append_range(words, load.getResults());
  }
  Values sums;
  for (auto [mine, theirs] : llvm::zip_equal(part, builder.unpackWords(loc, words, element, part.size())))
    sums.push_back(isa<FloatType>(element) ? builder.create<arith::AddFOp>(loc, mine, theirs).getResult()
                                           : builder.create<arith::AddIOp>(loc, mine, theirs).getResult());
  return sums;
}

/// Of the ranks left, multiples of 2^round, the odd ones send, the even ones receive if there is one above.
Values ClusterSumEmitter::addRound(Location loc, const ClusterSumPlan &plan, uint32_t round, const Values &part) {
  uint32_t distance = 1u << round;
  Value place = builder.create<arith::AndIOp>(loc, cluster.ofSum, builder.constant(loc, 2 * distance - 1));
  auto isAt = [&](uint32_t bits) -> Value {
    return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, place, builder.constant(loc, bits));
  };
  auto send = builder.create<scf::IfOp>(loc, isAt(distance), /*withElseRegion=*/false);
  Value hasPeer = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, cluster.ofSum,
                                                builder.constant(loc, cluster.split - distance));
  auto receive = builder.create<scf::IfOp>(loc, ValueRange(part).getTypes(), builder.both(loc, isAt(0), hasPeer),
                                           /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(send.thenBlock());
  sendPart(loc, plan, round, part);
  builder.setInsertionPointToEnd(receive.thenBlock());
  builder.create<scf::YieldOp>(loc, receivePart(loc, plan, round, part));
  builder.setInsertionPointToEnd(receive.elseBlock());
  builder.create<scf::YieldOp>(loc, part);
  return Values(receive.getResults());
}

LogicalResult ClusterSumEmitter::lower(ws::ClusterSumOp op) {
  Location loc = op.getLoc();
  const ClusterSumPlan &plan = shared.sum(op);
  Values part = values.lookup(op.getTensor());
  if (part.size() * storageBits(part.front().getType()) % (kWordBits) != 0)
    return op.emitOpError() << "each thread has " << part.size() << " elements of " << part.front().getType()
                            << ", no whole words; use fewer warps or split=1";
  sync.awaitPeers(loc);
  for (uint32_t round = 0; round < plan.rounds; ++round)
    part = addRound(loc, plan, round, part);
  values[op.getResult()] = part;
  return success();
}

} // namespace tawa
