// PipelineDots: asynchronous dots, P in flight, with the delayed release (paper, section III.D.1).
//
//   for iter_args(%acc, %n) {                      for iter_args(%acc: inflight, %n) {
//     %a, %b = tawa.get %r[%n]                       %a, %b = tawa.get %r[%n]
//     %acc1 = tt.dot %a, %b, %acc            ->      %i = tawa.dot_issue %a, %b, %acc
//     tawa.consumed %r[%n]                           %acc1 = tawa.dot_wait %i pendings(P - 1)
//   }                                                tawa.consumed %r[%n - (P - 1)] if %n - %n0 >= P - 1
//                                                  }
//                                                  %sum = tawa.dot_wait .. pendings(0), then the last P - 1 slots
//
// A wait with P - 1 pendings retires the group issued P - 1 iterations ago, so that is the slot whose reader is known
// to be done. A sum that starts from zeros is not initialized: its first dot replaces the accumulator instead of adding
// to it, and a branch skips a loop without iterations. With D = P the producer can only refill that one slot: D = P = 1
// is legal and simply does not overlap.
//
// Several dots of a loop that only accumulate are issued, and stay in flight, together; of those that continue each
// other's sums, the loop carries the last one's. Dots whose results are read in their iteration, or that share a loop
// with such, are in flight together within their block (AsyncDotGroups.h). Dots that wgmma does not take
// (analysis/DotKind.h) stay as they are, and so do those with promoted sums: their accumulator is in ordinary registers
// between one piece and the next.
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/AsyncDotGroups.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/StartDot.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tawa-pipeline-dots"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PIPELINEDOTS
#include "compiler/roles/Passes.h.inc"

namespace {

/// Why the last dot of a chain has to be waited for at once; nothing if it may stay in flight across its loop's back
/// edge.
std::optional<RejectReason> whyNotPipelined(tt::DotOp dot) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  auto accumulator = dyn_cast<BlockArgument>(firstOfChain(dot).getC());
  if (!loop || !accumulator || accumulator.getOwner() != loop.getBody() || accumulator == loop.getInductionVar())
    return RejectReason::NotInnermostAccumulation;
  Value yielded = loop.getYieldedValues()[accumulator.getArgNumber() - 1];
  if (yielded != dot.getResult())
    return RejectReason::NotInnermostAccumulation;
  if (!accumulator.hasOneUse() || !dot.getResult().hasOneUse())
    return RejectReason::AccumulatorReadInLoop;
  return std::nullopt;
}

/// The same for all dots of a loop, in program order. Several of them stay in flight together: one wait covers all, so
/// nothing that waits or releases may be between them.
std::optional<RejectReason> whyNotPipelined(ArrayRef<tt::DotOp> dots) {
  for (tt::DotOp dot : dots)
    if (auto reason = continuingDot(dot) ? std::nullopt : whyNotPipelined(dot))
      return reason;
  auto loop = cast<scf::ForOp>(dots.front()->getParentOp());
  size_t all = 0;
  loop.walk([&](tt::DotOp) { ++all; });
  for (Operation *op = dots.front(); op != dots.back(); op = op->getNextNode())
    if (!isa<tt::DotOp>(op) && !isMemoryEffectFree(op))
      return RejectReason::SeveralDotsInLoop;
  return all == dots.size() ? std::nullopt : std::optional(RejectReason::SeveralDotsInLoop);
}

/// Moves a loop's release `lag` iterations later and releases the remaining slots after the loop.
class DelayedRelease {
public:
  DelayedRelease(scf::ForOp loop, unsigned lag) : loop(loop), lag(lag) {}

  /// Rewrites one release; those after the loop are inserted before `after`.
  void apply(ws::ConsumedOp release, Operation *after) {
    auto counter = cast<BlockArgument>(release.getIndex());
    unsigned position = counter.getArgNumber() - 1;
    Value first = loop.getInitArgs()[position];
    OpBuilder inside(release);
    releaseAfter(inside, release, counter, first, lag);
    OpBuilder behind(after);
    for (unsigned distance = lag; distance >= 1; --distance)
      releaseAfter(behind, release, loop.getResult(position), first, distance);
    release.erase();
  }

private:
  /// tawa.consumed %ring[%count - distance] if %count - %first >= distance
  static void releaseAfter(OpBuilder &builder, ws::ConsumedOp release, Value count, Value first, unsigned distance) {
    Location loc = release.getLoc();
    Value offset = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(distance));
    Value index = builder.create<arith::SubIOp>(loc, count, offset);
    Value done = builder.create<arith::SubIOp>(loc, count, first);
    Value exists = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::uge, done, offset);
    builder.create<ws::ConsumedOp>(loc, release.getAref(), index, exists);
  }

  scf::ForOp loop;
  unsigned lag;
};

