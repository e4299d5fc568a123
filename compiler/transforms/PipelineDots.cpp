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
// to be done. A sum that starts from zeros is not set to zero: its first dot replaces the accumulator instead of adding
// to it, and the loop stands in a branch that a loop without iterations does not take. With D = P the producer can only
// refill that one: D = P = 1 is legal and simply does not overlap.
//
// Dots that are read in their iteration, or stand in a loop with others, are under way together inside of their block
// (DotFlights.h). Those that wgmma does not take (analysis/DotKind.h) stay as they are, and so do those whose sums it
// has to hand over every so many products: their accumulator is ordinary registers between one piece and the next.
#include "compiler/analysis/Decline.h"
#include "compiler/analysis/DotKind.h"
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/DotFlights.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/StartDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PIPELINEDOTS
#include "compiler/transforms/Passes.h.inc"

namespace {

/// Why a dot has to be waited for at once; nothing if it may stay in flight across its loop's back edge.
std::optional<Decline> whyNotPipelined(tt::DotOp dot) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  auto accumulator = dyn_cast<BlockArgument>(dot.getC());
  if (!loop || !accumulator || accumulator.getOwner() != loop.getBody() || accumulator == loop.getInductionVar())
    return Decline::NotInnermostAccumulation;
  Value yielded = loop.getYieldedValues()[accumulator.getArgNumber() - 1];
  if (yielded != dot.getResult())
    return Decline::NotInnermostAccumulation;
  if (!accumulator.hasOneUse() || !dot.getResult().hasOneUse())
    return Decline::AccumulatorReadInLoop;
  unsigned dots = 0;
  loop.walk([&](tt::DotOp) { ++dots; });
  if (dots != 1)
    return Decline::SeveralDotsInLoop;
  return std::nullopt;
}

/// Moves a loop's release `lag` iterations later and gives back after the loop what it then still holds.
class DelayedRelease {
public:
  DelayedRelease(scf::ForOp loop, unsigned lag) : loop(loop), lag(lag) {}

