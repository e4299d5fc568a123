// TransposeDots: computes products of fewer than 64 rows transposed, so that wgmma takes them.
//
//   %sum = for .. iter_args(%acc = 0) {            %sum = for .. iter_args(%acc = 0) {
//     %x = tt.dot %a, %b, %acc -> 16x128               %x = tt.dot trans %b, trans %a, %acc -> 128x16
//     yield %x                                   ->    yield %x
//   }                                              }
//   %y = arith.truncf %sum                         %y = trans (arith.truncf %sum)
//
// A wgmma has 64 rows and from 8 columns on, so what is small must be its columns. The accumulator stays transposed for
// the whole loop; only the result is turned over, after what is done to each element alone.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/TileLoads.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-transpose-dots"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_TRANSPOSEDOTS
#include "compiler/roles/Passes.h.inc"

namespace {

constexpr int64_t kRows = 64;          // of one wgmma (PTX ISA, wgmma.mma_async shapes)
constexpr unsigned kAnyOrderBits = 16; // wgmma takes elements of this size in either order from shared memory

RankedTensorType transposed(RankedTensorType type) {
  return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
}

/// `value` turned over; what was turned over already is turned back.
Value turnOver(OpBuilder &builder, Value value) {
  if (auto trans = value.getDefiningOp<tt::TransOp>())
    return trans.getSrc();
  Type type = transposed(cast<RankedTensorType>(value.getType()));
  return builder.create<tt::TransOp>(value.getLoc(), type, value, builder.getDenseI32ArrayAttr({1, 0}));
}

bool isSplat(Value value) {
  SplatElementsAttr constant;
  return value.getDefiningOp<tt::SplatOp>() || matchPattern(value, m_Constant(&constant));
}

Value splatTurnedOver(OpBuilder &builder, Value value) {
  auto type = transposed(cast<RankedTensorType>(value.getType()));
  if (auto splat = value.getDefiningOp<tt::SplatOp>())
    return builder.create<tt::SplatOp>(splat.getLoc(), type, splat.getSrc());
  SplatElementsAttr constant;
  matchPattern(value, m_Constant(&constant));
  return builder.create<arith::ConstantOp>(value.getLoc(), constant.resizeSplat(type));
}

/// The products that a loop adds to one of its carried values, first to last; empty where it does anything else with
/// it.
SmallVector<tt::DotOp> productsOf(scf::ForOp loop, BlockArgument argument) {
  SmallVector<tt::DotOp> dots;
  Value sum = argument;
  while (sum != loop.getTiedLoopYieldedValue(argument)->get()) {
    auto dot = sum.hasOneUse() ? dyn_cast<tt::DotOp>(*sum.user_begin()) : tt::DotOp();
    if (!dot || dot.getC() != sum || dot->getBlock() != loop.getBody())
      return {};
    dots.push_back(dot);
    sum = dot.getResult();
  }
  return sum.hasOneUse() ? dots : SmallVector<tt::DotOp>();
}

/// What a value is, turned over or not.
Value turnedFrom(Value value) {
  while (auto trans = value.getDefiningOp<tt::TransOp>())
    value = trans.getSrc();
  return value;
}

/// Whether an operand comes from memory as it is; of elements of other than 16 bits wgmma also asks that the dimension
/// over which it sums, `summed`, is innermost there.
bool comesFromMemory(Value operand, unsigned summed) {
  bool isTurned = false;
  while (auto trans = operand.getDefiningOp<tt::TransOp>()) {
    isTurned = !isTurned;
    operand = trans.getSrc();
  }
  auto type = cast<RankedTensorType>(operand.getType());
  if (type.getElementTypeBitWidth() == kAnyOrderBits)
    return isa_and_nonnull<tt::LoadOp, tt::DescriptorLoadOp>(operand.getDefiningOp());
  return operand.getDefiningOp<tt::DescriptorLoadOp>() && (summed == 1) != isTurned;
}

/// Why wgmma would not take the product transposed, or takes it as it is; null where it is worth while.
const char *whyNot(tt::DotOp dot) {
  auto type = dot.getType();
  if (type.getRank() != 2 || type.getDimSize(0) >= kRows)
    return "it has rows for a wgmma";
  if (type.getDimSize(1) % kRows != 0)
    return "it has too few columns";
  if (!comesFromMemory(dot.getA(), 1) || !comesFromMemory(dot.getB(), 0))
    return "an operand is computed";
  return nullptr;
}

void transposeDot(tt::DotOp dot) {
  OpBuilder builder(dot);
  Value left = turnOver(builder, dot.getB()), right = turnOver(builder, dot.getA());
  dot.getAMutable().assign(left);
  dot.getBMutable().assign(right);
  dot.getResult().setType(transposed(dot.getType()));
}

/// Moves the transposition of `turned` past operations on each element alone, as long as there is one use.
void sink(tt::TransOp turned) {
  while (turned->hasOneUse()) {
    Operation *user = *turned->user_begin();
    auto type = user->getNumResults() == 1 ? dyn_cast<RankedTensorType>(user->getResult(0).getType()) : nullptr;
    auto others = llvm::make_filter_range(user->getOperands(), [&](Value value) { return value != turned; });
    if (!type || !OpTrait::hasElementwiseMappableTraits(user) || user->getBlock() != turned->getBlock() ||
        !llvm::all_of(others, isSplat))
      return;
    OpBuilder builder(user);
    for (OpOperand &operand : user->getOpOperands())
      operand.set(operand.get() == turned ? turned.getSrc() : splatTurnedOver(builder, operand.get()));
    user->getResult(0).setType(transposed(type));
    builder.setInsertionPointAfter(user);
    auto again = builder.create<tt::TransOp>(user->getLoc(), type, user->getResult(0), turned.getOrderAttr());
    user->getResult(0).replaceAllUsesExcept(again, again);
    turned.erase();
    turned = again;
  }
}

void transposeSum(scf::ForOp loop, BlockArgument argument, ArrayRef<tt::DotOp> dots) {
  OpBuilder builder(loop);
  OpOperand *init = loop.getTiedLoopInit(argument);
  init->set(splatTurnedOver(builder, init->get()));
  auto type = cast<RankedTensorType>(argument.getType());
  argument.setType(transposed(type));
  for (tt::DotOp dot : dots)
    transposeDot(dot);
  OpResult sum = loop.getTiedLoopResult(argument);
  sum.setType(transposed(type));
  builder.setInsertionPointAfter(loop);
  auto turned = builder.create<tt::TransOp>(loop.getLoc(), type, sum, builder.getDenseI32ArrayAttr({1, 0}));
  sum.replaceAllUsesExcept(turned, turned);
  sink(turned);
}

struct TransposeDotsPass : impl::TransposeDotsBase<TransposeDotsPass> {
  using TransposeDotsBase::TransposeDotsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (consumerGroups == 0 || !hasFeature(func, Feature::Wgmma))
      return;
    bool isWorthwhile = false;
    func.walk([&](tt::DotOp dot) {
      if (const char *why = whyNot(dot))
        kept.because(dot, why);
      else
        isWorthwhile = true;
    });
    if (isWorthwhile)
      tryOn(func);
  }

