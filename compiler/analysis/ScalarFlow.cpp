// Follows uses of scalars forward; what a loop or condition with such an operand computes depends on it altogether.
#include "compiler/analysis/ScalarFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa {

DenseSet<Value> scalarsFrom(ArrayRef<Value> roots) {
  DenseSet<Value> reached;
  SmallVector<Value> open;
  auto reach = [&](Value value) {
    if (!isa<RankedTensorType>(value.getType()) && reached.insert(value).second)
      open.push_back(value);
  };
  llvm::for_each(roots, reach);
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto loop = dyn_cast<scf::ForOp>(user); loop && use.getOperandNumber() >= loop.getNumControlOperands()) {
        reach(loop.getTiedLoopRegionIterArg(&use));
        reach(loop.getTiedLoopResult(&use));
        continue;
      }
      if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp()); loop && isa<scf::YieldOp>(user)) {
        reach(loop.getRegionIterArg(use.getOperandNumber()));
        reach(loop.getResult(use.getOperandNumber()));
        continue;
      }
      Operation *whole = user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
      if (isa<tt::FuncOp>(whole))
        continue;
      llvm::for_each(whole->getResults(), reach);
      for (Region &region : whole->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), reach);
    }
  return reached;
}

} // namespace tawa
