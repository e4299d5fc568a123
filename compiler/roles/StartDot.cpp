// Builds dot_begin, dot_issue and dot_wait for a tt.dot.
#include "compiler/roles/StartDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

bool isZeroTensor(Value tensor) { return matchPattern(tensor, m_AnyZeroFloat()) || matchPattern(tensor, m_Zero()); }

/// One instruction multiplies 32 bytes of K, so the width of operands determines its shape.
static unsigned operandBits(tt::DotOp dot) {
  return cast<RankedTensorType>(dot.getA().getType()).getElementTypeBitWidth();
}

tt::DotOp continuedDot(tt::DotOp dot) {
  auto before = dot.getC().getDefiningOp<tt::DotOp>();
  bool isChain =
      before && before->getBlock() == dot->getBlock() && before->hasOneUse() && operandBits(before) == operandBits(dot);
  return isChain ? before : tt::DotOp();
}

tt::DotOp continuingDot(tt::DotOp dot) {
  auto next = dot->hasOneUse() ? dyn_cast<tt::DotOp>(*dot->user_begin()) : tt::DotOp();
  return next && continuedDot(next) == dot ? next : tt::DotOp();
}

tt::DotOp firstOfChain(tt::DotOp dot) {
  while (tt::DotOp before = continuedDot(dot))
    dot = before;
  return dot;
}

tt::DotOp lastOfChain(tt::DotOp dot) {
  while (tt::DotOp next = continuingDot(dot))
    dot = next;
  return dot;
}

ws::DotIssueOp issueDot(OpBuilder &builder, tt::DotOp dot, Value a, Value b, Value accumulator, Value adds) {
  auto issue = builder.create<ws::DotIssueOp>(dot.getLoc(), accumulator.getType(), a, b, accumulator, adds);
  issue->setDiscardableAttrs(dot->getDiscardableAttrDictionary());
  return issue;
}

ws::DotIssueOp startDot(OpBuilder &builder, tt::DotOp dot, Value a, Value b, Value c) {
  if (isa<ws::InflightType>(c.getType()))
    return issueDot(builder, dot, a, b, c, Value());
  auto inflight = ws::InflightType::get(dot.getContext(), cast<RankedTensorType>(c.getType()));
  bool fromZero = isZeroTensor(c);
  Value begun = builder.create<ws::DotBeginOp>(dot.getLoc(), inflight, c, fromZero);
  Value adds = fromZero ? builder.create<arith::ConstantOp>(dot.getLoc(), builder.getBoolAttr(false)) : Value();
  return issueDot(builder, dot, a, b, begun, adds);
}

} // namespace tawa