  /// Rewrites one release; those after the loop are inserted before `after`.
  void apply(ws::ConsumedOp release, Operation *after) {
    auto counter = cast<BlockArgument>(release.getIndex());
    unsigned position = counter.getArgNumber() - 1;
    Value first = loop.getInitArgs()[position];
    OpBuilder inside(release);
    releaseBehind(inside, release, counter, first, lag);
    OpBuilder behind(after);
    for (unsigned distance = lag; distance >= 1; --distance)
      releaseBehind(behind, release, loop.getResult(position), first, distance);
    release.erase();
  }

private:
  /// tawa.consumed %ring[%count - distance] if %count - %first >= distance
  static void releaseBehind(OpBuilder &builder, ws::ConsumedOp release, Value count, Value first, unsigned distance) {
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

/// The operation after a loop and the turns that are passed behind it: those go on while the last dots are in flight.
Operation *behindTurns(scf::ForOp loop) {
  Operation *op = loop->getNextNode();
  while (isa<ws::PassTurnOp>(op))
    op = op->getNextNode();
  return op;
}

/// A tensor as it leaves the tensor cores' registers. Set there and nowhere else: a plain zero for the case that no dot
/// ran would be set ahead of the branch, and so for every tile.
Value throughRegisters(OpBuilder &builder, Location loc, Value tensor) {
  auto inflight = ws::InflightType::get(tensor.getContext(), cast<RankedTensorType>(tensor.getType()));
  Value begun = builder.create<ws::DotBeginOp>(loc, inflight, tensor, /*overwritten=*/false);
  return builder.create<ws::DotWaitOp>(loc, tensor.getType(), begun, 0);
}

/// Runs a loop, and what is put behind it later, only if it has an iteration; gives that branch's terminator. Otherwise
/// its results are what it would have carried on, the sum among them.
Operation *runIfNotEmpty(scf::ForOp loop, unsigned sum) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value some =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
  auto branch = builder.create<scf::IfOp>(loc, loop.getResultTypes(), some, /*withElseRegion=*/true);
  loop.replaceAllUsesWith(branch.getResults());
  Operation *end = behindTurns(loop);
  builder.setInsertionPointToEnd(branch.elseBlock());
  for (Operation *turn = loop->getNextNode(); turn != end; turn = turn->getNextNode())
    builder.clone(*turn);
  SmallVector<Value> unchanged(loop.getInitArgs());
  unchanged[sum] = throughRegisters(builder, loc, unchanged[sum]);
  builder.create<scf::YieldOp>(loc, unchanged);
  builder.setInsertionPointToEnd(branch.thenBlock());
  Operation *yield = builder.create<scf::YieldOp>(loc, loop.getResults());
  branch.thenBlock()->getOperations().splice(yield->getIterator(), loop->getBlock()->getOperations(),
                                             loop->getIterator(), end->getIterator());
  return yield;
}

void keepInFlight(tt::DotOp dot, int mmaDepth) {
  auto loop = cast<scf::ForOp>(dot->getParentOp());
  auto accumulator = cast<BlockArgument>(dot.getC());
  unsigned position = accumulator.getArgNumber() - 1;
  auto tensor = cast<RankedTensorType>(accumulator.getType());
  auto inflight = ws::InflightType::get(dot.getContext(), tensor);

  // A sum that starts from zeros: its first dot need not add, and then nobody has to set the registers to zero.
  OpOperand &init = loop.getInitArgsMutable()[position];
  bool fromZero = isZeroTensor(init.get());
  Operation *after = fromZero ? runIfNotEmpty(loop, position) : behindTurns(loop);
  OpBuilder builder(loop);
  init.set(builder.create<ws::DotBeginOp>(dot.getLoc(), inflight, init.get(), fromZero));
  accumulator.setType(inflight);
  loop.getResult(position).setType(inflight);

  builder.setInsertionPoint(dot);
  Value adds = fromZero ? builder.create<arith::CmpIOp>(dot.getLoc(), arith::CmpIPredicate::ne, loop.getInductionVar(),
                                                        loop.getLowerBound())
                        : Value();
  auto issued = issueDot(builder, dot, dot.getA(), dot.getB(), accumulator, adds);
  auto wait = builder.create<ws::DotWaitOp>(dot.getLoc(), inflight, issued, mmaDepth - 1);
  dot.replaceAllUsesWith(wait.getResult());
  dot.erase();

  builder.setInsertionPoint(after);
  auto drained = builder.create<ws::DotWaitOp>(loop.getLoc(), tensor, loop.getResult(position), 0);
  loop.getResult(position).replaceAllUsesExcept(drained.getResult(), drained);

  if (mmaDepth == 1)
    return;
  DelayedRelease delayed(loop, mmaDepth - 1);
  for (auto release : llvm::make_early_inc_range(loop.getBody()->getOps<ws::ConsumedOp>()))
    delayed.apply(release, after);
}

struct PipelineDotsPass : impl::PipelineDotsBase<PipelineDotsPass> {
  using PipelineDotsBase::PipelineDotsBase;

  void runOnOperation() override {
    SmallVector<tt::DotOp> dots;
    getOperation().walk([&](tt::DotOp dot) {
      auto role = dot->getParentOfType<ws::WarpGroupOp>();
      DotPlan plan = role ? planDot(dot, role.getWarps()) : DotPlan();
      if (plan.unit != DotUnit::Wgmma)
        ++elsewhere;
      else if (plan.promoteEvery != 0)
        ++promoted;
      else
        dots.push_back(dot);
    });
    llvm::MapVector<Block *, SmallVector<tt::DotOp>> others;
    for (tt::DotOp dot : dots) {
      if (auto reason = whyNotPipelined(dot)) {
        if (mmaDepth > 1)
          dot.emitRemark() << "waited for in its iteration: " << declineText(*reason);
        others[dot->getBlock()].push_back(dot);
        ++awaited;
      } else {
        keepInFlight(dot, mmaDepth);
        ++pipelined;
      }
    }
    for (auto &[block, list] : others)
      DotFlights(*block, list).apply();
  }
};

} // namespace
} // namespace tawa
