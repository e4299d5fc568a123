// SplitReduction: several CTAs share one program's long sum, each of which adds up some of the terms (split-K).
//
//   %sum = for %k = %lb to %ub step %s             %r = tawa.cluster_rank
//       iter_args(%acc = 0, %i = %i0) {            %part = for %k = %lb + %r * %s to %ub step %s * split
//     %acc1 = tt.dot %a, %b, %acc                      iter_args(%acc = 0, %i = %i0 + %r * %c) {
//     yield %acc1, %i + %c                   ->      %acc1 = tt.dot %a, %b, %acc
//   }                                                yield %acc1, %i + %c * split
//   tt.store %p, %sum                              }
//                                                  %sum = tawa.cluster_sum %part
//                                                  if %r == 0 { tt.store %p, %sum }
//
// Iteration n belongs to rank n mod split: CTAs of one program then read neighbouring memory at the same time, and if
// there are fewer iterations than ranks, some have an empty sum, which is zero. All ranks execute the code before the
// loop, so it must have no effects; only the first one executes the code after it.
//
// Terms are added in another order than the text's. For a dot the order is unspecified anyway; for arith.addf a request
// for a split permits it.
//
// The CTAs of a program form a cluster, neighbours along x. tt.get_program_id and tt.get_num_programs still count
// programs: the lowering divides.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-split-reduction"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SPLITREDUCTION
#include "compiler/roles/Passes.h.inc"

namespace {

//===--- What a loop carries --------------------------------------------------------------------------------------===//

/// The operand by which a carried value grows in each iteration, if defined before the loop.
OpOperand *stepOf(scf::ForOp loop, BlockArgument carried) {
  Operation *next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
  if (!next || !isa<arith::AddIOp, tt::AddPtrOp>(next))
    return nullptr;
  OpOperand &left = next->getOpOperand(0), &right = next->getOpOperand(1);
  if (left.get() == carried && loop.isDefinedOutsideOfLoop(right.get()))
    return &right;
  bool otherWayRound = isa<arith::AddIOp>(next) && right.get() == carried;
  return otherWayRound && loop.isDefinedOutsideOfLoop(left.get()) ? &left : nullptr;
}

/// The next value of a sum: `sum` plus something that does not contain it; null for other operations.
Value addedTo(Value sum, Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return dot.getC() == sum ? dot.getResult() : Value();
  return isa<arith::AddFOp, arith::AddIOp>(op) ? op->getResult(0) : Value();
}

/// Whether a carried tensor starts from zero and is only ever added to.
bool isSum(scf::ForOp loop, BlockArgument carried) {
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  Value init = loop.getTiedLoopInit(carried)->get();
  if (!type || !type.getElementType().isIntOrFloat() ||
      !(matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero())))
    return false;
  unsigned bits = type.getElementTypeBitWidth();
  Value sum = carried;
  while (sum && sum.hasOneUse() && *sum.user_begin() != loop.getBody()->getTerminator()) {
    Operation *user = *sum.user_begin();
    sum = user->getBlock() == loop.getBody() ? addedTo(sum, user) : Value();
  }
  return (bits == 16 || bits == 32) && sum && sum != carried && sum.hasOneUse() &&
         sum == loop.getTiedLoopYieldedValue(carried)->get();
}

/// Whether the CTAs of a program can share a loop's iterations: besides sums it carries only values that each CTA can
/// compute for any iteration, and that are not used afterwards.
bool canShare(scf::ForOp loop) {
  bool sums = false;
  for (BlockArgument carried : loop.getRegionIterArgs()) {
    bool unchanged = loop.getTiedLoopYieldedValue(carried)->get() == carried;
    bool counts = stepOf(loop, carried) && loop.getTiedLoopResult(carried).use_empty();
    if (isSum(loop, carried))
      sums |= !loop.getTiedLoopResult(carried).use_empty();
    else if (!unchanged && !counts)
      return false;
  }
  return sums;
}

//===--- What surrounds it ----------------------------------------------------------------------------------------===//

/// Whether repeating the operation in another CTA is observable: effects, and reads that depend on time.
bool mayShow(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op))
    return false;
  auto load = dyn_cast<tt::LoadOp>(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return (load && load.getIsVolatile()) || !effects || !effects.onlyHasEffect<MemoryEffects::Read>();
}

