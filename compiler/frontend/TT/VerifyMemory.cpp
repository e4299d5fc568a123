// Verifiers of the tt dialect for memory accesses: pointers, descriptors, atomics, block pointers. See Verify.cpp.
#include "compiler/frontend/TT/VerifySupport.h"

using namespace mlir;

namespace tawa::tt {

LogicalResult AddPtrOp::verify() {     // C1 is T3
  if (getType() != getPtr().getType()) // C2
    return emitOpError() << "result is " << getType() << ", but the pointer is " << getPtr().getType();
  return success();
}

// Value and mask of an access against its pointer.
static LogicalResult verifyAccess(Operation *op, Type ptr, StringRef what, Type value, Value mask) {
  Type pointee = pointeeTypeOf(ptr);
  if (!pointee)
    return op->emitOpError() << "goes through " << ptr << ", which is no pointer to elements";
  if (failed(expectType(op, what, value, shapeOf(pointee), elementTypeOf(pointee))))
    return failure();
  if (!mask)
    return success();
  return expectType(op, "mask", mask.getType(), shapeOf(ptr), IntegerType::get(op->getContext(), 1));
}

// Attributes that only accesses through block pointers have, and those they lack.
static LogicalResult verifyBoundaryCheck(Operation *op, Type ptr, ArrayRef<int32_t> checked, bool hasMask) {
  if (!isBlockPointer(ptr))
    return checked.empty() ? success()
                           : op->emitOpError("checks boundaries, but only a block pointer knows them; use a mask");
  if (hasMask)
    return op->emitOpError("has a mask, but goes through a block pointer; it takes boundaryCheck instead");
  size_t rank = shapeOf(pointeeTypeOf(ptr)).size();
  SmallVector<bool> seen(rank, false);
  for (int32_t dimension : checked) {
    if (dimension < 0 || dimension >= static_cast<int64_t>(rank) || seen[dimension])
      return op->emitOpError() << "boundaryCheck names dimension " << dimension
                               << " twice, or it is none of the block's " << rank;
    seen[dimension] = true;
  }
  return success();
}

static LogicalResult verifyCache(Operation *op, CacheModifier modifier, ArrayRef<CacheModifier> allowed) {
  if (modifier == CacheModifier::None || llvm::is_contained(allowed, modifier))
    return success();
  return op->emitOpError() << "cacheModifier = " << stringifyCacheModifier(modifier) << " does not exist for it";
}

static constexpr CacheModifier kLoadCaches[] = {CacheModifier::CA, CacheModifier::CG, CacheModifier::CV};
static constexpr CacheModifier kStoreCaches[] = {CacheModifier::WB, CacheModifier::CG, CacheModifier::CS,
                                                 CacheModifier::WT};

LogicalResult LoadOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAccess(*this, ptr, "result", getType(), getMask()))) // C1, C2
    return failure();
  if (getOther()) { // C3
    if (!getMask())
      return emitOpError("has a value for masked elements but no mask");
    if (failed(expectType(*this, "other", getOther().getType(), shapeOf(ptr), elementTypeOf(getType()))))
      return failure();
  }
  if (failed(verifyBoundaryCheck(*this, ptr, getBoundaryCheck(), getMask() != nullptr))) // C5
    return failure();
  if (getPadding() && !isBlockPointer(ptr)) // C5
    return emitOpError("has padding, but only a block pointer pads; use a mask and a value for masked elements");
  if (getPadding() == PaddingOption::NaN && !isa<FloatType>(elementTypeOf(getType()))) // C6
    return emitOpError() << "pads with NaN, but the block holds " << elementTypeOf(getType());
  return verifyCache(*this, getCache(), kLoadCaches); // C4
}

LogicalResult StoreOp::verify() {
  if (failed(verifyAccess(*this, getPtr().getType(), "value", getValue().getType(), getMask()))) // C1, C2
    return failure();
  if (failed(verifyBoundaryCheck(*this, getPtr().getType(), getBoundaryCheck(), getMask() != nullptr))) // C4
    return failure();
  return verifyCache(*this, getCache(), kStoreCaches); // C3
}

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = getType().getBlockType();
  int64_t rank = block.getRank();
  if (static_cast<int64_t>(getNumOperands()) != 1 + 2 * rank) // C1
    return emitOpError() << "describes blocks of rank " << rank << ", so it takes " << rank << " sizes and " << rank
                         << " strides, but there are " << getNumOperands() - 1 << " in all";
  if (signlessOf(getBase().getType().getPointeeType()) != signlessOf(block.getElementType())) // C2
    return emitOpError() << "base is " << getBase().getType() << ", but the block holds " << block.getElementType();
  if (getPadding() == PaddingOption::NaN && !isa<FloatType>(block.getElementType())) // C3
    return emitOpError() << "pads with NaN, but the block holds " << block.getElementType();
  return success();
}

static ArrayRef<int64_t> withoutLeadingOnes(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t size) { return size == 1; });
}

// A block and the tensor that is read from it or written to it.
static LogicalResult verifyBlock(Operation *op, TensorDescType desc, size_t indices, StringRef what, Type tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (indices != static_cast<size_t>(block.getRank())) // C1
    return op->emitOpError() << "has " << indices << " indices into blocks of rank " << block.getRank();
  if (withoutLeadingOnes(block.getShape()) != withoutLeadingOnes(shapeOf(tensor)) ||
      block.getElementType() != elementTypeOf(tensor)) // C2
    return op->emitOpError() << what << " is " << tensor << ", but the descriptor's block is " << desc.getBlockType();
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  if (failed(verifyBlock(*this, getDesc().getType(), getIndices().size(), "result", getType()))) // C1, C2
    return failure();
  return verifyCache(*this, getCache(), kLoadCaches); // C3
}