/// The operation after a loop and the passes to other groups after it: these pass while the last dots are in flight.
Operation *afterPingPong(scf::ForOp loop) {
  Operation *op = loop->getNextNode();
  while (isa<ws::PingPongPassOp>(op))
    op = op->getNextNode();
  return op;
}

/// A tensor in the tensor cores' register layout. Materialized exactly here: a plain zero for the case without any dot
/// would be materialized before the branch, and so for every tile.
Value throughRegisters(OpBuilder &builder, Location loc, Value tensor) {
  auto inflight = ws::InflightType::get(tensor.getContext(), cast<RankedTensorType>(tensor.getType()));
  Value begun = builder.create<ws::DotBeginOp>(loc, inflight, tensor, /*overwritten=*/false);
  return builder.create<ws::DotWaitOp>(loc, tensor.getType(), begun, 0);
}

/// Guards a loop, and the operations later put after it, by a branch for zero iterations; returns that branch's
/// terminator. Otherwise its results are the initial values of the loop, the sums among them.
Operation *runIfNotEmpty(scf::ForOp loop, ArrayRef<unsigned> sums) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value some =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
  auto branch = builder.create<scf::IfOp>(loc, loop.getResultTypes(), some, /*withElseRegion=*/true);
  loop.replaceAllUsesWith(branch.getResults());
  Operation *end = afterPingPong(loop);
  builder.setInsertionPointToEnd(branch.elseBlock());
  for (Operation *pass = loop->getNextNode(); pass != end; pass = pass->getNextNode())
    builder.clone(*pass);
  SmallVector<Value> unchanged(loop.getInitArgs());
  for (unsigned sum : sums)
    unchanged[sum] = throughRegisters(builder, loc, unchanged[sum]);
  builder.create<scf::YieldOp>(loc, unchanged);
  builder.setInsertionPointToEnd(branch.thenBlock());
  Operation *yield = builder.create<scf::YieldOp>(loc, loop.getResults());
  branch.thenBlock()->getOperations().splice(yield->getIterator(), loop->getBlock()->getOperations(),
                                             loop->getIterator(), end->getIterator());
  return yield;
}

/// Sums that start from zeros: their first dots replace the accumulator, so the registers need not be zeroed.
void beginSums(scf::ForOp loop, ArrayRef<unsigned> positions, bool fromZero) {
  OpBuilder builder(loop);
  for (unsigned position : positions) {
    OpOperand &init = loop.getInitArgsMutable()[position];
    auto inflight = ws::InflightType::get(loop.getContext(), cast<RankedTensorType>(init.get().getType()));
    init.set(builder.create<ws::DotBeginOp>(loop.getLoc(), inflight, init.get(), fromZero));
    loop.getRegionIterArgs()[position].setType(inflight);
    loop.getResult(position).setType(inflight);
  }
}

/// Each dot is issued in place; after the last one comes the wait that covers those of P - 1 iterations ago.
void issueTogether(scf::ForOp loop, ArrayRef<tt::DotOp> dots, bool fromZero, int mmaDepth) {
  OpBuilder builder(dots.front());
  Location loc = loop.getLoc();
  Value adds = fromZero ? builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                                        loop.getLowerBound())
                        : Value();
  llvm::DenseMap<Operation *, Value> issued;
  for (tt::DotOp dot : dots) {
    builder.setInsertionPoint(dot);
    tt::DotOp before = continuedDot(dot);
    issued[dot] = before ? issueDot(builder, dot, dot.getA(), dot.getB(), issued[before], Value())
                         : issueDot(builder, dot, dot.getA(), dot.getB(), dot.getC(), adds);
  }
  unsigned pendings = (mmaDepth - 1) * dots.size();
  for (tt::DotOp dot : dots)
    if (!continuingDot(dot))
      dot.replaceAllUsesWith(
          builder.create<ws::DotWaitOp>(dot.getLoc(), issued[dot].getType(), issued[dot], pendings).getResult());
  for (tt::DotOp dot : llvm::reverse(dots))
    dot.erase();
}

