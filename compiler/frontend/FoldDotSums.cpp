// FoldDotSums: products that are added to a sum which a loop carries, or to another product, become products that
// continue it.
//
//   %p = tt.dot %a, %b, %zeros
//   %next = arith.addf %sum, %p      ->      %next = tt.dot %a, %b, %sum
//   scf.yield %next                          scf.yield %next
//
// The matrix units add anyway, and %p needs no registers of its own. Products of FP8 that the text lets them
// sum with fewer bits than f32 has are summed so within one tt.dot only: its depth becomes the limit
// (maxNumImpreciseAcc). Other addends, such as a bias, stay: the product would have to wait until they are loaded.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-fold-dot-sums"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_FOLDDOTSUMS
#include "compiler/frontend/Passes.h.inc"

namespace {

bool isZero(Value tensor) { return matchPattern(tensor, m_AnyZeroFloat()) || matchPattern(tensor, m_Zero()); }

/// A product that starts from zeros and whose only reader is `add`.
tt::DotOp addedProduct(Value addend, Operation *add) {
  auto dot = addend.getDefiningOp<tt::DotOp>();
  return dot && dot->hasOneUse() && dot->getBlock() == add->getBlock() && isZero(dot.getC()) ? dot : tt::DotOp();
}

/// Whether a loop carries the sum around the block of `add`: as it is, scaled, or with other products added to it.
bool isCarriedSum(Value sum, Operation *add) {
  if (auto argument = dyn_cast<BlockArgument>(sum))
    return argument.getOwner() == add->getBlock() && isa<scf::ForOp, scf::WhileOp>(add->getParentOp());
  Operation *op = sum.getDefiningOp();
  if (op->getBlock() != add->getBlock())
    return false;
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return isCarriedSum(dot.getC(), add);
  return isa<arith::MulFOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value factor) { return isCarriedSum(factor, add); });
}

unsigned operandBits(tt::DotOp dot) { return getElementTypeOrSelf(dot.getA()).getIntOrFloatBitWidth(); }

/// The product whose sum this is, if `dot` may continue it: one with operands of the same width, so that both are in
/// flight together, and that nothing else reads. Of two that begin with zeros the later one continues.
tt::DotOp continuable(Value sum, tt::DotOp dot) {
  auto other = sum.getDefiningOp<tt::DotOp>();
  bool isFree = other && dot && other->hasOneUse() && other->getBlock() == dot->getBlock() &&
                operandBits(other) == operandBits(dot);
  return isFree && (other->isBeforeInBlock(dot) || !isZero(other.getC())) ? other : tt::DotOp();
}

/// Sums of 8-bit floats lose bits in the matrix unit: as before, only those of this product.
void limitImpreciseSums(tt::DotOp dot) {
  auto left = cast<RankedTensorType>(dot.getA().getType());
  if (left.getElementTypeBitWidth() == 8)
    dot.setMaxNumImpreciseAcc(std::min<int64_t>(dot.getMaxNumImpreciseAcc(), left.getShape().back()));
}

bool fold(Operation *add, unsigned product) {
  tt::DotOp dot = addedProduct(add->getOperand(product), add);
  Value sum = add->getOperand(1 - product);
  tt::DotOp other = continuable(sum, dot);
  if (!dot || (!other && !isCarriedSum(sum, add)))
    return false;
  if (!other || dot->isBeforeInBlock(other))
    dot->moveBefore(add); // below the sum
  dot.getCMutable().assign(sum);
  limitImpreciseSums(dot);
  add->getResult(0).replaceAllUsesWith(dot.getResult());
  add->erase();
  return true;
}

struct FoldDotSumsPass : impl::FoldDotSumsBase<FoldDotSumsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> adds;
    getOperation().walk([&](Operation *op) {
      bool isTensor = op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType());
      if (isTensor && isa<arith::AddFOp, arith::AddIOp>(op) && !getElementTypeOrSelf(op->getResult(0)).isF16())
        adds.push_back(op);
    });
    for (Operation *add : adds)
      if (fold(add, 0) || fold(add, 1))
        ++folded;
  }
};

} // namespace
} // namespace tawa
