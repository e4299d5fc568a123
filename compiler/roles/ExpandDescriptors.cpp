// ExpandDescriptors: turns accesses through tensor descriptors without TMA into plain loads, stores and atomics.
//
// What still uses TMA afterwards: tiles that are put into an aref, stores of a wgmma accumulator, and its addition to
// memory, which becomes a store with an attribute (analysis/TileStores.h). DescriptorExpansion.h has what becomes of
// the others.
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/roles/DescriptorExpansion.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

#define DEBUG_TYPE "tawa-expand-descriptors"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_EXPANDDESCRIPTORS
#include "compiler/roles/Passes.h.inc"

namespace {

/// An addition to memory by TMA, as a store with an attribute.
tt::DescriptorStoreOp storeAdding(tt::DescriptorReduceOp reduce) {
  OpBuilder builder(reduce);
  auto store =
      builder.create<tt::DescriptorStoreOp>(reduce.getLoc(), reduce.getDesc(), reduce.getSrc(), reduce.getIndices());
  ws::kAddsAttr.set(store);
  reduce.erase();
  return store;
}

/// The accesses of a kernel of several roles that TMA executes. Asked before anything changes, as the plan of shared
/// memory did.
llvm::DenseSet<Operation *> findTmaAccesses(tt::FuncOp func) {
  llvm::DenseSet<Operation *> found;
  SmallVector<tt::DescriptorReduceOp> additions;
  TmaStores stores;
  func.walk([&](Operation *op) {
    auto role = op->getParentOfType<ws::WarpGroupOp>();
    auto load = dyn_cast<tt::DescriptorLoadOp>(op);
    auto store = dyn_cast<tt::DescriptorStoreOp>(op);
    auto reduce = dyn_cast<tt::DescriptorReduceOp>(op);
    if (load && !load->use_empty() && llvm::all_of(load->getUsers(), llvm::IsaPred<ws::PutOp>))
      found.insert(load);
    if (store && role && stores.has(store, role.getWarps()))
      found.insert(store);
    if (reduce && role && stores.has(reduce, role.getWarps()))
      additions.push_back(reduce);
  });
  for (tt::DescriptorReduceOp reduce : additions)
    found.insert(storeAdding(reduce));
  return found;
}

struct ExpandDescriptorsPass : impl::ExpandDescriptorsBase<ExpandDescriptorsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    unsigned before = countAccesses();
    llvm::DenseSet<Operation *> byTma;
    if (func && !ws::kDeclinedAttr.on(getOperation()))
      byTma = findTmaAccesses(func);
    auto stays = [&](Operation *op) { return byTma.contains(op); };
    if (!func || failed(DescriptorExpansion(func, stays).run(func)))
      return signalPassFailure();
    unsigned left = countAccesses();
    kept += left;
    expanded += before - left;
  }

  unsigned countAccesses() {
    unsigned count = 0;
    getOperation().walk([&](Operation *op) { count += isDescriptorAccess(op); });
    return count;
  }
};

} // namespace
} // namespace tawa
