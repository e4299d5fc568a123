// DeferGroupSums: warp groups that share the columns of a product add up their parts of a row's sum after the loop.
//
//   for iter_args(%l = %zero) -> (64) {              for iter_args(%l = %zeros) -> (64x2) {
//     %p = f(dot ..)                                   %p = f(dot ..)
//     %part = sum of %p along rows           ->        %parts = sum of %p, as 64x2x32, along the last dimension
//     yield %l * %factor + %part                       yield %l * broadcast(%factor) + %parts
//   }                                                }
//                                                    %sum = sum of the loop's result along rows
//
// Groups exchange parts through shared memory, which all of them wait for. The parts of a row are a column of each
// group, so no thread needs another group's until the end. The order of additions changes, as for other reductions.
#include "compiler/analysis/DotKind.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-defer-group-sums"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_DEFERGROUPSUMS
#include "compiler/roles/Passes.h.inc"

namespace {

bool addsUp(tt::ReduceOp reduce) {
  Block &body = reduce.getCombineOp().front();
  auto add = dyn_cast<arith::AddFOp>(body.front());
  return add && reduce.getSrcs().size() == 1 && llvm::hasNItems(body, 2) && body.getTerminator()->getOperand(0) == add;
}

/// How many groups of `warps` warps share the columns of the product that a tile is computed from, element by element;
/// 1 where there is none.
int64_t groupsAlongColumns(Value tile, uint32_t warps) {
  while (Operation *op = tile.getDefiningOp()) {
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      int64_t groups = warps / kWarpsPerGroup, rows = dot.getType().getDimSize(0);
      bool isShared = planDot(dot, warps).unit == DotUnit::Wgmma && rows % kWgmmaRows == 0;
      return isShared ? std::max<int64_t>(1, groups / (rows / kWgmmaRows)) : 1;
    }
    auto isOther = [&](Value value) {
      return !isa<RankedTensorType>(value.getType()) || matchPattern(value, m_Constant()) ||
             isa_and_nonnull<tt::BroadcastOp, tt::SplatOp>(value.getDefiningOp());
    };
    if (!OpTrait::hasElementwiseMappableTraits(op))
      return 1;
    Value next;
    for (Value operand : op->getOperands()) // a condition comes before what it selects
      if (!isOther(operand) && !operand.getType().isInteger(1) && !getElementTypeOrSelf(operand).isInteger(1))
        next = next ? next : operand;
    if (!next)
      return 1;
    tile = next;
  }
  return 1;
}

/// A carried sum of rows: itself, times a factor or not, and the sum of a tile.
struct RowSum {
  BlockArgument carried;
  arith::AddFOp next;
  arith::MulFOp scaled; ///< Null where there is no factor.
  tt::ReduceOp part;
  TypedAttr init;
  int64_t groups = 1;

  Value factor() {
    arith::MulFOp product = scaled;
    return product.getLhs() == carried ? product.getRhs() : product.getLhs();
  }
};

std::optional<RowSum> matchSum(scf::ForOp loop, BlockArgument carried, uint32_t warps) {
  RowSum sum;
  sum.carried = carried;
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  if (!type || type.getRank() != 1 || !type.getElementType().isF32() || !carried.hasOneUse())
    return std::nullopt;
  sum.next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp<arith::AddFOp>();
  sum.scaled = dyn_cast<arith::MulFOp>(*carried.user_begin());
  if (!sum.next || !sum.next->hasOneUse() || (sum.scaled && !sum.scaled->hasOneUse()))
    return std::nullopt;
  Value own = sum.scaled ? Value(sum.scaled) : Value(carried);
  bool isFirst = sum.next.getLhs() == own;
  if (!isFirst && sum.next.getRhs() != own)
    return std::nullopt;
  sum.part = (isFirst ? sum.next.getRhs() : sum.next.getLhs()).getDefiningOp<tt::ReduceOp>();
  bool isPart = sum.part && sum.part->hasOneUse() && sum.part.getAxis() == 1 && addsUp(sum.part) &&
                cast<RankedTensorType>(sum.part.getSrcs()[0].getType()).getRank() == 2;
  if (!isPart || !matchPattern(loop.getTiedLoopInit(carried)->get(), m_Constant(&sum.init)))
    return std::nullopt;
  auto splat = dyn_cast<SplatElementsAttr>(sum.init);
  if (!splat || !splat.getSplatValue<APFloat>().isZero())
    return std::nullopt;
  sum.groups = groupsAlongColumns(sum.part.getSrcs()[0], warps);
  return sum;
}

