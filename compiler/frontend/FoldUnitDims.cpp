// FoldUnitDims: drops the leading dimensions of size 1 from tiles of batched tensors.
//
//   %b = tt.descriptor_load %d[%z, %i, %k] -> 1x128x64      %x = tt.descriptor_load %d[%z, %i, %k] -> 128x64
//   %x = tt.reshape %b -> 128x64                        ->
//   %r = tt.reshape %y -> 1x128x256
//   tt.descriptor_store %d[%z, %i, %j], %r                  tt.descriptor_store %d[%z, %i, %j], %y
//
// Later passes require tiles of two dimensions; the rank of the tensor matters only to the tensor map.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-fold-unit-dims"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_FOLDUNITDIMS
#include "compiler/frontend/Passes.h.inc"

namespace {

constexpr size_t kLeastRank = 2;

/// The type without the leading dimensions of size 1 that it has beyond two.
RankedTensorType foldedType(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  while (shape.size() > kLeastRank && shape.front() == 1)
    shape = shape.drop_front();
  return RankedTensorType::get(shape, type.getElementType());
}

/// `value` as a tile of `type`, with the same elements in the same order: the operand of its reshape, if that has the
/// type already.
Value reshaped(OpBuilder &builder, Value value, RankedTensorType type) {
  Value source = value;
  while (source.getType() != type) {
    Operation *view = source.getDefiningOp();
    if (!isa_and_nonnull<tt::ReshapeOp, tt::ExpandDimsOp>(view))
      return builder.create<tt::ReshapeOp>(value.getLoc(), type, value, nullptr, nullptr);
    source = view->getOperand(0);
  }
  return source;
}

/// Whether there was something to fold.
bool foldLoad(tt::DescriptorLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  RankedTensorType narrow = foldedType(type);
  if (narrow == type)
    return false;
  load.getResult().setType(narrow);
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  Value wide = builder.create<tt::ReshapeOp>(load.getLoc(), type, load.getResult(), nullptr, nullptr);
  load.getResult().replaceAllUsesExcept(wide, wide.getDefiningOp());
  for (Operation *user : llvm::make_early_inc_range(wide.getUsers()))
    if (isa<tt::ReshapeOp>(user) && user->getResult(0).getType() == narrow) {
      user->getResult(0).replaceAllUsesWith(load.getResult());
      user->erase();
    }
  if (wide.use_empty())
    wide.getDefiningOp()->erase();
  return true;
}

/// For a store, or an addition to memory.
template <typename Store> bool foldStore(Store store) {
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  RankedTensorType narrow = foldedType(type);
  if (narrow == type)
    return false;
  OpBuilder builder(store);
  store.getSrcMutable().assign(reshaped(builder, store.getSrc(), narrow));
  return true;
}

struct FoldUnitDimsPass : impl::FoldUnitDimsBase<FoldUnitDimsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> accesses;
    getOperation().walk([&](Operation *op) {
      if (isa<tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp>(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses)
      (fold(op) ? folded : kept).at(op);
  }

  static bool fold(Operation *op) {
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(op))
      return foldLoad(load);
    if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
      return foldStore(store);
    return foldStore(cast<tt::DescriptorReduceOp>(op));
  }
};

} // namespace
} // namespace tawa
