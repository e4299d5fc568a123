// SchedulePipes: see Passes.td. BlockSchedule.h has the schedule.
#include "compiler/conversion/SchedulePipes/SchedulePipes.h"

#include "compiler/conversion/SchedulePipes/BlockSchedule.h"
#include "compiler/conversion/SchedulePipes/Predicates.h"
#include "compiler/dialect/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SCHEDULEPIPES
#include "compiler/conversion/SchedulePipes/Passes.h.inc"

namespace {

constexpr uint32_t kQuarters = 4, kLanes = 32, kProducerWarps = 4;

/// The condition of an arrival that holds always, which the assembler cannot know: what ex2 gives is not below zero.
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

/// Arithmetic of floats, narrowing and widening: what takes registers before products and after them.
bool computesFloats(Operation *op) {
  return sm90::mayMove(op) && !isa<sm90::ShuffleOp>(op) && sm90::pipeUse(op).pipe != sm90::Pipe::None &&
         llvm::any_of(op->getOperandTypes(), [](Type type) { return isa<FloatType>(type); });
}

/// Before which operation a value has to be there: the first that reads it, or the fence of products that take it in
/// registers (PTX ISA, wgmma.fence). Null where nothing of the block does, or only the next turn of a loop.
Operation *neededBefore(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (Operation *beside = op->getBlock()->findAncestorOpInBlock(*user); !first || beside->isBeforeInBlock(first))
      first = beside;
  if (isa_and_nonnull<sm90::WgmmaOp, sm90::WgmmaRsOp>(first))
    while (first != op && !isa<sm90::WgmmaFenceOp>(first))
      first = first->getPrevNode();
  return first == op || (first && first->hasTrait<OpTrait::IsTerminator>()) ? nullptr : first;
}

/// In a loop that waits for products: puts what is computed right before what needs it, so that one element after the
/// other goes its way from tile to tile, and few values lie between two tiles. Whether there was such a loop.
bool computeLate(ArrayRef<Operation *> ops, Operation *end) {
  bool isWholeLoop = !ops.empty() && end->hasTrait<OpTrait::IsTerminator>() && isa<scf::ForOp>(end->getParentOp()) &&
                     ops.front() == &end->getBlock()->front();
  if (!isWholeLoop || llvm::none_of(ops, [](Operation *op) { return isa<sm90::WgmmaWaitOp>(op); }))
    return false;
  llvm::DenseMap<Operation *, Operation *> firstBefore;
  for (Operation *op : llvm::reverse(ops))
    if (Operation *reader = computesFloats(op) ? neededBefore(op) : nullptr) {
      Operation *&first = firstBefore.try_emplace(reader, reader).first->second;
      op->moveBefore(first);
      first = op;
    }
  return true;
}

struct SchedulePipesPass : impl::SchedulePipesBase<SchedulePipesPass> {
  using SchedulePipesBase::SchedulePipesBase;

  void runOnOperation() override {
    getOperation().walk([&](func::FuncOp kernel) {
      auto threads = kernel->getAttrOfType<IntegerAttr>("sm90.threads");
      if (!threads)
        return;
      uint32_t warps = threads.getInt() / kLanes;
      uint32_t computing = warps > kProducerWarps ? warps - kProducerWarps : warps;
      kernel.walk([&](Block *block) { schedule(block, std::max(1u, computing / kQuarters)); });
    });
  }

  /// Schedules what stands between operations with regions.
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
    if (!schedule.isWorthIt()) {
      late += computeLate(ops, end);
      return;
    }
    for (Operation *op : schedule.run())
      op->moveBefore(end);
    for (const sm90::TiedArrival &tied : schedule.tiedArrivals()) {
      tie(tied);
      ++this->tied;
    }
    ++scheduled;
  }
};

} // namespace
} // namespace tawa