  /// Transposes a copy, which takes the kernel's place if a producer feeds the products then: a lone role has better
  /// ones for few rows.
  void tryOn(tt::FuncOp func) {
    tt::FuncOp copy = func.clone();
    func->getBlock()->getOperations().insertAfter(func->getIterator(), copy);
    SmallVector<tt::DotOp> dots;
    copy.walk([&](scf::ForOp loop) { transposeSums(loop, dots); });
    bool isFed = areFed(copy, dots);
    for (tt::DotOp dot : dots)
      isFed ? transposedDots.at(dot) : kept.because(dot, "no producer would feed it");
    (isFed ? func : copy).erase();
  }

  void transposeSums(scf::ForOp loop, SmallVectorImpl<tt::DotOp> &all) {
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      SmallVector<tt::DotOp> dots = productsOf(loop, argument);
      if (dots.empty() || llvm::any_of(dots, whyNot))
        continue;
      if (!isSplat(loop.getTiedLoopInit(argument)->get())) {
        kept.because(dots.front(), "its sum begins with a computed tile");
        continue;
      }
      transposeSum(loop, argument, dots);
      llvm::append_range(all, dots);
    }
  }

  bool areFed(tt::FuncOp func, ArrayRef<tt::DotOp> dots) {
    TileLoads tiles(func, kWarpsPerGroup * groupsPerTile(func.getBody().front(), consumerGroups));
    auto isFed = [&](Value operand) { return tiles.contains(turnedFrom(operand).getDefiningOp()); };
    return !dots.empty() && llvm::all_of(dots, [&](tt::DotOp dot) { return isFed(dot.getA()) && isFed(dot.getB()); });
  }
};

} // namespace
} // namespace tawa
