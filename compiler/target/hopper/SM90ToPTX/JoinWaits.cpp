// JoinWaits: waits for the same groups become one that hands on all their accumulators.
//
//   %a1 = wgmma_wait 0 %a          %r:2 = wgmma_wait 0 %a, %b
//   %b1 = wgmma_wait 0 %b    ->
//
// A tile of 136 columns is 17 products of 8, which one instruction computes (JoinWgmmas); each has a wait of its own.
// The second and later ones wait for nothing, but ptxas 13.0 keeps them all.
#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa::sm90 {

static bool canStandAt(WgmmaWaitOp later, WgmmaWaitOp first) {
  return later.getPendings() == first.getPendings() && handsOnUnwritten(later) == handsOnUnwritten(first) &&
         llvm::all_of(later.getAccumulators(), [&](Value value) { return isDefinedBefore(value, first); });
}

/// Returns how many waits there are fewer.
static size_t joinRun(SmallVectorImpl<WgmmaWaitOp> &run) {
  size_t joined = run.empty() ? 0 : run.size() - 1;
  if (joined > 0) {
    SmallVector<Value> accumulators;
    SmallVector<Type> types;
    for (WgmmaWaitOp wait : run) {
      llvm::append_range(accumulators, wait.getAccumulators());
      llvm::append_range(types, wait->getResultTypes());
    }
    WgmmaWaitOp first = run.front();
    auto all = OpBuilder(first).create<WgmmaWaitOp>(first.getLoc(), types, first.getPendings(), accumulators);
    ValueRange results = all.getResults();
    for (WgmmaWaitOp wait : run) {
      wait->replaceAllUsesWith(results.take_front(wait->getNumResults()));
      results = results.drop_front(wait->getNumResults());
      wait->erase();
    }
  }
  run.clear();
  return joined;
}

size_t joinWaits(ModuleOp module) {
  size_t joined = 0;
  module.walk([&](Block *block) {
    SmallVector<WgmmaWaitOp> run; // nothing but computation is between them
    for (Operation &op : *block) {
      auto wait = dyn_cast<WgmmaWaitOp>(op);
      if (wait ? !run.empty() && !canStandAt(wait, run.front()) : !isMemoryEffectFree(&op))
        joined += joinRun(run);
      if (wait)
        run.push_back(wait);
    }
    joined += joinRun(run);
  });
  return joined;
}

} // namespace tawa::sm90
