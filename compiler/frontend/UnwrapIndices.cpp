// UnwrapIndices: lets tiles end where the matrix does, if the text wraps what is beyond around to its beginning.
//
//   %i = start + 0, 1, 2, ...
//   %r = %i rem M                                           %r gone
//   %a = load base + %r * ld + %k                     ->    %a = load base + %i * ld + %k, mask %i < M, zeros
//   %s = dot %a, %b, %sum                                   %s = dot %a, %b, %sum
//   store out + %i * ld + %j, %s, mask %i < M               store out + %i * ld + %j, %s, mask %i < M
//
// Texts do so to load without a mask. Wrapped rows give rows of results that are never stored, so that any numbers will
// do for them. A block that ends with the matrix is one for TMA, which a block with a wrapped end is not.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tawa-unwrap-indices"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_UNWRAPINDICES
#include "compiler/frontend/Passes.h.inc"

namespace {

/// Whether two values are computed alike from the same values.
bool areAlike(Value one, Value other) {
  if (one == other)
    return true;
  Operation *a = one.getDefiningOp(), *b = other.getDefiningOp();
  return a && b && isPure(a) && a->getNumRegions() == 0 && a->getName() == b->getName() &&
         a->getAttrDictionary() == b->getAttrDictionary() && one.getType() == other.getType() &&
         cast<OpResult>(one).getResultNumber() == cast<OpResult>(other).getResultNumber() &&
         llvm::all_of_zip(a->getOperands(), b->getOperands(), areAlike);
}

/// The one-dimensional tensor that `tile` repeats along all dimensions but `along`; null if it is none.
Value seenAlong(Value tile, unsigned along) {
  while (cast<RankedTensorType>(tile.getType()).getRank() > 1) {
    Operation *view = tile.getDefiningOp();
    if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(view)) {
      if (expand.getAxis() == along)
        return {};
      along -= expand.getAxis() < along ? 1 : 0;
    } else if (!isa_and_nonnull<tt::BroadcastOp>(view)) {
      return {};
    }
    tile = view->getOperand(0);
  }
  return tile;
}

