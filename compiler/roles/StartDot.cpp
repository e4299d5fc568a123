// Builds dot_begin, dot_issue and dot_wait for a tt.dot.
#include "compiler/roles/StartDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

bool isZeroTensor(Value tensor) { return matchPattern(tensor, m_AnyZeroFloat()) || matchPattern(tensor, m_Zero()); }

tt::DotOp continuedDot(tt::DotOp dot) {
  auto before = dot.getC().getDefiningOp<tt::DotOp>();
  return before && before->getBlock() == dot->getBlock() && before->hasOneUse() ? before : tt::DotOp();
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
