// `op if %p` becomes `scf.if %p { op }`: the host has no predicated calls.

#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/SM90ToHost/Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa::sm90 {

static void expand(PredicatedOpInterface op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value predicate = op.getPredicateValue();
  op.clearPredicate();
  bool hasResults = op->getNumResults() != 0;
  auto branch = builder.create<scf::IfOp>(loc, op->getResultTypes(), predicate, /*withElseRegion=*/hasResults);
  op->replaceAllUsesWith(branch.getResults());
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  if (!hasResults)
    return; // scf.if without results came with its terminator
  OpBuilder::atBlockEnd(branch.thenBlock()).create<scf::YieldOp>(loc, op->getResults());
  OpBuilder otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : op->getResultTypes())
    zeros.push_back(otherwise.create<arith::ConstantOp>(loc, otherwise.getZeroAttr(type)));
  otherwise.create<scf::YieldOp>(loc, zeros);
}

void expandPredicates(ModuleOp module) {
  SmallVector<PredicatedOpInterface> predicated;
  module.walk([&](PredicatedOpInterface op) {
    if (op.getPredicateValue())
      predicated.push_back(op);
  });
  for (PredicatedOpInterface op : predicated)
    expand(op);
}

} // namespace tawa::sm90
