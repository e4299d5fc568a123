// Derives that floats are nonnegative, by induction over the operations that compute them.
#include "compiler/target/hopper/SM90/Signs.h"

#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa::sm90 {

/// By induction: a value is assumed nonnegative until refuted, so that a loop-carried value may depend on itself.
/// Results of a wrong assumption are discarded.
bool Signs::isNotBelowZero(Value value) {
  if (refuted.contains(value))
    return false;
  if (!assumed.insert(value).second || find(value))
    return true;
  assumed.clear();
  refuted.insert(value);
  return false;
}

bool Signs::find(Value value) {
  auto all = [&](auto &&values) { return llvm::all_of(values, [&](Value each) { return isNotBelowZero(each); }); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument != loop.getInductionVar() &&
           all(ArrayRef<Value>{loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()});
  }
  Operation *op = value.getDefiningOp();
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isNotBelowZero(loop.getRegionIterArg(index));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return all(ArrayRef<Value>{branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)});
  APFloat constant(0.0f);
  if (matchPattern(op, m_ConstantFloat(&constant)))
    return !constant.isNegative() || constant.isZero();
  if (auto approx = dyn_cast<ApproxOp>(op))
    return approx.getKind() == ApproxKind::Ex2;
  if (auto shuffle = dyn_cast<ShuffleOp>(op))
    return value.getType().isF32() && isNotBelowZero(shuffle.getValue());
  return isa<arith::AddFOp, arith::MulFOp>(op) && all(op->getOperands());
}

} // namespace tawa::sm90