/// The reduction with another operand and axis.
Value sumAlong(OpBuilder &builder, tt::ReduceOp like, Value tile, unsigned axis) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  OperationState state(like.getLoc(), tt::ReduceOp::getOperationName());
  state.addOperands(tile);
  state.addTypes(RankedTensorType::get(shape, type.getElementType()));
  state.addAttributes(like->getAttrs());
  IRMapping mapping;
  like.getCombineOp().cloneInto(state.addRegion(), mapping);
  auto reduce = cast<tt::ReduceOp>(builder.create(state));
  reduce.setAxis(axis);
  return reduce->getResult(0);
}

void defer(scf::ForOp loop, RowSum &sum) {
  Location loc = sum.next.getLoc();
  Value tile = sum.part.getSrcs()[0];
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1) / sum.groups;
  auto parts = RankedTensorType::get({rows, sum.groups}, type.getElementType());
  OpResult result = loop.getTiedLoopResult(sum.carried);

  OpBuilder builder(loop);
  loop.getTiedLoopInit(sum.carried)
      ->set(builder.create<arith::ConstantOp>(loc, cast<SplatElementsAttr>(sum.init).resizeSplat(parts)));
  sum.carried.setType(parts);
  builder.setInsertionPoint(sum.part);
  auto wide = RankedTensorType::get({rows, sum.groups, columns}, type.getElementType());
  Value added = sumAlong(builder, sum.part, builder.create<tt::ReshapeOp>(loc, wide, tile), 2);
  Value own = sum.carried, factor;
  if (sum.scaled) {
    builder.setInsertionPointAfterValue(sum.factor());
    factor = builder.create<tt::ExpandDimsOp>(loc, sum.factor(), 1);
    factor = builder.create<tt::BroadcastOp>(loc, parts, factor);
  }
  builder.setInsertionPoint(sum.next);
  if (factor)
    own = builder.create<arith::MulFOp>(loc, own, factor, sum.scaled.getFastmath());
  Value next = builder.create<arith::AddFOp>(loc, own, added, sum.next.getFastmath());
  loop.getTiedLoopYieldedValue(sum.carried)->set(next);
  sum.next.erase();
  if (sum.scaled)
    sum.scaled.erase();
  sum.part.erase();

  builder.setInsertionPointAfter(loop);
  result.setType(parts);
  auto after = next.getDefiningOp<arith::AddFOp>().getRhs().getDefiningOp<tt::ReduceOp>();
  Value all = sumAlong(builder, after, result, 1);
  result.replaceAllUsesExcept(all, all.getDefiningOp());
}

struct DeferGroupSumsPass : impl::DeferGroupSumsBase<DeferGroupSumsPass> {
  using DeferGroupSumsBase::DeferGroupSumsBase;

  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      auto role = loop->getParentOfType<ws::WarpGroupOp>();
      if (!role || role.getWarps() <= kWarpsPerGroup)
        return;
      for (BlockArgument carried : loop.getRegionIterArgs()) {
        std::optional<RowSum> sum = matchSum(loop, carried, role.getWarps());
        if (!sum)
          continue;
        if (sum->groups == 1) {
          kept.because(loop, "each group has whole rows");
          continue;
        }
        deferred.at(loop);
        defer(loop, *sum);
      }
    });
  }
};

} // namespace
} // namespace tawa
