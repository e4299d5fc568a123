// Proves trip counts equal for the CTAs of a cluster, or collects the launch checks that make them so.
#include "compiler/analysis/UniformTripCounts.h"

#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa {

bool UniformTripCounts::holdAround(Operation *op) {
  for (Operation *parent = op->getParentOp(); !isa<ws::WarpGroupOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    auto branch = dyn_cast<scf::IfOp>(parent);
    bool alike =
        (loop && (variance.isUniform(loop) || walksTiles(loop))) || (branch && !variance.varies(branch.getCondition()));
    if (!alike)
      return false;
  }
  return true;
}

/// for %t = %program to %tiles step %programs: neighbours run it equally often if a cluster divides both.
bool UniformTripCounts::walksTiles(scf::ForOp loop) {
  return isProgramId(loop.getLowerBound()) && isDivisible(loop.getStep()) && isDivisible(loop.getUpperBound());
}

bool UniformTripCounts::isDivisible(Value value) {
  if (isMultipleOf(value, cluster) || matchPattern(value, m_Constant()))
    return isMultipleOf(value, cluster);
  auto expression = variance.varies(value) ? std::nullopt : launchExpression(value);
  return expression && (divisible.insert(StringAttr::get(value.getContext(), *expression)), true);
}

} // namespace tawa
