// CombineDots: a product that is added to a sum is accumulated into it.
//
//   %d = tt.dot %a, %b, %zero                  %s = tt.dot %a, %b, %acc
//   %s = arith.addf %acc, %d            ->
//
// `acc += tl.dot(a, b)` is written so more often than not, and a dot that accumulates needs one set of registers and
// can stay in flight. Products of 8-bit floats with a bound on imprecise accumulation stay as the text has them: their
// sum is one of f32 there, which the unit's own is not.
#include "compiler/dialect/TT/TT.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_COMBINEDOTS
#include "compiler/transforms/Passes.h.inc"

namespace {

bool startsAtZero(tt::DotOp dot) {
  return matchPattern(dot.getC(), m_AnyZeroFloat()) || matchPattern(dot.getC(), m_Zero());
}

/// The dot whose sum `add` may become, among its operands.
tt::DotOp dotAddedBy(Operation *add) {
  for (Value operand : add->getOperands()) {
    auto dot = operand.getDefiningOp<tt::DotOp>();
    if (dot && dot->hasOneUse() && dot->getBlock() == add->getBlock() && startsAtZero(dot) &&
        dot.getMaxNumImpreciseAcc() == 0)
      return dot;
  }
  return {};
}

/// The dot moves to the addition, where the sum is there too.
void accumulate(tt::DotOp dot, Operation *add) {
  Value sum = add->getOperand(add->getOperand(0) == dot.getResult() ? 1 : 0);
  dot->moveBefore(add);
  dot.getCMutable().assign(sum);
  add->getResult(0).replaceAllUsesWith(dot.getResult());
  add->erase();
}

struct CombineDotsPass : impl::CombineDotsBase<CombineDotsPass> {
  using CombineDotsBase::CombineDotsBase;

  void runOnOperation() override {
    SmallVector<Operation *> additions;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::AddFOp, arith::AddIOp>(op))
        additions.push_back(op);
    });
    for (Operation *add : additions)
      if (tt::DotOp dot = dotAddedBy(add)) {
        accumulate(dot, add);
        ++combined;
      }
  }
};

} // namespace
} // namespace tawa
