// Follows each carried value from the end of an iteration back to its start.
#include "compiler/analysis/SummingLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

int summedClass(tt::DotOp dot, const TileDims &dims) {
  return dims.of(dot.getA(), tileShapeOf(dot.getA().getType()).size() - 1);
}

namespace {

class SummingLoop {
public:
  SummingLoop(scf::ForOp loop, int cls, const TileDims &dims, TileForms &forms)
      : loop(loop), cls(cls), dims(dims), forms(forms) {}

  std::optional<RetileReason> decline() {
    if (writes())
      return RetileReason::EffectInLoop;
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (!isSum(argument) && !isCounted(argument))
        return RetileReason::NotASum;
    return sumsForAnother() ? std::optional(RetileReason::NotASum) : std::nullopt;
  }

private:
  bool writes() {
    auto hasEffect = [](Operation *op) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      bool onlyReads = effects && effects.onlyHasEffect<MemoryEffects::Read>();
      bool isOther = !onlyReads && !isMemoryEffectFree(op) && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
      return isOther ? WalkResult::interrupt() : WalkResult::advance();
    };
    return loop.getBody()->walk(hasEffect).wasInterrupted();
  }

  /// Whether a product along the dimension is computed with before the loop adds it up: then its tiles are no parts of
  /// one sum, as scores of heads are not where their values are summed over the heads.
  bool sumsForAnother() {
    auto isApart = [&](tt::DotOp dot) {
      bool isOther = summedClass(dot, dims) == cls && !terms.contains(dot);
      return isOther ? WalkResult::interrupt() : WalkResult::advance();
    };
    return loop.getBody()->walk(isApart).wasInterrupted();
  }

  /// Grows by the same amount in each iteration, and is not used afterwards.
  bool isCounted(BlockArgument argument) {
    if (!loop.getTiedLoopResult(argument).use_empty() ||
        !isa<IntegerType, tt::PointerType>(tt::elementTypeOf(argument.getType())))
      return false;
    return !forms.isOpaque(argument);
  }

  bool isSum(BlockArgument argument) {
    Value sum = loop.getTiedLoopYieldedValue(argument)->get();
    bool adds = false;
    while (sum != argument) {
      if (!sum.hasOneUse())
        return false;
      sum = withoutLast(sum);
      if (!sum)
        return false;
      adds = true;
    }
    return adds && argument.hasOneUse();
  }

  /// A sum without its last term, a product along the dimension; null for anything else.
  Value withoutLast(Value sum) {
    Operation *op = sum.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      return {};
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      terms.insert(dot);
      return summedClass(dot, dims) == cls ? dot.getC() : Value();
    }
    if (!isa<arith::AddFOp, arith::AddIOp>(op))
      return {};
    if (isTerm(op->getOperand(1)))
      return op->getOperand(0);
    return isTerm(op->getOperand(0)) ? op->getOperand(1) : Value();
  }

  /// A product along the dimension, times what the loop does not change.
  bool isTerm(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !value.hasOneUse())
      return false;
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      terms.insert(dot);
      return summedClass(dot, dims) == cls &&
             (matchPattern(dot.getC(), m_AnyZeroFloat()) || matchPattern(dot.getC(), m_Zero()));
    }
    if (!isa<arith::MulFOp>(op))
      return false;
    return (isTerm(op->getOperand(0)) && loop.isDefinedOutsideOfLoop(op->getOperand(1))) ||
           (isTerm(op->getOperand(1)) && loop.isDefinedOutsideOfLoop(op->getOperand(0)));
  }

  scf::ForOp loop;
  int cls;
  const TileDims &dims;
  TileForms &forms;
  llvm::SmallPtrSet<Operation *, 4> terms; ///< Of the sums that the loop carries.
};

} // namespace

std::optional<RetileReason> declineSum(scf::ForOp loop, int cls, const TileDims &dims, TileForms &forms) {
  return SummingLoop(loop, cls, dims, forms).decline();
}

} // namespace tawa
