// RaiseStores: turns stores of accumulators through tensors of pointers to blocks of a matrix into descriptor stores,
// which TMA executes.
//
//   %p = c + (128 pid + i0) * ld + (256 n + i1)         %d = tt.make_tensor_descriptor %c, [M, N], [ld, 1]
//   %m = 128 pid + i0 < M & 256 n + i1 < N        ->    ..
//   tt.store %p, %x, %m                                 tt.descriptor_store %d[128 pid, 256 n], %x
//
// RaiseBlocks.h defines which pointers and masks are such blocks. Stores through pointers need other neighbours per
// thread than an accumulator has, and shared memory as large as the tile for the conversion; TMA stores the panels as
// they are.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/RaiseBlocks.h"
#include "compiler/roles/TileLoads.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-raise-stores"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_RAISESTORES
#include "compiler/roles/Passes.h.inc"

namespace {

/// Rewrites the store, or says why it has to stay.
const char *raiseStore(tt::StoreOp store, uint32_t warps, raise::BlockRaiser &raiser) {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  if (const char *why = raiser.read(store.getPtr(), store.getMask(), type))
    return why;
  if (raiser.innerDimension() != 1)
    return "its columns are contiguous in memory, but its rows in registers";
  if (const char *why = raiser.checkStore(type))
    return why;
  if (needsTextOrder(store->getParentOfType<tt::FuncOp>(), store, warps))
    return "the kernel accesses its tensor in other ways, or announces what it wrote";
  raise::RaisedBlock block;
  if (const char *why = raiser.make(store, type, block))
    return why;
  OpBuilder builder(store);
  builder.create<tt::DescriptorStoreOp>(store.getLoc(), block.descriptor, store.getValue(), block.indices);
  store.erase();
  return nullptr;
}

/// Whether the kernel may be split into roles: without, pointers serve a store better.
bool mayBeSplit(tt::FuncOp func, uint32_t consumerWarps) {
  TileLoads tiles(func, consumerWarps);
  return llvm::any_of(tiles.all(), [](const auto &entry) { return isInLoop(entry.first); });
}

struct RaiseStoresPass : impl::RaiseStoresBase<RaiseStoresPass> {
  using RaiseStoresBase::RaiseStoresBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    uint32_t warps = groupsPerTile(func.getBody().front(), consumerGroups) * kWarpsPerGroup;
    SmallVector<tt::StoreOp> stores;
    func.walk([&](tt::StoreOp store) {
      bool isTile = isa<RankedTensorType>(store.getValue().getType());
      if (isTile && isStorableAccumulator(store.getValue(), warps))
        stores.push_back(store);
      else
        kept.because(store, "what it stores is no accumulator of wgmma");
    });
    if (stores.empty())
      return;
    if (!mayBeSplit(func, warps)) {
      for (tt::StoreOp store : stores)
        kept.because(store, "no loop of the kernel loads a tile that could travel between roles");
      return;
    }
    raise::BlockRaiser raiser(func);
    for (tt::StoreOp store : stores) {
      if (const char *why = raiseStore(store, warps, raiser)) {
        kept.because(store, why);
        store.emitRemark() << "stored by threads instead of TMA: " << why;
      } else {
        ++raised;
      }
    }
  }
};

} // namespace
} // namespace tawa
