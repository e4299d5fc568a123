// FoldCarriedCounters: numbers that a loop carries in its own steps become its induction variable plus a constant.
//
//   scf.for %t = %first to %n step %s iter_args(%u = %first + c) {      %u' = %t + c
//     .. %u ..                                                     ->   .. %u' ..
//     scf.yield %u + %s
//   }
#include "compiler/analysis/TileForms.h"
#include "compiler/frontend/CarriedCounters.h"
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-fold-carried-counters"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_FOLDCARRIEDCOUNTERS
#include "compiler/frontend/Passes.h.inc"

static bool isSameNumber(Value a, Value b) { return a == b || (constantOf(a) && constantOf(a) == constantOf(b)); }

/// value - base, where that is a constant.
static std::optional<int64_t> distance(Value value, Value base) {
  if (value == base)
    return 0;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) || op->getOperand(0) != base)
    return std::nullopt;
  auto by = constantOf(op->getOperand(1));
  return by && isa<arith::SubIOp>(op) ? std::optional(-*by) : by;
}

std::optional<int64_t> aheadOfLoop(scf::ForOp loop, BlockArgument carried) {
  auto step = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp<arith::AddIOp>();
  if (carried.getType() != loop.getInductionVar().getType() || !step || step.getLhs() != carried ||
      !isSameNumber(step.getRhs(), loop.getStep()))
    return std::nullopt;
  return distance(loop.getTiedLoopInit(carried)->get(), loop.getLowerBound());
}

void foldCarriedCounter(scf::ForOp loop, BlockArgument carried, int64_t ahead) {
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  auto constant = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(carried.getType(), ahead));
  carried.replaceAllUsesWith(builder.create<arith::AddIOp>(loc, loop.getInductionVar(), constant));
}

namespace {

struct FoldCarriedCountersPass : impl::FoldCarriedCountersBase<FoldCarriedCountersPass> {
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      for (BlockArgument carried : loop.getRegionIterArgs())
        if (auto ahead = carried.use_empty() ? std::nullopt : aheadOfLoop(loop, carried)) {
          foldCarriedCounter(loop, carried, *ahead);
          folded.at(loop);
        }
    });
  }
};

} // namespace
} // namespace tawa
