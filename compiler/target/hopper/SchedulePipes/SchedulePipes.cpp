// SchedulePipes: see Passes.td. BlockSchedule.h has the schedule.
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"

#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/SchedulePipes/BlockSchedule.h"
#include "compiler/target/hopper/SchedulePipes/Predicates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-schedule-pipes"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SCHEDULEPIPES
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

namespace {

constexpr uint32_t kQuarters = 4;

/// Gives an arrival a condition that always holds but that the assembler cannot fold: a result of ex2 is not negative.
void tie(const sm90::TiedArrival &tied) {
  auto arrive = cast<sm90::MBarrierArriveOp>(tied.arrival);
  OpBuilder builder(arrive);
  Location loc = arrive.getLoc();
  Value below = builder.create<arith::ConstantOp>(loc, builder.getF32FloatAttr(-1));
  for (Value result : tied.results) {
    Value holds = builder.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UGE, result, below); // NaN too
    arrive.getPredicateMutable().assign(builder.create<arith::AndIOp>(loc, arrive.getPredicate(), holds).getResult());
  }
}

struct SchedulePipesPass : impl::SchedulePipesBase<SchedulePipesPass> {
  using SchedulePipesBase::SchedulePipesBase;

  void runOnOperation() override {
    getOperation().walk([&](func::FuncOp kernel) {
      std::optional<int32_t> warps = sm90::kProductWarpsAttr.get(kernel);
      if (!warps)
        return;
      uint32_t perQuarter = static_cast<uint32_t>(*warps) / kQuarters;
      kernel.walk([&](Block *block) { schedule(block, std::max(1u, perQuarter)); });
    });
  }

  /// Schedules the operations between those with regions.
  void schedule(Block *block, uint32_t warpsPerQuarter) {
    if (!block->getOps<sm90::WgmmaWaitOp>().empty())
      sm90::placePredicates(*block);
    SmallVector<Operation *> ops;
    auto flush = [&](Operation *end) {
      scheduleBefore(end, ops, warpsPerQuarter);
      ops.clear();
    };
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>())
        flush(&op);
      else
        ops.push_back(&op);
    }
  }

  void scheduleBefore(Operation *end, ArrayRef<Operation *> ops, uint32_t warpsPerQuarter) {
    sm90::BlockSchedule schedule(ops, warpsPerQuarter);
    if (ops.empty())
      return;
    if (!schedule.isWorthIt()) {
      bool waits = llvm::any_of(ops, llvm::IsaPred<sm90::WgmmaWaitOp>);
      return kept.because(ops.front(),
                          waits ? "no pipe is busy for long, or registers are few" : "no products are waited for");
    }
    scheduled.at(end);
    for (Operation *op : schedule.run())
      op->moveBefore(end);
    for (const sm90::TiedArrival &tied : schedule.tiedArrivals()) {
      tie(tied);
      this->tied.at(tied.arrival);
    }
  }
};

} // namespace
} // namespace tawa
