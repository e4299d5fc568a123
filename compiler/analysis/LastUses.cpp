// Walks a block backwards to the last operation that contains a use; only where that is a branch, into it.
#include "compiler/analysis/LastUses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa {

static bool contains(Operation *op, llvm::function_ref<bool(Operation *)> uses) {
  return op->walk([&](Operation *inner) { return uses(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

void AfterLastUse::add(Block &block, llvm::function_ref<bool(Operation *)> uses) {
  for (Operation &op : llvm::reverse(block)) {
    if (!contains(&op, uses)) {
      outermost.insert(&op);
      continue;
    }
    if (isa<scf::IfOp>(op) && !uses(&op))
      for (Region &branch : op.getRegions())
        for (Block &inner : branch)
          add(inner, uses);
    return;
  }
}

bool AfterLastUse::has(Operation *op) const {
  while (op && !outermost.contains(op))
    op = op->getParentOp();
  return op;
}

bool AfterLastUse::beginsAt(Operation *op) const {
  return outermost.contains(op) && !outermost.contains(op->getPrevNode());
}

} // namespace tawa
