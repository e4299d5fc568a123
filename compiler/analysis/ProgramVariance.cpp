// A forward data-flow analysis of values that depend on the program id. Facts only grow, so iterating over all
// operations until nothing changes terminates.
#include "compiler/analysis/ProgramVariance.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

bool isProgramId(Value value) {
  auto id = value.getDefiningOp<tt::GetProgramIdOp>();
  return id && id.getAxis() == tt::ProgramDim::X;
}

/// The requested grid extent along x, in a kernel whose CTAs walk the grid (tawa-make-persistent). A launch with
/// clusters accepts only multiples of the cluster size, unless the kernel itself goes on to one (tawa-pad-grid).
static bool isGridExtent(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp()) : tt::FuncOp();
  if (!func || ws::kPaddedGridAttr.on(func))
    return false;
  auto role = parameterRole(func, argument.getArgNumber());
  return role && role->part == ParameterRole::Part::Grid && role->dimension == 0;
}

bool isMultipleOf(Value value, unsigned cluster) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.urem(cluster) == 0;
  auto isMultiple = [cluster](Value operand) { return isMultipleOf(operand, cluster); };
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), isMultiple);
  if (isa_and_present<arith::AddIOp, arith::SubIOp, arith::MaxUIOp>(op))
    return llvm::all_of(op->getOperands(), isMultiple);
  auto programs = dyn_cast_if_present<tt::GetNumProgramsOp>(op);
  return isGridExtent(value) || (programs && programs.getAxis() == tt::ProgramDim::X);
}

ProgramVariance::ProgramVariance(Operation *root, unsigned cluster) : cluster(cluster) {
  for (bool news = true; news;) {
    news = false;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { news |= visit(op); });
  }
}

bool ProgramVariance::markAll(ValueRange values) {
  bool news = false;
  for (Value value : values)
    news |= mark(value);
  return news;
}

/// A loop-carried value is the initial one or that of an iteration; after the loop it also depends on the trip count.
bool ProgramVariance::visitLoop(scf::ForOp loop) {
  bool startVaries = varies(loop.getLowerBound()) || varies(loop.getStep());
  bool news = startVaries && mark(loop.getInductionVar());
  for (auto [init, argument, yielded, result] :
       llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
    if (varies(init) || varies(yielded))
      news |= mark(argument);
    if (varies(argument) || !isUniform(loop))
      news |= mark(result);
  }
  return news;
}

bool ProgramVariance::visitBranch(scf::IfOp branch) {
  bool news = false;
  for (OpResult result : branch.getResults()) {
    unsigned index = result.getResultNumber();
    if (varies(branch.getCondition()) || varies(branch.thenYield().getOperand(index)) ||
        varies(branch.elseYield().getOperand(index)))
      news |= mark(result);
  }
  return news;
}

bool ProgramVariance::isDifferingId(Operation *op) const {
  auto id = dyn_cast<tt::GetProgramIdOp>(op);
  return id && (cluster == kAll || id.getAxis() == tt::ProgramDim::X);
}

bool ProgramVariance::countsCtas(Value value) const {
  if (isProgramId(value))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && countsCtas(loop.getLowerBound()) &&
           isCommonMultiple(loop.getStep());
  }
  auto rest = value.getDefiningOp<arith::RemUIOp>();
  return rest && countsCtas(rest.getLhs()) && isCommonMultiple(rest.getRhs());
}

bool ProgramVariance::unites(Operation *op) const {
  auto quotient = dyn_cast<arith::DivUIOp>(op);
  return cluster != kAll && quotient && countsCtas(quotient.getLhs()) && isCommonMultiple(quotient.getRhs());
}

bool ProgramVariance::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    bool news = markAll(loop.getResults());
    news |= markAll(loop.getBeforeArguments());
    return markAll(loop.getAfterArguments()) || news;
  }
  if (op->getNumResults() == 0 || unites(op))
    return false;
  bool result = !isMemoryEffectFree(op) || isDifferingId(op);
  op->walk([&](Operation *inner) { result |= llvm::any_of(inner->getOperands(), [&](Value v) { return varies(v); }); });
  return result && markAll(op->getResults());
}

} // namespace tawa
