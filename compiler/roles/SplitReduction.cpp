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
#include "compiler/roles/SharedIterations.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-split-reduction"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SPLITREDUCTION
#include "compiler/roles/Passes.h.inc"

namespace {

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
      if (canShareIterations(loop))
        return found = loop, WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (!result.wasInterrupted())
      return RejectReason::NoSumLoop;
    if (found->getParentOp() != func)
      return RejectReason::SumLoopRepeated;
    return showsUpTo(found) ? std::optional(RejectReason::EffectBeforeSum) : std::nullopt;
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
      loop.getTiedLoopInit(carried)->set(afterIterations(builder, loop, carried, rank));
      advanceBy(loop, step->getOwner(), step->getOperandNumber(), scaled(builder, loc, step->get(), ranks), carried);
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
