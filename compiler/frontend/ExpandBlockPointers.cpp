// ExpandBlockPointers: turns loads and stores through block pointers into ones through tensors of pointers.
//
//   %b = tt.make_tensor_ptr %p, [%m], [%c1], [%i]          %q = %p + %i .. %p + %i + 63
//   %c = tt.advance %b, [%d]                        ->     %k = 0 <= %i + %d + range < %m
//   %v = tt.load %c {boundaryCheck = array<i32: 0>}        %v = tt.load %q, %k
//
// A block pointer is its base, shape, strides and offsets; loops carry these in its place, and canonicalization removes
// those that never change.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/BlockAccess.h"
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TileValues.h"
#include "compiler/frontend/ValueDecomposition.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-expand-block-pointers"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_EXPANDBLOCKPOINTERS
#include "compiler/frontend/Passes.h.inc"

namespace {

bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(type);
  return pointer && pointer.getBlockType();
}

class BlockPointerExpansion : public ValueDecomposition {
private:
  std::optional<SmallVector<Type>> partTypes(Type type) override;
  SmallVector<Value> partsOfParameter(BlockArgument parameter) override;
  LogicalResult visit(Operation *op) override;

  void visitMake(tt::MakeTensorPtrOp make);
  void visitAdvance(tt::AdvanceOp advance);
  void visitLoad(tt::LoadOp load);
  void visitStore(tt::StoreOp store);
  BlockAccess access(OpBuilder &builder, Location loc, Value pointer, ArrayRef<int32_t> checked);
};

std::optional<SmallVector<Type>> BlockPointerExpansion::partTypes(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(type);
  RankedTensorType block = pointer ? pointer.getBlockType() : RankedTensorType();
  if (!block)
    return std::nullopt;
  Builder builder(type.getContext());
  SmallVector<Type> types{tt::PointerType::get(block.getElementType(), pointer.getAddressSpace())};
  types.append(2 * block.getRank(), builder.getI64Type());
  types.append(block.getRank(), builder.getI32Type());
  return types;
}

/// No caller can pass one (readLogicalSignature refuses it); null pointers keep the pass going until it says so.
SmallVector<Value> BlockPointerExpansion::partsOfParameter(BlockArgument parameter) {
  OpBuilder builder = OpBuilder::atBlockBegin(parameter.getOwner());
  SmallVector<Value> made;
  SmallVector<Type> types = *partTypes(parameter.getType());
  for (Type type : types)
    made.push_back(zeroOf(builder, parameter.getLoc(), type));
  return made;
}

void BlockPointerExpansion::visitMake(tt::MakeTensorPtrOp make) {
  SmallVector<Value> made{make.getBase()};
  llvm::append_range(made, make.getShape());
  llvm::append_range(made, make.getStrides());
  llvm::append_range(made, make.getOffsets());
  record(make, std::move(made));
  discard(make);
}

void BlockPointerExpansion::visitAdvance(tt::AdvanceOp advance) {
  OpBuilder builder(advance);
  SmallVector<Value> moved = parts(advance.getPtr());
  size_t rank = advance.getOffsets().size();
  for (size_t dim = 0; dim < rank; ++dim) {
    Value &offset = moved[1 + 2 * rank + dim];
    offset = builder.create<arith::AddIOp>(advance.getLoc(), offset, advance.getOffsets()[dim]);
  }
  record(advance, std::move(moved));
  discard(advance);
}

BlockAccess BlockPointerExpansion::access(OpBuilder &builder, Location loc, Value pointer, ArrayRef<int32_t> checked) {
  ArrayRef<int64_t> block = cast<tt::PointerType>(pointer.getType()).getBlockType().getShape();
  SmallVector<Value> made = parts(pointer);
  size_t rank = block.size();
  StridedTensor tensor;
  tensor.base = made.front();
  tensor.shape.assign(made.begin() + 1, made.begin() + 1 + rank);
  tensor.strides.assign(made.begin() + 1 + rank, made.begin() + 1 + 2 * rank);
  SmallVector<BlockAxis> axes;
  for (size_t dim = 0; dim < rank; ++dim)
    axes.push_back(
        {block[dim], made[1 + 2 * rank + dim], Value(), llvm::is_contained(checked, static_cast<int32_t>(dim)), false});
  return accessBlock(builder, loc, tensor, axes);
}

void BlockPointerExpansion::visitLoad(tt::LoadOp load) {
  OpBuilder builder(load);
  BlockAccess block = access(builder, load.getLoc(), load.getPtr(), load.getBoundaryCheck());
  bool padsWithNaN = load.getPadding() == tt::PaddingOption::NaN && block.mask;
  Value other = padsWithNaN ? nanOf(builder, load.getLoc(), load.getType()) : Value();
  auto plain = builder.create<tt::LoadOp>(load.getLoc(), block.pointers, block.mask, other);
  plain.setCache(load.getCache());
  plain.setEvict(load.getEvict());
  plain.setIsVolatile(load.getIsVolatile());
  load.replaceAllUsesWith(plain.getResult());
  discard(load);
}

void BlockPointerExpansion::visitStore(tt::StoreOp store) {
  OpBuilder builder(store);
  BlockAccess block = access(builder, store.getLoc(), store.getPtr(), store.getBoundaryCheck());
  auto plain = builder.create<tt::StoreOp>(store.getLoc(), block.pointers, store.getValue());
  if (block.mask)
    plain.getMaskMutable().assign(block.mask);
  plain.setCache(store.getCache());
  plain.setEvict(store.getEvict());
  discard(store);
}

LogicalResult BlockPointerExpansion::visit(Operation *op) {
  if (auto make = dyn_cast<tt::MakeTensorPtrOp>(op))
    return visitMake(make), success();
  if (auto advance = dyn_cast<tt::AdvanceOp>(op))
    return visitAdvance(advance), success();
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return visitLoad(load), success();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return visitStore(store), success();
  return op->emitOpError() << "does something with a block pointer other than load, store or advance";
}

struct ExpandBlockPointersPass : impl::ExpandBlockPointersBase<ExpandBlockPointersPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    getOperation().walk([&](Operation *op) {
      if (isa<tt::LoadOp, tt::StoreOp>(op))
        (isBlockPointer(op->getOperand(0).getType()) ? expanded : kept).at(op);
    });
    if (!func || failed(BlockPointerExpansion().run(func)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tawa
