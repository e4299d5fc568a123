// A forward data-flow analysis of values that depend on the program id. Facts only grow, so iterating over all
// operations until nothing changes terminates.
#include "compiler/analysis/ProgramVariance.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

bool isProgramId(Value value) {
  auto id = value.getDefiningOp<tt::GetProgramIdOp>();
  return id && id.getAxis() == tt::ProgramDim::X;
}

ProgramVariance::ProgramVariance(Operation *root, Among programs) : programs(programs) {
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
  return id && (programs == Among::All || id.getAxis() == tt::ProgramDim::X);
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
  if (op->getNumResults() == 0)
    return false;
  bool result = !isMemoryEffectFree(op) || isDifferingId(op);
  op->walk([&](Operation *inner) { result |= llvm::any_of(inner->getOperands(), [&](Value v) { return varies(v); }); });
  return result && markAll(op->getResults());
}

} // namespace tawa