/// Whether CTAs add up the sums of a loop (stream=1). Of products that are under way from iteration to iteration, ptxas
/// 13.0 takes the zeros of a branch without any for a write during the products, and waits after each (C7515).
bool addsParts(scf::ForOp loop) { return !loop->getBlock()->getOps<ws::StorePartOp>().empty(); }

void keepInFlight(ArrayRef<tt::DotOp> dots, int mmaDepth) {
  auto loop = cast<scf::ForOp>(dots.front()->getParentOp());
  SmallVector<unsigned> positions;
  for (tt::DotOp dot : dots)
    if (!continuedDot(dot))
      positions.push_back(cast<BlockArgument>(dot.getC()).getArgNumber() - 1);
  bool setsZeros = mmaDepth > 1 && addsParts(loop);
  bool fromZero = !setsZeros && llvm::all_of(positions, [&](unsigned position) {
    return isZeroTensor(loop.getInitArgs()[position]);
  });
  auto tensors = llvm::map_to_vector(positions, [&](unsigned position) { return loop.getResult(position).getType(); });
  Operation *after = fromZero ? runIfNotEmpty(loop, positions) : afterPingPong(loop);
  beginSums(loop, positions, fromZero);
  issueTogether(loop, dots, fromZero, mmaDepth);

  OpBuilder builder(after);
  for (auto [position, tensor] : llvm::zip(positions, tensors)) {
    auto drained = builder.create<ws::DotWaitOp>(loop.getLoc(), tensor, loop.getResult(position), 0);
    loop.getResult(position).replaceAllUsesExcept(drained.getResult(), drained);
  }
  if (mmaDepth == 1)
    return;
  DelayedRelease delayed(loop, mmaDepth - 1);
  for (auto release : llvm::make_early_inc_range(loop.getBody()->getOps<ws::ConsumedOp>()))
    delayed.apply(release, after);
}

/// Products in more parts than the provers tell apart are waited for in their iteration, too.
int depthOf(ArrayRef<tt::DotOp> dots, int mmaDepth) {
  size_t together = static_cast<size_t>(mmaDepth) * dots.size();
  tt::DotOp first = dots.front();
  if (together > kMostPendings + 1)
    first.emitRemark() << "waited for in its iteration: with P=" << mmaDepth << ", " << together
                       << " products would be in flight, " << kMostPendings + 1 << " at most are proved";
  else
    return mmaDepth;
  return 1;
}

struct PipelineDotsPass : impl::PipelineDotsBase<PipelineDotsPass> {
  using PipelineDotsBase::PipelineDotsBase;

  void runOnOperation() override {
    llvm::MapVector<Operation *, SmallVector<tt::DotOp>> dotsOf; // by the operation around them
    getOperation().walk([&](tt::DotOp dot) {
      auto role = dot->getParentOfType<ws::WarpGroupOp>();
      DotPlan plan = role ? planDot(dot, role.getWarps()) : DotPlan();
      if (plan.unit != DotUnit::Wgmma)
        elsewhere.at(dot);
      else if (plan.promoteEvery != 0)
        promoted.at(dot);
      else
        dotsOf[dot->getParentOp()].push_back(dot);
    });
    llvm::MapVector<Block *, SmallVector<tt::DotOp>> others;
    for (auto &[around, dots] : dotsOf) {
      auto reason = whyNotPipelined(dots);
      if (!reason) {
        pipelined += dots.size();
        keepInFlight(dots, depthOf(dots, mmaDepth));
        continue;
      }
      for (tt::DotOp dot : dots) {
        if (mmaDepth > 1)
          dot.emitRemark() << "waited for in its iteration: " << declineText(*reason);
        others[dot->getBlock()].push_back(dot);
        awaited.because(dot, declineText(*reason));
      }
    }
    for (auto &[block, list] : others)
      AsyncDotGroups(*block, list).apply();
  }
};

} // namespace
} // namespace tawa
