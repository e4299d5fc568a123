// ScalarizeCarriedOffsets: tiles of integers to which each iteration of a loop adds one number become the tile before
// the loop plus a scalar that the loop carries.
//
//   scf.for .. iter_args(%rows = %first) {            scf.for .. iter_args(%moved = 0) {
//     .. %rows ..                               ->      .. %first + splat %moved ..
//     scf.yield %rows + splat %step                     scf.yield %moved + %step
//   }                                                 }
//
// Sums of integers wrap, so both are equal whatever the steps are.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "tawa-scalarize-carried-offsets"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SCALARIZECARRIEDOFFSETS
#include "compiler/frontend/Passes.h.inc"

namespace {

/// What one iteration adds to a carried tile: splats, or constants of equal elements.
using Steps = SmallVector<Value, 2>;

bool isUniform(Value tile) {
  DenseIntElementsAttr constant;
  return tile.getDefiningOp<tt::SplatOp>() || (matchPattern(tile, m_Constant(&constant)) && constant.isSplat());
}

/// None where the loop changes the tile in another way, or does not change it.
std::optional<Steps> stepsOf(scf::ForOp loop, BlockArgument carried) {
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  if (!type || !type.getElementType().isInteger())
    return std::nullopt;
  Steps steps;
  Value next = loop.getTiedLoopYieldedValue(carried)->get();
  while (next != carried) {
    auto add = next.getDefiningOp<arith::AddIOp>();
    if (!add)
      return std::nullopt;
    bool isRight = isUniform(add.getRhs());
    if (!isRight && !isUniform(add.getLhs()))
      return std::nullopt;
    steps.push_back(isRight ? add.getRhs() : add.getLhs());
    next = isRight ? add.getLhs() : add.getRhs();
  }
  return steps.empty() ? std::nullopt : std::optional(steps);
}

/// The element of a uniform tile.
Value scalarOf(OpBuilder &builder, Value tile) {
  if (auto splat = tile.getDefiningOp<tt::SplatOp>())
    return splat.getSrc();
  DenseIntElementsAttr constant;
  matchPattern(tile, m_Constant(&constant));
  return builder.create<arith::ConstantOp>(tile.getLoc(), constant.getSplatValue<IntegerAttr>());
}

struct ScalarizeCarriedOffsetsPass : impl::ScalarizeCarriedOffsetsBase<ScalarizeCarriedOffsetsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      scalarize(loop);
  }

  void scalarize(scf::ForOp loop) {
    SmallVector<std::pair<unsigned, Steps>> carried;
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (auto steps = stepsOf(loop, argument))
        carried.push_back({index, *steps});
    if (carried.empty())
      return;
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> zeros;
    for (const auto &[index, steps] : carried)
      zeros.push_back(rewriter.create<arith::ConstantOp>(
          loop.getLoc(), rewriter.getZeroAttr(tt::elementTypeOf(loop.getInitArgs()[index].getType()))));
    auto sums = [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> scalars) {
      SmallVector<Value> next(scalars.begin(), scalars.end());
      for (auto [sum, tile] : llvm::zip(next, carried))
        for (Value step : tile.second)
          sum = builder.create<arith::AddIOp>(loc, sum, scalarOf(builder, step));
      return next;
    };
    unsigned before = loop.getInitArgs().size();
    auto wider = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(rewriter, zeros, /*replaceInitOperandUsesInLoop=*/false, sums));
    for (auto [number, tile] : llvm::enumerate(carried)) {
      unsigned index = tile.first;
      rewriter.setInsertionPointToStart(wider.getBody());
      replace(rewriter, wider.getRegionIterArg(index), wider.getInitArgs()[index],
              wider.getRegionIterArg(before + number));
      rewriter.setInsertionPointAfter(wider);
      replace(rewriter, wider.getResult(index), wider.getInitArgs()[index], wider.getResult(before + number));
      scalarized.at(wider);
      // The tile itself no longer changes, and the loop's folding drops it.
      wider.getBody()->getTerminator()->setOperand(index, wider.getRegionIterArg(index));
    }
  }

  static void replace(OpBuilder &builder, Value tile, Value first, Value scalar) {
    if (tile.use_empty())
      return;
    Location loc = tile.getLoc();
    Value moved = builder.create<tt::SplatOp>(loc, tile.getType(), scalar);
    tile.replaceAllUsesWith(builder.create<arith::AddIOp>(loc, first, moved));
  }
};

} // namespace
} // namespace tawa