LogicalResult DescriptorStoreOp::verify() {
  if ((*this)->hasAttr("reduce_kind")) // C3
    return emitOpError("has a reduce_kind; write tt.descriptor_reduce, which upstream Triton prints");
  return verifyBlock(*this, getDesc().getType(), getIndices().size(), "value", getSrc().getType()); // C1, C2
}

// C3 of tt.descriptor_reduce: the types that cp.reduce.async.bulk.tensor and red support.
static bool reduces(DescriptorReduceKind kind, Type element) {
  bool isShort = element.isF16() || element.isBF16();
  bool isWord = element.isInteger(32), isLong = element.isInteger(64);
  switch (kind) {
  case DescriptorReduceKind::Add:
    return isShort || isWord || isLong || element.isF32();
  case DescriptorReduceKind::Min:
  case DescriptorReduceKind::Max:
    return isShort || isWord || isLong;
  case DescriptorReduceKind::Inc:
  case DescriptorReduceKind::Dec:
    return isWord;
  case DescriptorReduceKind::And:
  case DescriptorReduceKind::Or:
  case DescriptorReduceKind::Xor:
    return isWord || isLong;
  }
  return false;
}

LogicalResult DescriptorReduceOp::verify() {
  if (failed(verifyBlock(*this, getDesc().getType(), getIndices().size(), "value", getSrc().getType()))) // C1, C2
    return failure();
  if (!reduces(getKind(), elementTypeOf(getSrc().getType()))) // C3
    return emitOpError() << "no atomic " << stringifyDescriptorReduceKind(getKind()) << " of "
                         << elementTypeOf(getSrc().getType()) << " exists; store partial results and reduce them";
  return success();
}

// Rows of a descriptor: the block, the row numbers, and the tensor that is read or written.
static LogicalResult verifyRows(Operation *op, TensorDescType desc, Type rows, StringRef what, Type tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getRank() != 2 || block.getDimSize(0) != 1) // C1
    return op->emitOpError() << "moves single rows, so the descriptor's block must be 1xK, but it is "
                             << desc.getBlockType();
  if (shapeOf(rows).size() != 1) // C2
    return op->emitOpError() << "row numbers are " << rows << ", but must have one dimension";
  return expectType(op, what, tensor, {shapeOf(rows)[0], block.getDimSize(1)}, block.getElementType()); // C3
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), "result", getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), "value", getSrc().getType());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Atomics
//===--------------------------------------------------------------------------------------------------------------===//

// C3 of tt.atomic_rmw.
static bool hasAtomic(RMWOp kind, Type element) {
  bool isWord = element.isInteger(32) || element.isInteger(64);
  if (kind == RMWOp::FAdd)
    return isa<FloatType>(element) && element.getIntOrFloatBitWidth() >= 16;
  if (kind == RMWOp::Exch)
    return isWord || element.isF32() || element.isF64() || isa<PointerType>(element);
  return isWord;
}

LogicalResult AtomicRMWOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAccess(*this, ptr, "value", getVal().getType(), getMask())) ||          // C1, C2
      failed(expectSameType(*this, "result", getType(), "the value", getVal().getType()))) // C1
    return failure();
  if (!hasAtomic(getAtomicRmwOp(), elementTypeOf(getType()))) // C3
    return emitOpError() << "no atomic " << stringifyRMWOp(getAtomicRmwOp()) << " of " << elementTypeOf(getType())
                         << " exists; "
                         << (isa<FloatType>(elementTypeOf(getType())) ? "floats take fadd and exch"
                                                                      : "integers take 32 or 64 bits");
  return success();
}

LogicalResult AtomicCASOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAccess(*this, ptr, "value", getVal().getType(), Value())) ||                         // C1
      failed(expectSameType(*this, "expected", getCmp().getType(), "the value", getVal().getType())) || // C1
      failed(expectSameType(*this, "result", getType(), "the value", getVal().getType())))              // C1
    return failure();
  Type element = elementTypeOf(getType());
  unsigned width = isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
  if (width < 16) // C2
    return emitOpError() << "compares " << width << " bits, but only 16, 32 and 64 can be swapped";
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Block pointers
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult MakeTensorPtrOp::verify() {
  RankedTensorType block = cast<PointerType>(getType()).getBlockType();
  size_t rank = block.getRank();
  if (getShape().size() != rank || getStrides().size() != rank || getOffsets().size() != rank) // C1
    return emitOpError() << "points at blocks of rank " << rank << ", so it takes as many sizes, strides and offsets, "
                         << "but there are " << getShape().size() << ", " << getStrides().size() << " and "
                         << getOffsets().size();
  SmallVector<int32_t> order(getOrder());
  llvm::sort(order);
  if (!order.empty() && !llvm::equal(order, llvm::seq<int32_t>(0, rank))) { // C2
    auto diagnostic = emitOpError() << "order [";
    llvm::interleaveComma(getOrder(), diagnostic);
    return diagnostic << "] is not a permutation of the block's " << rank << " dimensions";
  }
  if (cast<PointerType>(getBase().getType()).getPointeeType() != block.getElementType()) // C3
    return emitOpError() << "base is " << getBase().getType() << ", but the block holds " << block.getElementType();
  return success();
}

LogicalResult AdvanceOp::verify() {
  size_t rank = cast<PointerType>(getType()).getBlockType().getRank();
  if (getOffsets().size() != rank) // C1
    return emitOpError() << "has " << getOffsets().size() << " offsets into blocks of rank " << rank;
  if (getType() != getPtr().getType()) // C2
    return emitOpError() << "result is " << getType() << ", but the operand is " << getPtr().getType();
  return success();
}

} // namespace tawa::tt
