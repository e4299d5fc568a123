// PrefetchLoads: small loads of a loop with products are made at the end of the iteration before, if their addresses
// follow from what that one hands on.
//
//   for iter_args(%row) {                          %first = tt.load %p + %row0
//     %s = tt.dot ..                               for iter_args(%row, %x = %first) {
//     %x = tt.load %p + %row                ->       %s = tt.dot ..
//     .. %s - %x ..                                  .. %s - %x ..
//     %next = %row + %step                           %next = %row + %step
//   }                                                %y = tt.load %p + %next, another iteration follows
//                                                  }
//
// tawa-pipeline-loads makes a load ahead if its address can be computed an iteration ahead. Where a loop carries a row
// that depends on a table, it cannot, but when an iteration ends, the row of the next one is known; the products still
// in flight hide the load. What is loaded takes registers from there on: a load stays where the iteration would need
// more than before, and more than there are.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/TileRegisters.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/AheadSlice.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/PeakRegisters.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-prefetch-loads"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PREFETCHLOADS
#include "compiler/roles/Passes.h.inc"

namespace {

using Slice = llvm::SetVector<Operation *>;

/// Operations of the body that `value` follows from; false if there are others than arithmetic that cannot fail.
bool collect(scf::ForOp loop, Value value, Slice &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || slice.contains(op))
    return true;
  if (!isPure(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (!collect(loop, operand, slice))
      return false;
  slice.insert(op);
  return true;
}

SmallVector<Value> addressOf(tt::LoadOp load) {
  SmallVector<Value> values{load.getPtr()};
  if (load.getMask())
    values.push_back(load.getMask());
  return values;
}

bool isSmall(tt::LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  return type && type.getRank() == 1 && isa<FloatType>(type.getElementType());
}

/// The load of an iteration that exists if `condition` holds; `mapping` has what its address follows from.
Value loadIf(OpBuilder &builder, tt::LoadOp load, const Slice &slice, Value condition, IRMapping &mapping) {
  for (Operation *op : slice)
    if (!mapping.contains(op->getResult(0)))
      builder.clone(*op, mapping);
  auto type = cast<RankedTensorType>(load.getType());
  Value mask = builder.create<tt::SplatOp>(load.getLoc(), type.clone(builder.getI1Type()), condition);
  if (load.getMask())
    mask = builder.create<arith::AndIOp>(load.getLoc(), mapping.lookupOrDefault(load.getMask()), mask);
  auto clone = cast<tt::LoadOp>(builder.clone(*load, mapping));
  clone.getMaskMutable().assign(mask);
  return clone.getResult();
}

class LoopPrefetch {
public:
  LoopPrefetch(tt::FuncOp func, scf::ForOp loop, uint32_t warps, int64_t owned)
      : func(func), loop(loop), warps(warps), owned(owned) {
    for (Operation &op : *loop.getBody())
      order.push_back(&op);
  }

  /// Why the load stays; nothing if it is one of those that `apply` moves.
  std::optional<StringRef> add(tt::LoadOp load) {
    Slice slice;
    for (Value value : addressOf(load))
      if (!collect(loop, value, slice))
        return "its address follows from what its own iteration loads or computes";
    bool isPadded = load.getOther() && !loop.isDefinedOutsideOfLoop(load.getOther());
    if (load.getIsVolatile() || isPadded || mayFollowWrite(func, load))
      return "it may read what the kernel writes";
    SmallVector<Operation *> then{load};
    llvm::copy_if(order, std::back_inserter(then), [&](Operation *op) { return op != load; });
    int64_t before = peakRegisters(order, warps), after = peakRegisters(then, warps);
    if (after > before && !fitsRegisters(RegisterQuestion::RotatedLoop, after, owned))
      return "the iteration would need more registers than there are";
    order = then;
    loads.push_back({load, slice});
    return std::nullopt;
  }

  void apply() {
    if (loads.empty())
      return;
    OpBuilder builder(loop);
    IRMapping first;
    first.map(loop.getInductionVar(), loop.getLowerBound());
    first.map(loop.getRegionIterArgs(), loop.getInitArgs());
    SmallVector<Value> inits = loadAll(builder, hasMoreThan(builder, loop, 0), first);
    unsigned before = loop.getNumRegionIterArgs();
    loop = appendCarried(loop, inits);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    IRMapping next;
    next.map(loop.getInductionVar(), behind(builder, loop, loop.getInductionVar(), 1));
    for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
      next.map(argument, value);
    appendYielded(loop, loadAll(builder, hasAhead(builder, loop, 1), next));
    for (auto [each, carried] : llvm::zip(loads, loop.getRegionIterArgs().drop_front(before))) {
      each.first.getResult().replaceAllUsesWith(carried);
      each.first->erase();
    }
  }

private:
  SmallVector<Value> loadAll(OpBuilder &builder, Value condition, IRMapping &mapping) {
    SmallVector<Value> values;
    for (auto &[load, slice] : loads)
      values.push_back(loadIf(builder, load, slice, condition, mapping));
    return values;
  }

  tt::FuncOp func;
  scf::ForOp loop;
  uint32_t warps;
  int64_t owned; ///< Registers of a thread.
  SmallVector<Operation *> order;
  SmallVector<std::pair<tt::LoadOp, Slice>> loads;
};

struct PrefetchLoadsPass : impl::PrefetchLoadsBase<PrefetchLoadsPass> {
  using PrefetchLoadsBase::PrefetchLoadsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (ringDepth == 1)
      return;
    SmallVector<scf::ForOp> loops;
    func.walk([&](scf::ForOp loop) {
      if (loop->getParentOfType<ws::WarpGroupOp>() && isInnermost(loop) && !loop.getBody()->getOps<tt::DotOp>().empty())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto role = loop->getParentOfType<ws::WarpGroupOp>();
      LoopPrefetch prefetch(func, loop, role.getWarps(), ownedRegisters(role));
      for (auto load : loop.getBody()->getOps<tt::LoadOp>()) {
        // Others are made ahead by tawa-pipeline-loads, or are as many as registers hold.
        if (!isSmall(load) || AheadSlice::find(loop, addressOf(load)))
          continue;
        if (auto reason = prefetch.add(load))
          kept.because(load, *reason);
        else
          prefetched.at(load);
      }
      prefetch.apply();
    }
  }
};

} // namespace
} // namespace tawa
