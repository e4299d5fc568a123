// Unused.cpp: dead-code elimination after the lowering. Elements are computed for every register of a tensor, and many
// uses need only some of them: of a vector of addresses, the first. The rest is erased before the cleanup passes, which
// would find it one operation at a time, and before LLVM, which would carry it around loops.
#include "compiler/target/hopper/TawaToSM90/Unused.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tawa {

/// Whether a carried value serves only to compute its own next value, and the loop's result is not read.
static bool feedsOnlyItself(scf::ForOp loop, unsigned index) {
  if (!loop.getResult(index).use_empty())
    return false;
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Value> pending{loop.getRegionIterArgs()[index]};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == yield && use.getOperandNumber() == index)
        continue;
      if (user == yield || user->getBlock() != loop.getBody() || user->getNumRegions() != 0 ||
          !isMemoryEffectFree(user))
        return false;
      if (seen.insert(user).second)
        llvm::append_range(pending, user->getResults());
    }
  return true;
}

void eraseUnused(func::FuncOp function) {
  function.walk([](scf::ForOp loop) {
    for (unsigned index = 0; index < loop.getNumResults(); ++index)
      if (feedsOnlyItself(loop, index)) // carried unchanged, which the canonicalizer drops
        loop.getBody()->getTerminator()->setOperand(index, loop.getRegionIterArgs()[index]);
  });
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

} // namespace tawa
