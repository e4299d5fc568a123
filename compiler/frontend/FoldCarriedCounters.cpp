// FoldCarriedCounters: numbers that a loop carries in its own steps become its induction variable plus a constant.
//
//   scf.for %t = %first to %n step %s iter_args(%u = %first + c) {      %u' = %t + c
//     .. %u ..                                                     ->   .. %u' ..
//     scf.yield %u + %s
//   }
#include "compiler/analysis/TileForms.h"
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

namespace {

bool isSameNumber(Value a, Value b) { return a == b || (constantOf(a) && constantOf(a) == constantOf(b)); }

/// value - base, where that is a constant.
std::optional<int64_t> distance(Value value, Value base) {
  if (value == base)
    return 0;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) || op->getOperand(0) != base)
    return std::nullopt;
  auto by = constantOf(op->getOperand(1));
  return by && isa<arith::SubIOp>(op) ? std::optional(-*by) : by;
}

struct FoldCarriedCountersPass : impl::FoldCarriedCountersBase<FoldCarriedCountersPass> {
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      for (BlockArgument argument : loop.getRegionIterArgs())
        fold(loop, argument);
    });
  }

  void fold(scf::ForOp loop, BlockArgument argument) {
    Value next = loop.getTiedLoopYieldedValue(argument)->get();
    auto step = next.getDefiningOp<arith::AddIOp>();
    if (argument.use_empty() || argument.getType() != loop.getInductionVar().getType() || !step ||
        step.getLhs() != argument || !isSameNumber(step.getRhs(), loop.getStep()))
      return;
    auto apart = distance(loop.getTiedLoopInit(argument)->get(), loop.getLowerBound());
    if (!apart)
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Location loc = loop.getLoc();
    auto constant = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(argument.getType(), *apart));
    argument.replaceAllUsesWith(builder.create<arith::AddIOp>(loc, loop.getInductionVar(), constant));
    folded.at(loop);
  }
};

} // namespace
} // namespace tawa