/// The scalar that all elements of a tensor are; null if it is none.
Value scalarOf(Value tile) {
  while (isa_and_nonnull<tt::ExpandDimsOp, tt::BroadcastOp>(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  auto splat = tile.getDefiningOp<tt::SplatOp>();
  return splat ? splat.getSrc() : Value();
}

/// A remainder of indices, and all that is computed from it.
class WrappedIndex {
public:
  explicit WrappedIndex(Operation *rem) : rem(rem), index(rem->getOperand(0)), count(scalarOf(rem->getOperand(1))) {}

  /// Whether what is loaded through the remainder reaches memory only where the index was below the count, and there
  /// the remainder is the index.
  bool isWithoutEffect() {
    if (!count || cast<RankedTensorType>(index.getType()).getRank() != 1)
      return false;
    add(rem->getResult(0), 0);
    for (size_t next = 0; next < along.size(); ++next) {
      Value value = along.begin()[next].first;
      for (OpOperand &use : value.getUses())
        if (!follow(use, along.begin()[next].second))
          return false;
    }
    return !loads.empty() && isConsistent;
  }

  void unwrap() {
    OpBuilder builder(rem);
    Location loc = rem->getLoc();
    Value inside = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, index, rem->getOperand(1));
    for (tt::LoadOp load : loads)
      mask(load, inside);
    rem->getResult(0).replaceAllUsesWith(index);
    rem->erase();
  }

private:
  /// `value` differs along its dimension `dimension` as the index does.
  void add(Value value, unsigned dimension) {
    auto [entry, isNew] = along.insert({value, dimension});
    isConsistent &= isNew || entry->second == dimension;
  }

  bool follow(OpOperand &use, unsigned dimension) {
    Operation *op = use.getOwner();
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      if (load.getIsVolatile() || !isa<RankedTensorType>(load.getType()))
        return false;
      if (&use == &load.getPtrMutable())
        loads.push_back(load);
      add(load.getResult(), dimension);
      return true;
    }
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return store.getMask() && isInside(store.getMask(), dimension);
    if (auto dot = dyn_cast<tt::DotOp>(op))
      return followDot(dot, use, dimension);
    if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
      if (reduce.getAxis() == dimension)
        return false;
      for (Value result : reduce->getResults())
        add(result, dimension - (reduce.getAxis() < dimension ? 1 : 0));
      return true;
    }
    if (isa<scf::ForOp, scf::YieldOp>(op))
      return followControl(use, dimension);
    return followView(op, dimension);
  }

  bool followView(Operation *op, unsigned dimension) {
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      add(expand.getResult(), dimension + (expand.getAxis() <= dimension ? 1 : 0));
    else if (auto transposed = dyn_cast<tt::TransOp>(op))
      add(transposed.getResult(),
          llvm::find(transposed.getOrder(), int32_t(dimension)) - transposed.getOrder().begin());
    else if (isa<tt::BroadcastOp>(op) || isElementwise(op))
      add(op->getResult(0), dimension);
    else
      return false;
    return true;
  }

  static bool isElementwise(Operation *op) {
    return op->getNumResults() == 1 && op->getNumRegions() == 0 && isPure(op) &&
           (OpTrait::hasElementwiseMappableTraits(op) || isa<tt::AddPtrOp, tt::FpToFpOp, tt::BitcastOp>(op));
  }

  /// Rows of A and columns of B stay apart in the result; along K they are added up.
  bool followDot(tt::DotOp dot, OpOperand &use, unsigned dimension) {
    unsigned rank = cast<RankedTensorType>(dot.getType()).getRank();
    bool isAdded =
        (&use == &dot.getAMutable() && dimension == rank - 1) || (&use == &dot.getBMutable() && dimension == rank - 2);
    if (!isAdded)
      add(dot.getResult(), dimension);
    return !isAdded;
  }

  bool followControl(OpOperand &use, unsigned dimension) {
    Operation *op = use.getOwner();
    unsigned number = use.getOperandNumber();
    if (isa<scf::YieldOp>(op))
      op = op->getParentOp();
    else
      number -= cast<scf::ForOp>(op).getNumControlOperands();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      add(loop.getRegionIterArgs()[number], dimension);
    else if (!isa<scf::IfOp>(op))
      return false;
    add(op->getResult(number), dimension);
    return true;
  }

  /// Whether the mask is false wherever the index is not below the count.
  bool isInside(Value mask, unsigned dimension) {
    Operation *op = mask.getDefiningOp();
    if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
      return isInside(both.getLhs(), dimension) || isInside(both.getRhs(), dimension);
    if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op))
      return expand.getAxis() != dimension &&
             isInside(expand.getSrc(), dimension - (expand.getAxis() < dimension ? 1 : 0));
    if (auto repeated = dyn_cast_or_null<tt::BroadcastOp>(op))
      return isInside(repeated.getSrc(), dimension);
    auto compared = dyn_cast_or_null<arith::CmpIOp>(op);
    if (!compared)
      return false;
    Value low = compared.getLhs(), high = compared.getRhs();
    if (compared.getPredicate() == arith::CmpIPredicate::sgt)
      std::swap(low, high);
    else if (compared.getPredicate() != arith::CmpIPredicate::slt)
      return false;
    Value seen = seenAlong(low, dimension), bound = scalarOf(high);
    return seen && bound && areAlike(seen, index) && areAlike(bound, count);
  }

  void mask(tt::LoadOp load, Value inside) {
    auto type = cast<RankedTensorType>(load.getType());
    unsigned dimension = along.lookup(load.getPtr());
    OpBuilder builder(load);
    Location loc = load.getLoc();
    for (unsigned axis = 0; axis < type.getRank(); ++axis)
      if (axis != dimension)
        inside = builder.create<tt::ExpandDimsOp>(loc, inside, axis);
    auto maskType = RankedTensorType::get(type.getShape(), builder.getI1Type());
    if (inside.getType() != maskType)
      inside = builder.create<tt::BroadcastOp>(loc, maskType, inside);
    Value mask = load.getMask() ? builder.create<arith::AndIOp>(loc, load.getMask(), inside).getResult() : inside;
    if (!load.getOther())
      load.getOtherMutable().assign(builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(type)));
    load.getMaskMutable().assign(mask);
  }

  Operation *rem;
  Value index, count;
  llvm::MapVector<Value, unsigned> along; ///< Values computed from the remainder, and the dimension of the index.
  llvm::SmallVector<tt::LoadOp> loads;    ///< Through it.
  bool isConsistent = true;
};

struct UnwrapIndicesPass : impl::UnwrapIndicesBase<UnwrapIndicesPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      SmallVector<Operation *> remainders;
      func.walk([&](Operation *op) {
        if (isa<arith::RemSIOp, arith::RemUIOp>(op) && isa<RankedTensorType>(op->getResult(0).getType()))
          remainders.push_back(op);
      });
      if (!remainders.empty())
        unwrap(remainders, AxisInfoAnalysis(func));
    }
  }

  void unwrap(ArrayRef<Operation *> remainders, const AxisInfoAnalysis &axes) {
    for (Operation *rem : remainders) {
      bool isBelow = !axes.of(rem->getOperand(0)).mayBeNegative;
      if (WrappedIndex wrapped(rem); isBelow && wrapped.isWithoutEffect()) {
        wrapped.unwrap();
        ++unwrapped;
      } else {
        ++kept;
      }
    }
  }
};

} // namespace
} // namespace tawa
