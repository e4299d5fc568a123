// RaiseCountedLoops: turns scf.while loops that count up to a bound into scf.for.
//
//   scf.while (%i = %first, %x = %init) {           %end = select(%first >= %low, %bound, %first)
//     %more = %i >= %low & %i < %bound              scf.for %i = %first to %end step %step
//     scf.condition(%more) %i, %x            ->         iter_args(%n = %first, %x = %init) {
//   } do {                                            body
//     body; scf.yield %i + %step, %y                  scf.yield %i + %step, %y
//   }                                               }
//
// Later passes know what a scf.for does next: they load ahead in it, overlap its iterations and walk tiles with it. A
// condition other than the bound may only ask what stays true once it is (%i >= %low), or does not change; it is then
// asked before the first iteration. The counter stays a carried value, too, for users of its last value.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tawa-raise-counted-loops"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_RAISECOUNTEDLOOPS
#include "compiler/frontend/Passes.h.inc"

namespace {

using Predicate = arith::CmpIPredicate;

bool isPositive(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isStrictlyPositive();
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return isPositive(product.getLhs()) && isPositive(product.getRhs());
  return value.getDefiningOp<tt::GetNumProgramsOp>() != nullptr;
}

/// The conditions that hold where `condition` does.
void collectConjuncts(Value condition, SmallVectorImpl<Value> &conjuncts) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    collectConjuncts(both.getLhs(), conjuncts);
    collectConjuncts(both.getRhs(), conjuncts);
  } else {
    conjuncts.push_back(condition);
  }
}

class CountedLoop {
public:
  explicit CountedLoop(scf::WhileOp loop) : loop(loop), before(*loop.getBeforeBody()) {}

  /// Why the loop is none that counts; null where it is one.
  const char *read() {
    if (!llvm::all_of(before.without_terminator(), [](Operation &op) { return isPure(&op) && !op.getNumRegions(); }))
      return "its condition does more than compute";
    SmallVector<Value> conjuncts;
    collectConjuncts(loop.getConditionOp().getCondition(), conjuncts);
    for (BlockArgument argument : before.getArguments())
      if (findStep(argument) && readConditions(argument, conjuncts))
        return counter = argument, nullptr;
    return "no value that a constant step increases is compared with a bound that does not change";
  }

  void raise() {
    IRRewriter rewriter(loop);
    Location loc = loop.getLoc();
    IRMapping first = evaluate(rewriter, loop.getInits());
    Value begin = loop.getInits()[counter.getArgNumber()], end = endOf(rewriter, first, begin);
    auto raised = rewriter.create<scf::ForOp>(loc, begin, end, step, loop.getInits());
    raised->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    rewriter.setInsertionPointToEnd(raised.getBody());
    SmallVector<Value> carried(raised.getRegionIterArgs());
    carried[counter.getArgNumber()] = raised.getInductionVar();
    rewriter.inlineBlockBefore(loop.getAfterBody(), raised.getBody(), raised.getBody()->end(),
                               passedOn(evaluate(rewriter, carried)));
    rewriter.setInsertionPointAfter(raised);
    rewriter.replaceOp(loop, passedOn(evaluate(rewriter, raised.getResults())));
  }

private:
  /// Whether the argument has a new value in each iteration, larger by `step`.
  bool findStep(BlockArgument argument) {
    auto next = loop.getYieldOp().getOperand(argument.getArgNumber()).getDefiningOp<arith::AddIOp>();
    if (!next)
      return false;
    auto isArgument = [&](Value value) {
      auto inBody = dyn_cast<BlockArgument>(value);
      return inBody && inBody.getOwner() == loop.getAfterBody() &&
             loop.getConditionOp().getArgs()[inBody.getArgNumber()] == argument;
    };
    for (auto [from, by] : {std::pair(next.getLhs(), next.getRhs()), std::pair(next.getRhs(), next.getLhs())})
      if (isArgument(from) && loop.isDefinedOutsideOfLoop(by) && isPositive(by))
        return step = by, true;
    return false;
  }

  /// Whether a value is the same in all iterations.
  bool isInvariant(Value value) {
    if (value.getParentBlock() != &before)
      return true; // not of the body, which the condition does not see
    Operation *op = value.getDefiningOp();
    return op && llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand); });
  }

  bool readConditions(BlockArgument argument, ArrayRef<Value> conjuncts) {
    bounds.clear(), entry.clear();
    return llvm::all_of(conjuncts, [&](Value each) { return readCondition(argument, each); }) && !bounds.empty();
  }

  bool readCondition(BlockArgument argument, Value condition) {
    if (isInvariant(condition))
      return entry.push_back(condition), true;
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return false;
    bool isLeft = compare.getLhs() == argument;
    Value other = isLeft ? compare.getRhs() : compare.getLhs();
    if ((!isLeft && compare.getRhs() != argument) || !isInvariant(other))
      return false;
    switch (compare.getPredicate()) {
    case Predicate::slt:
    case Predicate::sle:
      return isLeft ? addBound(compare, other) : addEntry(condition);
    case Predicate::sgt:
    case Predicate::sge:
      return isLeft ? addEntry(condition) : addBound(compare, other);
    default:
      return false;
    }
  }
  bool addBound(arith::CmpIOp compare, Value value) {
    bool isIncluded = compare.getPredicate() == Predicate::sle || compare.getPredicate() == Predicate::sge;
    return bounds.push_back({value, isIncluded}), true;
  }
  bool addEntry(Value condition) { return entry.push_back(condition), true; }

  /// The condition's code, run on these values.
  IRMapping evaluate(OpBuilder &builder, ValueRange carried) {
    IRMapping map;
    map.map(before.getArguments(), carried);
    for (Operation &op : before.without_terminator())
      builder.clone(op, map);
    return map;
  }

  SmallVector<Value> passedOn(const IRMapping &map) {
    return llvm::map_to_vector(loop.getConditionOp().getArgs(),
                               [&](Value value) { return map.lookupOrDefault(value); });
  }

  /// The smallest bound; the first number itself where the loop is not entered.
  Value endOf(OpBuilder &builder, const IRMapping &first, Value begin) {
    Location loc = loop.getLoc();
    Value end;
    for (const Bound &bound : bounds) {
      Value here = first.lookupOrDefault(bound.value);
      if (bound.isIncluded) {
        auto one = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(here.getType(), 1));
        here = builder.create<arith::AddIOp>(loc, here, one);
      }
      end = end ? builder.create<arith::MinSIOp>(loc, end, here).getResult() : here;
    }
    for (Value condition : entry)
      end = builder.create<arith::SelectOp>(loc, first.lookupOrDefault(condition), end, begin);
    return end;
  }

  struct Bound {
    Value value;
    bool isIncluded = false; ///< The counter may be equal to it.
  };
  scf::WhileOp loop;
  Block &before;
  BlockArgument counter;
  Value step;
  SmallVector<Bound, 1> bounds;
  SmallVector<Value> entry; ///< What else must hold, in the first iteration.
};

struct RaiseCountedLoopsPass : impl::RaiseCountedLoopsBase<RaiseCountedLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      CountedLoop counted(loop);
      if (const char *why = counted.read()) {
        kept.because(loop, why);
        continue;
      }
      raised.at(loop);
      counted.raise();
    }
  }
};

} // namespace
} // namespace tawa
