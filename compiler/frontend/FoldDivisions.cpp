// FoldDivisions: takes out of quotients and remainders by constants what the divisor divides, and makes remainders of
// what is left of a number without its multiples of another.
//
//   %k = first + 0, 1, ..            first is a multiple of 8
//   %w = %k / 8               ->     %w = first / 8 + (0, 1, ..) / 8
//   %s = %k % 8               ->     %s = (0, 1, ..) % 8, unsigned
//   %r = %p - %p / n * n      ->     %r = %p % n
//
// What is left is the same in each iteration, and of words that several elements share a sum of indices, as TMA takes
// them.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/TileForms.h"
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

#define DEBUG_TYPE "tawa-fold-divisions"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_FOLDDIVISIONS
#include "compiler/frontend/Passes.h.inc"

namespace {

/// One operation of quotients or remainders by a constant.
class Division {
public:
  Division(Operation *op, int64_t divisor, const AxisInfoAnalysis &axes)
      : op(op), builder(op), divisor(divisor), axes(axes) {}

  bool canFold() { return canFold(op->getOperand(0)); }
  Value fold() { return fold(op->getOperand(0)); }

private:
  bool isQuotient() const { return isa<arith::DivSIOp, arith::DivUIOp>(op); }
  static bool isView(Operation *source) { return isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp>(source); }

  bool isMultiple(Value value) const { return axes.of(value).commonDivisor() % divisor == 0; }

  /// A sum of two numbers that are not negative, one of them a multiple of the divisor: the other one.
  Value restOf(Value value) const {
    auto sum = value.getDefiningOp<arith::AddIOp>();
    if (!sum || axes.of(sum.getLhs()).mayBeNegative || axes.of(sum.getRhs()).mayBeNegative)
      return {};
    return isMultiple(sum.getLhs()) ? sum.getRhs() : isMultiple(sum.getRhs()) ? sum.getLhs() : Value();
  }

  /// The factor of a constant multiple of the divisor. Unsigned products may be meant to wrap.
  Value factorOf(Value value) const {
    auto product = value.getDefiningOp<arith::MulIOp>();
    bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
    auto factor = product && isSigned ? constantOf(product.getRhs()) : std::nullopt;
    bool isWhole = factor && *factor % divisor == 0 && !axes.of(product.getLhs()).mayBeNegative;
    return isWhole ? product.getLhs() : Value();
  }

  bool canFold(Value value) const {
    Operation *source = value.getDefiningOp();
    if (source && isView(source))
      return canFold(source->getOperand(0));
    return factorOf(value) || restOf(value);
  }

  Value constantLike(Value like, int64_t number) {
    auto attribute = builder.getIntegerAttr(tt::elementTypeOf(like.getType()), number);
    auto tile = dyn_cast<RankedTensorType>(like.getType());
    return builder.create<arith::ConstantOp>(op->getLoc(), tile ? TypedAttr(DenseElementsAttr::get(tile, attribute))
                                                                : TypedAttr(attribute));
  }

  /// Each value once: sums may be of sums that they share.
  Value fold(Value value) {
    if (Value known = folded.lookup(value))
      return known;
    Value result = foldOnce(value);
    return folded[value] = result;
  }

  Value foldOnce(Value value) {
    Operation *source = value.getDefiningOp();
    if (source && isView(source) && (canFold(value) || isMultiple(value)))
      return viewOf(source, fold(source->getOperand(0)));
    if (!isQuotient() && isMultiple(value))
      return constantLike(value, 0);
    if (Value factor = factorOf(value)) {
      int64_t times = *constantOf(source->getOperand(1)) / divisor;
      return builder.create<arith::MulIOp>(op->getLoc(), factor, constantLike(value, times));
    }
    if (Value rest = restOf(value)) {
      Value folded = fold(rest),
            multiple = rest == source->getOperand(0) ? source->getOperand(1) : source->getOperand(0);
      return isQuotient() ? Value(builder.create<arith::AddIOp>(op->getLoc(), fold(multiple), folded)) : folded;
    }
    bool isIndices = isa<RankedTensorType>(value.getType()) && !axes.of(value).mayBeNegative;
    if (!isQuotient() && isIndices) // whose bits back ends know
      return builder.create<arith::RemUIOp>(op->getLoc(), value, constantLike(value, divisor));
    IRMapping mapping;
    mapping.map(op->getOperand(0), value);
    mapping.map(op->getOperand(1), constantLike(value, divisor));
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(value.getType());
    return clone->getResult(0);
  }

  Value viewOf(Operation *view, Value source) {
    IRMapping mapping;
    mapping.map(view->getOperand(0), source);
    return builder.clone(*view, mapping)->getResult(0);
  }

  Operation *op;
  OpBuilder builder;
  int64_t divisor;
  const AxisInfoAnalysis &axes;
  DenseMap<Value, Value> folded;
};

/// What a number is without its multiples of another one, as a remainder; null where it is something else.
Value remainderOf(arith::SubIOp difference) {
  auto product = difference.getRhs().getDefiningOp<arith::MulIOp>();
  if (!product)
    return {};
  OpBuilder builder(difference);
  for (auto [factor, divisor] :
       {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())}) {
    Operation *quotient = factor.getDefiningOp();
    if (!isa_and_nonnull<arith::DivSIOp, arith::DivUIOp>(quotient) || quotient->getOperand(0) != difference.getLhs() ||
        quotient->getOperand(1) != divisor)
      continue;
    if (isa<arith::DivSIOp>(quotient))
      return builder.create<arith::RemSIOp>(difference.getLoc(), difference.getLhs(), divisor);
    return builder.create<arith::RemUIOp>(difference.getLoc(), difference.getLhs(), divisor);
  }
  return {};
}

struct FoldDivisionsPass : impl::FoldDivisionsBase<FoldDivisionsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    makeRemainders(func);
    AxisInfoAnalysis axes(func, hintedIntegers(func));
    SmallVector<std::pair<Operation *, Value>> folds;
    func.walk([&](Operation *op) {
      auto divisor = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)
                         ? constantOf(op->getOperand(1))
                         : std::nullopt;
      if (!divisor || *divisor <= 1)
        return;
      if (Division division(op, *divisor, axes); division.canFold())
        folds.emplace_back(op, division.fold());
    });
    folded += folds.size();
    for (auto [op, value] : folds) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }

  void makeRemainders(tt::FuncOp func) {
    func.walk([&](arith::SubIOp difference) {
      Value remainder = remainderOf(difference);
      if (!remainder)
        return;
      ++remainders;
      difference.replaceAllUsesWith(remainder);
      difference.erase();
    });
  }
};

} // namespace
} // namespace tawa
