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
  if (isAlwaysDivisible(value) || matchPattern(value, m_Constant()))
    return isAlwaysDivisible(value);
  auto expression = variance.varies(value) ? std::nullopt : launchExpression(value);
  return expression && (divisible.insert(StringAttr::get(value.getContext(), *expression)), true);
}

/// The requested grid extent along x, in a kernel whose CTAs walk the grid (tawa-make-persistent). A launch with
/// clusters accepts only multiples of the cluster size.
static bool isGridExtent(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp()) : tt::FuncOp();
  if (!func)
    return false;
  auto role = parameterRole(func, argument.getArgNumber());
  return role && role->part == ParameterRole::Part::Grid && role->dimension == 0;
}

bool UniformTripCounts::isAlwaysDivisible(Value value) const {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.urem(cluster) == 0;
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (product && (isAlwaysDivisible(product.getLhs()) || isAlwaysDivisible(product.getRhs())))
    return true;
  auto programs = value.getDefiningOp<tt::GetNumProgramsOp>();
  return isGridExtent(value) || (programs && programs.getAxis() == tt::ProgramDim::X);
}

} // namespace tawa
