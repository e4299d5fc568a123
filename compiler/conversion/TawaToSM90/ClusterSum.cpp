// ClusterSum.cpp: sums of which every CTA of a program has a part (tawa.cluster_sum).
//
// Parts are added pairwise, in rounds: in round i the ranks that are odd multiples of 2^i send theirs to the even
// multiple below and are done; the others receive and add. So the order of additions depends on the number of CTAs
// alone. A thread sends its registers, 16 bytes at a time, to where the same thread of the peer reads them:
//
//   split 4     round 0    0 <- 1, 2 <- 3        byte 16 * (v * threads + thread) of the round's buffer:
//               round 1    0 <- 2                registers 4 * v .. 4 * v + 3
//
// Each round has a buffer and an mbarrier of its own, used once, so nobody need say that a buffer is free:
// - The mbarrier is made before its CTA arrives at the cluster's barrier, at the kernel's begin. Roles that add up wait
//   there before their first sum, the others before they end: by then the peers have begun, and their shared memory
//   exists, but no loop had to wait for that. Bytes may come in before the receiver has announced them: the arrival
//   that announces is still missing, so the phase cannot end without it (as in Channels.cpp).
// - A receiver waits only for a rank above its own, and the highest waits for nobody: no cycle. What a sender does
//   before, its own share of the loop, needs no other CTA.
// - st.async takes its bytes from registers and writes to a CTA that waits for them, so that one lives; when a sender
//   has sent, nobody uses its shared memory any more. So no CTA need wait for others before it exits.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kVectorWords = 4, kWordBytes = 4;

SumPlan planSum(ws::ClusterSumOp op, uint32_t split) {
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  uint32_t registers = ws::layoutOf(type).getLayout().inSize("register");
  uint32_t words = llvm::divideCeil(registers * type.getElementTypeBitWidth(), 8 * kWordBytes);
  SumPlan plan;
  plan.words = std::min(words, kVectorWords);
  plan.vectorBytes = plan.words * kWordBytes * kLanes * op->getParentOfType<ws::WarpGroupOp>().getWarps();
  plan.vectors = words / plan.words;
  plan.rounds = llvm::Log2_32_Ceil(split);
  return plan;
}

/// Where this thread's first vector lies in a round's buffer.
Value KernelLowering::ownPart(Location loc, const SumPlan &plan, uint32_t round) {
  Value first = builder.create<arith::MulIOp>(loc, roleWarp, constant(loc, kLanes));
  Value thread = builder.create<arith::AddIOp>(loc, first, lane);
  Value offset = builder.create<arith::MulIOp>(loc, thread, constant(loc, plan.words * kWordBytes));
  return builder.create<arith::AddIOp>(loc, add(loc, sharedBase, plan.buffer(round)), offset);
}

void KernelLowering::sendPart(Location loc, const SumPlan &plan, uint32_t round, ArrayRef<Value> part) {
  Type i32 = builder.getI32Type();
  Value peer = builder.create<arith::SubIOp>(loc, clusterRank, constant(loc, 1u << round));
  Value place = builder.create<sm90::MapSharedRankOp>(loc, i32, ownPart(loc, plan, round), peer);
  Value full = builder.create<sm90::MapSharedRankOp>(loc, i32, add(loc, sharedBase, plan.barrier(round)), peer);
  Values words = packWords(loc, part);
  for (uint32_t vector = 0; vector < plan.vectors; ++vector)
    builder.create<sm90::StoreAsyncOp>(loc, add(loc, place, vector * plan.vectorBytes),
                                       ValueRange(words).slice(vector * plan.words, plan.words), full);
}

/// What the peer of this round has, added to what this CTA has.
KernelLowering::Values KernelLowering::receivePart(Location loc, const SumPlan &plan, uint32_t round,
                                                   ArrayRef<Value> part) {
  Type element = part.front().getType();
  Value full = add(loc, sharedBase, plan.barrier(round)), place = ownPart(loc, plan, round);
  builder.create<sm90::MBarrierArriveExpectTxOp>(loc, full, constant(loc, plan.roundBytes()), actsForRole(loc));
  builder.create<sm90::MBarrierWaitParityOp>(loc, full, constant(loc, 0), /*acquiresCluster=*/true);
  SmallVector<Type> types(plan.words, wordTypes(element, part.size()).front());
  Values words;
  for (uint32_t vector = 0; vector < plan.vectors; ++vector) {
    auto load = builder.create<sm90::LoadSharedOp>(loc, types, add(loc, place, vector * plan.vectorBytes), Value());
    llvm::append_range(words, load.getResults());
  }
  Values sums;
  for (auto [mine, theirs] : llvm::zip_equal(part, unpackWords(loc, words, element, part.size())))
    sums.push_back(isa<FloatType>(element) ? builder.create<arith::AddFOp>(loc, mine, theirs).getResult()
                                           : builder.create<arith::AddIOp>(loc, mine, theirs).getResult());
  return sums;
}

LogicalResult KernelLowering::lowerClusterSum(ws::ClusterSumOp op) {
  Location loc = op.getLoc();
  const SumPlan &plan = shared.sum(op);
  Values part = values.lookup(op.getTensor());
  if (part.size() * storageBits(part.front().getType()) % (8 * kWordBytes) != 0)
    return op.emitOpError() << "each thread has " << part.size() << " elements of " << part.front().getType()
                            << ", no whole words; use fewer warps or split=1";
  awaitPeers(loc);
  for (uint32_t round = 0; round < plan.rounds; ++round) {
    // Of the ranks left, multiples of 2^round: the odd ones send, the even ones receive if there is one above.
    uint32_t distance = 1u << round;
    Value place = builder.create<arith::AndIOp>(loc, clusterRank, constant(loc, 2 * distance - 1));
    auto isAt = [&](uint32_t bits) -> Value {
      return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, place, constant(loc, bits));
    };
    auto send = builder.create<scf::IfOp>(loc, isAt(distance), /*withElseRegion=*/false);
    Value hasPeer =
        builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, clusterRank, constant(loc, split - distance));
    auto receive = builder.create<scf::IfOp>(loc, ValueRange(part).getTypes(), both(loc, isAt(0), hasPeer),
                                             /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(send.thenBlock());
    sendPart(loc, plan, round, part);
    builder.setInsertionPointToEnd(receive.thenBlock());
    builder.create<scf::YieldOp>(loc, receivePart(loc, plan, round, part));
    builder.setInsertionPointToEnd(receive.elseBlock());
    builder.create<scf::YieldOp>(loc, part);
    part = Values(receive.getResults());
  }
  values[op.getResult()] = part;
  return success();
}

} // namespace tawa
