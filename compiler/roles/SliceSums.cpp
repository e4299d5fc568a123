// SliceSums: warps divide K of a product, and add up what each has when the loop ends.
//
//   for iter_args(%sum = %zeros) -> (16x64) {        for iter_args(%sums = %zeros) -> (4x16x64) {
//     %next = tt.dot %a, %b, %sum                      %as = %a as 4x16x32, %bs = %b as 4x32x64
//     yield %next                               ->     %next = tt.dot %as, %bs, %sums
//   }                                                  yield %next
//                                                    }
//                                                    %sum = sum of the loop's result along the first dimension
//
// The first dimension is one of warps (analysis/DotKind.h), so each of these reads its slices of both operands.
#include "compiler/analysis/SumSlices.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-slice-sums"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SLICESUMS
#include "compiler/roles/Passes.h.inc"

namespace {

RankedTensorType shaped(Value tile, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, cast<RankedTensorType>(tile.getType()).getElementType());
}

/// Slices of K as a first dimension: of A's columns and of B's rows.
Value slicesOfA(OpBuilder &builder, Location loc, Value a, int64_t slices) {
  auto type = cast<RankedTensorType>(a.getType());
  int64_t rows = type.getDimSize(0), depth = type.getDimSize(1) / slices;
  Value apart = builder.create<tt::ReshapeOp>(loc, shaped(a, {rows, slices, depth}), a);
  return builder.create<tt::TransOp>(loc, shaped(a, {slices, rows, depth}), apart,
                                     builder.getDenseI32ArrayAttr({1, 0, 2}));
}

Value slicesOfB(OpBuilder &builder, Location loc, Value b, int64_t slices) {
  auto type = cast<RankedTensorType>(b.getType());
  return builder.create<tt::ReshapeOp>(loc, shaped(b, {slices, type.getDimSize(0) / slices, type.getDimSize(1)}), b);
}

Value addUp(OpBuilder &builder, Location loc, Value sums) {
  Type element = getElementTypeOrSelf(sums);
  auto reduce = builder.create<tt::ReduceOp>(loc, sums, /*axis=*/0);
  Block &body = reduce.getCombineOp().emplaceBlock();
  body.addArguments({element, element}, {loc, loc});
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  Value left = body.getArgument(0), right = body.getArgument(1);
  Value both = isa<FloatType>(element) ? Value(inside.create<arith::AddFOp>(loc, left, right))
                                       : Value(inside.create<arith::AddIOp>(loc, left, right));
  inside.create<tt::ReduceReturnOp>(loc, both);
  return reduce->getResult(0);
}

/// The same tile for each slice.
Value forAllSlices(OpBuilder &builder, Location loc, Value tile, int64_t slices) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value one = builder.create<tt::ExpandDimsOp>(loc, tile, 0);
  return builder.create<tt::BroadcastOp>(loc, shaped(tile, {slices, type.getDimSize(0), type.getDimSize(1)}), one);
}

/// Gives the values from the product to its sum the type of all slices.
void slice(OpBuilder &builder, const SummedProduct &product, RankedTensorType sliced) {
  tt::DotOp dot = product.dot;
  Location loc = dot.getLoc();
  int64_t slices = sliced.getDimSize(0);
  builder.setInsertionPoint(dot);
  dot.getAMutable().set(slicesOfA(builder, loc, dot.getA(), slices));
  dot.getBMutable().set(slicesOfB(builder, loc, dot.getB(), slices));
  if (product.sum)
    dot.getCMutable().set(builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(sliced)));
  dot.getResult().setType(sliced);
  for (Operation *scaling : product.scalings) {
    builder.setInsertionPoint(scaling);
    for (OpOperand &operand : scaling->getOpOperands())
      if (operand.get().getType() != sliced)
        operand.set(forAllSlices(builder, loc, operand.get(), slices));
    scaling->getResult(0).setType(sliced);
  }
  if (product.sum)
    product.sum->getResult(0).setType(sliced);
}

void slice(CarriedSum &sum, int64_t slices) {
  OpBuilder builder(sum.loop);
  auto type = cast<RankedTensorType>(sum.carried.getType());
  auto sliced = shaped(sum.carried, {slices, type.getDimSize(0), type.getDimSize(1)});
  OpOperand *init = sum.loop.getTiedLoopInit(sum.carried);
  init->set(builder.create<arith::ConstantOp>(init->get().getLoc(), builder.getZeroAttr(sliced)));
  sum.carried.setType(sliced);
  for (const SummedProduct &product : sum.products)
    slice(builder, product, sliced);
  OpResult result = sum.loop.getTiedLoopResult(sum.carried);
  result.setType(sliced);
  builder.setInsertionPointAfter(sum.loop);
  Value all = addUp(builder, sum.products.back().dot.getLoc(), result);
  result.replaceAllUsesExcept(all, all.getDefiningOp());
}

struct SliceSumsPass : impl::SliceSumsBase<SliceSumsPass> {
  using SliceSumsBase::SliceSumsBase;

  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      auto role = loop->getParentOfType<ws::WarpGroupOp>();
      if (!role)
        return;
      for (BlockArgument carried : loop.getRegionIterArgs()) {
        std::optional<CarriedSum> sum = findCarriedSum(loop, carried);
        if (!sum)
          continue;
        int64_t slices = slicesOf(*sum, role.getWarps());
        if (slices == 1) {
          kept.because(loop, "columns are as good, or another unit multiplies");
          continue;
        }
        sliced.at(loop);
        slice(*sum, slices);
      }
    });
  }
};

} // namespace
} // namespace tawa
