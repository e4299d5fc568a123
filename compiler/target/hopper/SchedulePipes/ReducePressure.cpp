// ReducePressure: computes values shortly before they are needed where a thread has no registers for all of them.
//
//   x0 = a0 + b; x1 = a1 + b; ..           x0 = a0 + b; y0 = f(x0); stmatrix y0, ..
//   y0 = f(x0);  y1 = f(x1);  ..     ->    x1 = a1 + b; y1 = f(x1); stmatrix y1, ..
//   stmatrix y0, ..; stmatrix y1, ..; ..
//
// The lowering computes each operation for all elements of a tile. Here 3 n values become live where n of a0, a1, ..
// were: as each is needed last, its register is free for what is computed from it.
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/SchedulePipes/BlockSchedule.h"
#include "compiler/target/hopper/SchedulePipes/LiveRegisters.h"
#include "compiler/target/hopper/SchedulePipes/PipeModel.h"
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#define DEBUG_TYPE "tawa-reduce-pressure"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_REDUCEPRESSURE
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

namespace {

/// So many values are computed together: enough for the latencies of their steps to overlap.
constexpr size_t kTogether = 8;
/// Another order is taken if it needs no more than this share of the registers.
constexpr double kWorthwhile = 0.9;

/// An order in which values that free as many registers as they take are computed as early as in the text, eight at a
/// time with the steps that lead to each, and other values where they are first needed.
class DemandOrder {
public:
  explicit DemandOrder(ArrayRef<Operation *> ops) : ops(ops), live(ops) {
    for (auto [index, op] : llvm::enumerate(ops))
      numberOf[op] = index;
  }

  SmallVector<Operation *> run() {
    for (auto [index, op] : llvm::enumerate(ops)) {
      if (sm90::mayMove(op))
        continue;
      if (live.change(op) > 0)
        placeWhatFrees(index);
      place(stepsTo(op));
    }
    placeWhatFrees(ops.size());
    place(ops);
    return std::move(order);
  }

private:
  /// Of the operations before `end`, those since the last time that take no more registers than they free.
  void placeWhatFrees(size_t end) {
    SmallVector<Operation *> together;
    size_t results = 0;
    for (Operation *op : ops.slice(looked, end - looked)) {
      SmallVector<Operation *> steps = placed.contains(op) ? SmallVector<Operation *>() : stepsTo(op);
      if (steps.empty() || live.change(steps) > 0)
        continue;
      llvm::append_range(together, steps);
      if (++results < kTogether)
        continue;
      place(together);
      together.clear();
      results = 0;
    }
    place(together);
    looked = end;
  }

  /// An operation after those that it needs and that have no place yet.
  SmallVector<Operation *> stepsTo(Operation *wanted) const {
    SmallVector<Operation *> steps, pending = {wanted};
    llvm::SmallDenseSet<Operation *> seen;
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      if (!numberOf.contains(op) || placed.contains(op) || !seen.insert(op).second)
        continue;
      steps.push_back(op);
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp())
          pending.push_back(source);
    }
    return steps;
  }

  /// In the order of the text.
  void place(ArrayRef<Operation *> wanted) {
    SmallVector<Operation *> sorted(wanted);
    llvm::sort(sorted, [&](Operation *a, Operation *b) { return numberOf.lookup(a) < numberOf.lookup(b); });
    for (Operation *op : sorted)
      if (placed.insert(op).second) {
        live.place(op);
        order.push_back(op);
      }
  }

  ArrayRef<Operation *> ops;
  sm90::LiveValues live;
  llvm::DenseMap<Operation *, unsigned> numberOf;
  llvm::DenseSet<Operation *> placed;
  size_t looked = 0; ///< Operations that placeWhatFrees has looked at.
  SmallVector<Operation *> order;
};

/// Nothing is moved over what orders the registers of products, nor over what releases a slot: until a value that was
/// read from it is used, ptxas may sink the read.
bool isBoundary(Operation *op) {
  return isa<sm90::WgmmaOp, sm90::WgmmaRsOp, sm90::WgmmaFenceOp, sm90::WgmmaCommitOp, sm90::WgmmaWaitOp,
             sm90::MBarrierWaitParityOp, sm90::MBarrierArriveOp>(op);
}

struct ReducePressurePass : impl::ReducePressureBase<ReducePressurePass> {
  using ReducePressureBase::ReducePressureBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { order(*block); });
  }

  /// The operations between those with regions.
  void order(Block &block) {
    SmallVector<Operation *> run;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>()) {
        run.push_back(&op);
        continue;
      }
      order(run, &op);
      run.clear();
    }
  }

  void order(ArrayRef<Operation *> run, Operation *end) {
    if (run.size() <= kTogether)
      return;
    if (sm90::fitRegisters(run))
      return kept.because(end, "a thread has registers for all values");
    if (sm90::BlockSchedule(run, 1).isWorthIt())
      return kept.because(end, "its order keeps a pipe busy under products");
    while (!run.empty()) {
      size_t count = llvm::find_if(run, isBoundary) - run.begin();
      orderPart(run.take_front(count), count < run.size() ? run[count] : end);
      run = run.drop_front(std::min(count + 1, run.size()));
    }
  }

  void orderPart(ArrayRef<Operation *> part, Operation *end) {
    if (sm90::fitRegisters(part))
      return;
    SmallVector<Operation *> later = DemandOrder(part).run();
    if (sm90::liveRegisters(later) > kWorthwhile * sm90::liveRegisters(part))
      return kept.because(end, "another order needs as many registers");
    ordered.at(end);
    for (Operation *op : later)
      op->moveBefore(end);
  }
};

} // namespace
} // namespace tawa
