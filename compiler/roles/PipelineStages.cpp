// PipelineStages: the coarse-grained pipeline (paper, section III.D.2 and algorithm 1).
//
//   for j {                          if there is an iteration {
//     s = dot q, k[j]      (T)         T(0), wait; C(0)
//     p, r = f(s)          (C)         for j from the second {
//     o = dot p, v[j], r o (U)   ->      issue T(j); issue U(j - 1)
//   }                                    wait for T(j), release k[j]; C(j)
//                                        wait for U(j - 1), release v[j - 1]; the rest of C(j)
//                                      }
//                                      U of the last, wait
//                                    }
//
// So the tensor cores multiply while the other units compute, in one warp group. StagePlan.h assigns the operations to
// stages; values that the delayed part uses are carried to the next iteration. Each wait leaves pending exactly the
// groups issued after its own. Per iteration every slot is still got once and released once.
//
// Where U is a sequence of products with arithmetic between them, U1, D1, U2, .., the steady state is
//
//   issue U1(j - 1); issue T(j)
//   wait for U1(j - 1); D1(j - 1); issue U2(j - 1); ..     D1 runs during T, C during the last of U
//   wait for T(j), release k[j]; C(j)
//   wait for the last of U(j - 1); the rest of C(j)
#include "compiler/roles/OverlapLoopDrain.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/StagePlan.h"
#include "compiler/roles/StartDot.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

#define DEBUG_TYPE "tawa-pipeline-stages"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PIPELINESTAGES
#include "compiler/roles/Passes.h.inc"

namespace {

class StageRotation {
public:
  StageRotation(scf::ForOp loop, const StagePlan &plan) : loop(loop), plan(plan), builder(loop) {}

  StageDrain apply() {
    Location loc = loop.getLoc();
    Value some =
        builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
    auto branch = builder.create<scf::IfOp>(loc, loop.getResultTypes(), some, /*withElseRegion=*/true);
    builder.setInsertionPointToEnd(branch.elseBlock());
    builder.create<scf::YieldOp>(loc, loop.getInitArgs());
    builder.setInsertionPointToEnd(branch.thenBlock());
    IRMapping head = prologue();
    scf::ForOp steady = steadyState(head);
    SmallVector<Value> results = drain(steady);
    builder.create<scf::YieldOp>(loc, results);
    loop.replaceAllUsesWith(branch.getResults());
    loop.erase();
    return {branch, lastIssue->getNextNode(), lastWait->getNextNode(), static_cast<unsigned>(lastDots().size())};
  }

private:
  //===--- Pieces of an iteration; `map` says what its values are called ---===//

  void clone(Stage stage, IRMapping &map, unsigned step = 0) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (plan.stageOf(&op) == stage && plan.stepOf(&op) == step)
        builder.clone(op, map);
  }