bool showsUpTo(scf::ForOp loop) {
  for (Operation *op = &loop->getBlock()->front(); op != loop->getNextNode(); op = op->getNextNode())
    if (op->walk([](Operation *inner) {
            return mayShow(inner) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      return true;
  return false;
}

struct SplitReductionPass : impl::SplitReductionBase<SplitReductionPass> {
  using SplitReductionBase::SplitReductionBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (split == 1)
      return kept.because(func, "no other CTAs are to share them");
    scf::ForOp loop;
    if (auto reason = find(func, loop)) {
      kept.because(func, declineText(*reason));
      return noteNotApplied(getOperation(), "split", *reason);
    }
    ws::kSplitAttr.set(func, split);
    OpBuilder builder(loop);
    rank = builder.create<ws::ClusterRankOp>(loop.getLoc(), builder.getI32Type());
    shareIterations(loop);
    addUp(loop);
  }

  /// The first loop that CTAs can share; why there is none.
  static std::optional<RejectReason> find(tt::FuncOp func, scf::ForOp &found) {
    if (!hasFeature(func, Feature::Clusters))
      return RejectReason::NoClusters;
    WalkResult result = func.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (canShare(loop))
        return found = loop, WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (!result.wasInterrupted())
      return RejectReason::NoSumLoop;
    if (found->getParentOp() != func)
      return RejectReason::SumLoopRepeated;
    return showsUpTo(found) ? std::optional(RejectReason::EffectBeforeSum) : std::nullopt;
  }

  /// `value` times an i32, in the value's own type.
  static Value scaled(OpBuilder &builder, Location loc, Value value, Value factor) {
    Type element = getElementTypeOrSelf(value);
    if (element.isIndex())
      factor = builder.createOrFold<arith::IndexCastUIOp>(loc, element, factor);
    else if (element.getIntOrFloatBitWidth() > 32)
      factor = builder.createOrFold<arith::ExtUIOp>(loc, element, factor);
    else if (element.getIntOrFloatBitWidth() < 32)
      factor = builder.createOrFold<arith::TruncIOp>(loc, element, factor);
    if (isa<RankedTensorType>(value.getType()))
      factor = builder.createOrFold<tt::SplatOp>(loc, value.getType(), factor);
    return builder.createOrFold<arith::MulIOp>(loc, factor, value);
  }

  /// Rank r begins r iterations later and goes on by as many as there are ranks.
  void shareIterations(scf::ForOp loop) {
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Value ranks = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(split));
    for (BlockArgument carried : loop.getRegionIterArgs()) {
      OpOperand *step = stepOf(loop, carried);
      if (!step || isSum(loop, carried))
        continue;
      Operation *next = step->getOwner();
      Value init = loop.getTiedLoopInit(carried)->get(), skipped = scaled(builder, loc, step->get(), rank);
      Operation *begin = builder.clone(*next);
      begin->setOperands(step->getOperandNumber() == 0 ? ValueRange{skipped, init} : ValueRange{init, skipped});
      loop.getTiedLoopInit(carried)->set(begin->getResult(0));
      advanceBy(loop, next, step->getOperandNumber(), scaled(builder, loc, step->get(), ranks), carried);
    }
    Value skipped = scaled(builder, loc, loop.getStep(), rank);
    loop.setLowerBound(builder.createOrFold<arith::AddIOp>(loc, skipped, loop.getLowerBound()));
    loop.setStep(scaled(builder, loc, loop.getStep(), ranks));
  }

  /// Makes the loop carry the value several steps later; other users of the next step keep their value.
  static void advanceBy(scf::ForOp loop, Operation *next, unsigned position, Value step, BlockArgument carried) {
    Operation *yield = loop.getBody()->getTerminator();
    Operation *further = OpBuilder(yield).clone(*next);
    further->setOperand(position, step);
    loop.getTiedLoopYieldedValue(carried)->set(further->getResult(0));
    if (next->use_empty())
      next->erase();
  }

  /// Adds up the parts after the loop and leaves the following code to the first CTA.
  void addUp(scf::ForOp loop) {
    Location loc = loop.getLoc();
    Operation *rest = loop->getNextNode(), *end = loop->getBlock()->getTerminator();
    OpBuilder builder(rest);
    for (BlockArgument carried : loop.getRegionIterArgs()) {
      Value part = loop.getTiedLoopResult(carried);
      if (part.use_empty() || !isSum(loop, carried))
        continue;
      auto sum = builder.create<ws::ClusterSumOp>(loc, part.getType(), part);
      part.replaceAllUsesExcept(sum, sum);
      sums.at(sum);
    }
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(0));
    Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, rank, zero);
    auto branch = builder.create<scf::IfOp>(loc, isFirst, /*withElseRegion=*/false);
    Block &inside = *branch.thenBlock();
    inside.getOperations().splice(inside.getTerminator()->getIterator(), loop->getBlock()->getOperations(),
                                  rest->getIterator(), end->getIterator());
  }

  Value rank;
};

} // namespace
} // namespace tawa