  /// Issues the products of a stage among its other operations.
  SmallVector<Value> issue(ArrayRef<Stage> stages, ArrayRef<tt::DotOp> dots, IRMapping &map, unsigned step = 0) {
    SmallVector<Value> issued;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!llvm::is_contained(stages, plan.stageOf(&op)) || plan.stepOf(&op) != step)
        continue;
      if (auto dot = dyn_cast<tt::DotOp>(op); dot && llvm::is_contained(dots, dot)) {
        auto mapped = [&](Value value) { return map.lookupOrDefault(value); };
        issued.push_back(startDot(builder, dot, mapped(dot.getA()), mapped(dot.getB()), mapped(dot.getC())));
        if (plan.isContinued(dot))
          map.map(dot.getResult(), issued.back());
      } else {
        builder.clone(op, map);
      }
    }
    return issued;
  }

  /// Waits for products in the order of issue; `behind` more were issued after the last of them. Of a chain, the last
  /// one's sum is that of all.
  void wait(ArrayRef<tt::DotOp> dots, ArrayRef<Value> issued, size_t behind, IRMapping &map) {
    for (auto [index, each] : llvm::enumerate(dots)) {
      tt::DotOp dot = each;
      if (plan.isContinued(dot))
        continue;
      uint32_t pendings = pendingsAfter(dots.size() - 1 - index + behind);
      map.map(dot.getResult(),
              builder.create<ws::DotWaitOp>(dot.getLoc(), dot.getType(), issued[index], pendings).getResult());
    }
  }

  SmallVector<Value> issueFirst(IRMapping &map) { return issue({Stage::Lead}, plan.firstDots(), map); }
  SmallVector<Value> issueSecond(unsigned step, IRMapping &map) {
    return issue({Stage::Delayed, Stage::Second}, plan.steps()[step], map, step);
  }
  void finishSecond(unsigned step, ArrayRef<Value> issued, size_t behind, IRMapping &map) {
    wait(plan.steps()[step], issued, behind, map);
    clone(Stage::Finish, map, step);
  }
  /// From the first step's products in flight, with `behind` more issued after them, to the last step's.
  SmallVector<Value> runToLast(SmallVector<Value> issued, size_t behind, IRMapping &map) {
    for (unsigned step = 1; step < plan.steps().size(); ++step) {
      finishSecond(step - 1, issued, step == 1 ? behind : 0, map);
      lastIssue = &builder.getInsertionBlock()->back();
      issued = issueSecond(step, map);
    }
    return issued;
  }
  void finishLast(ArrayRef<Value> issued, IRMapping &map) {
    lastWait = &builder.getInsertionBlock()->back();
    finishSecond(plan.steps().size() - 1, issued, 0, map);
  }
  ArrayRef<tt::DotOp> lastDots() { return plan.steps().back(); }

  //===--- What is carried: values of this iteration but for delayed ones, delayed values, what is handed over ---===//

  bool comesBack(BlockArgument argument) {
    return !plan.isDelayed(argument) && plan.comesFromDelayed(loop.getTiedLoopYieldedValue(argument)->get());
  }
  Value yieldOf(BlockArgument argument) { return loop.getTiedLoopYieldedValue(argument)->get(); }

  /// The loop-carried values that the new loop carries too: all but those that the delayed part computes.
  SmallVector<BlockArgument> kept() {
    SmallVector<BlockArgument> arguments(loop.getRegionIterArgs());
    llvm::erase_if(arguments, [&](BlockArgument argument) { return comesBack(argument); });
    return arguments;
  }

  /// The values that an iteration with values `early` yields to the next; `late` gives its delayed values.
  SmallVector<Value> handOn(const IRMapping &early, llvm::function_ref<Value(BlockArgument)> late) {
    SmallVector<Value> values;
    for (BlockArgument argument : kept())
      values.push_back(plan.isDelayed(argument) ? late(argument) : early.lookupOrDefault(yieldOf(argument)));
    for (Value value : plan.crossing())
      values.push_back(early.lookupOrDefault(value));
    return values;
  }

  /// Names what the loop carries (its arguments, or its results) for the two parts.
  void take(ValueRange carried, IRMapping &early, IRMapping &late) {
    SmallVector<BlockArgument> arguments = kept();
    for (auto [argument, value] : llvm::zip(arguments, carried))
      (plan.isDelayed(argument) ? late : early).map(argument, value);
    for (auto [value, now] : llvm::zip(plan.crossing(), carried.drop_front(arguments.size())))
      late.map(value, now);
  }

  //===--- Prologue, steady state, drain ---===//

  IRMapping prologue() {
    IRMapping map;
    map.map(loop.getInductionVar(), loop.getLowerBound());
    map.map(loop.getRegionIterArgs(), loop.getInitArgs());
    SmallVector<Value> issued = issueFirst(map);
    wait(plan.firstDots(), issued, 0, map);
    clone(Stage::Compute, map);
    clone(Stage::Late, map);
    return map;
  }

  scf::ForOp steadyState(const IRMapping &head) {
    Location loc = loop.getLoc();
    // The delayed part has not run yet.
    SmallVector<Value> inits =
        handOn(head, [&](BlockArgument argument) { return loop.getTiedLoopInit(argument)->get(); });
    Value second = builder.create<arith::AddIOp>(loc, loop.getLowerBound(), loop.getStep());
    auto steady = builder.create<scf::ForOp>(loc, second, loop.getUpperBound(), loop.getStep(), inits);
    steady->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(steady.getBody());
    IRMapping early, late;
    early.map(loop.getInductionVar(), steady.getInductionVar());
    take(steady.getRegionIterArgs(), early, late);
    SmallVector<Value> leading, following;
    if (plan.steps().size() == 1) {
      leading = issueFirst(early);
      following = issueSecond(0, late);
    } else {
      following = issueSecond(0, late);
      leading = issueFirst(early);
      following = runToLast(following, leading.size(), late);
    }
    wait(plan.firstDots(), leading, following.size(), early);
    clone(Stage::Compute, early);
    finishLast(following, late);
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (comesBack(argument))
        early.map(argument, late.lookup(yieldOf(argument)));
    clone(Stage::Late, early);
    builder.create<scf::YieldOp>(
        loc, handOn(early, [&](BlockArgument argument) { return late.lookupOrDefault(yieldOf(argument)); }));
    return steady;
  }

  /// Gives the results of the whole loop.
  SmallVector<Value> drain(scf::ForOp steady) {
    IRMapping early, late;
    take(steady.getResults(), early, late);
    lastIssue = steady;
    finishLast(runToLast(issueSecond(0, late), 0, late), late);
    SmallVector<Value> results;
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      bool isLate = plan.isDelayed(argument) || comesBack(argument);
      results.push_back(isLate ? late.lookupOrDefault(yieldOf(argument)) : early.lookup(argument));
    }
    return results;
  }

  scf::ForOp loop;
  const StagePlan &plan;
  OpBuilder builder;
  Operation *lastIssue = nullptr, *lastWait = nullptr; ///< What stands before those of the last step.
};

struct PipelineStagesPass : impl::PipelineStagesBase<PipelineStagesPass> {
  using PipelineStagesBase::PipelineStagesBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->getParentOfType<ws::WarpGroupOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      StagePlan plan = planStages(loop);
      if (!plan.hasSeveralDots()) {
        kept.at(loop);
        continue;
      }
      if (auto reason = plan.decline()) {
        noteNotApplied(getOperation(), "coarse", *reason);
        declined.because(loop, declineText(*reason));
      } else {
        int64_t elements = plan.largestFirst();
        StageDrain drain = StageRotation(loop, plan).apply();
        ++rotated;
        if (runTailUnderDrain(drain, elements))
          ++continued;
      }
    }
  }
};

} // namespace
} // namespace tawa
