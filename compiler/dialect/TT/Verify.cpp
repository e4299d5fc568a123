// What must hold of the operations of the tt dialect. The numbers C1, C2, ... are those of the descriptions in the .td
// files; T1 and T2 are the dialect's own rules. A message says which number or type is wrong, and what was expected.
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/TT/UnsupportedOps.h"

using namespace mlir;

namespace tawa::tt {

LogicalResult verifyTileSizes(Operation *op) {
  auto emitError = [&] { return op->emitOpError(); };
  auto check = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || succeeded(verifyTileShape(tensor.getShape(), emitError));
  };
  return success(llvm::all_of(op->getOperandTypes(), check) && llvm::all_of(op->getResultTypes(), check));
}

// Demands that a derived type is what the rules give, but for its encoding.
static LogicalResult expectType(Operation *op, StringRef what, Type actual, ArrayRef<int64_t> shape, Type element) {
  if (shapeOf(actual) == shape && elementTypeOf(actual) == element)
    return success();
  auto diagnostic = op->emitOpError() << what << " is " << actual << ", but must have ";
  if (isa<RankedTensorType>(actual) || !shape.empty()) {
    diagnostic << "shape [";
    llvm::interleaveComma(shape, diagnostic);
    diagnostic << "] and ";
  }
  return diagnostic << "element type " << element;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Programs
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult FuncOp::verify() {
  if (isPublic()) { // C1
    if (isExternal())
      return emitOpError("is a kernel without a body");
    if (getFunctionType().getNumResults() != 0)
      return emitOpError("is a kernel, so it returns nothing");
  }
  if (isPublic())
    for (auto [index, type] : llvm::enumerate(getFunctionType().getInputs())) // C2
      if (!isa<IntegerType, FloatType, PointerType, TensorDescType>(type))
        return emitOpError() << "argument " << index << " has type " << type
                             << "; kernels take integers, floats, pointers and tensor descriptors";
  // C3. The custom spelling of these is refused by the parser; this finds the generic one, before the operations
  // themselves are verified and called unregistered.
  WalkResult found = getBody().walk([](Operation *op) {
    if (op->isRegistered() || op->getName().getDialectNamespace() != TTDialect::getDialectNamespace())
      return WalkResult::advance();
    op->emitError() << refusalText(op->getName().getStringRef());
    return WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  TypeRange expected = function.getFunctionType().getResults();
  if (getSrcs().getTypes() != expected) // C1
    return emitOpError() << "returns (" << getSrcs().getTypes() << "), but @" << function.getName() << " has results ("
                         << expected << ")";
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()), end = static_cast<int32_t>(getEnd());
  if (end <= start) // C1
    return emitOpError() << "end " << end << " must be greater than start " << start;
  ArrayRef<int64_t> shape = shapeOf(getType());
  if (shape.size() != 1 || shape[0] != end - start) // C2
    return emitOpError() << "result is " << getType() << ", but " << start << " to " << end << " are " << end - start
                         << " elements of one dimension";
  return success();
}

LogicalResult SplatOp::verify() {
  return expectType(*this, "result", getType(), shapeOf(getType()), getSrc().getType()); // C1
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getSrc().getType()));
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis > static_cast<int64_t>(shape.size())) // C1
    return emitOpError() << "axis " << axis << " is not between 0 and the operand's rank " << shape.size();
  shape.insert(shape.begin() + axis, 1);
  return expectType(*this, "result", getType(), shape, elementTypeOf(getSrc().getType())); // C2
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc().getType()), to = shapeOf(getType());
  if (from.size() != to.size()) // C1
    return emitOpError() << "operand has rank " << from.size() << " and result rank " << to.size()
                         << "; tt.expand_dims adds dimensions";
  for (auto [dimension, sizes] : llvm::enumerate(llvm::zip(from, to))) { // C2
    auto [before, after] = sizes;
    if (before != after && before != 1)
      return emitOpError() << "dimension " << dimension << " of size " << before << " cannot become " << after
                           << "; only size 1 is repeated";
  }
  return expectType(*this, "result", getType(), to, elementTypeOf(getSrc().getType())); // C1
}

LogicalResult ReshapeOp::verify() {
  auto from = cast<RankedTensorType>(getSrc().getType()), to = cast<RankedTensorType>(getType());
  if (from.getElementType() != to.getElementType() || from.getNumElements() != to.getNumElements()) // C1
    return emitOpError() << "operand " << from << " and result " << to
                         << " must have the same element type and number of elements";
  return success();
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc().getType());
  ArrayRef<int32_t> order = getOrder();
  SmallVector<int64_t> shape;
  SmallVector<bool> seen(from.size(), false);
  for (int32_t dimension : order) { // C1
    if (dimension < 0 || dimension >= static_cast<int64_t>(from.size()) || seen[dimension])
      break;
    seen[dimension] = true;
    shape.push_back(from[dimension]);
  }
  if (shape.size() != from.size() || order.size() != from.size()) {
    auto diagnostic = emitOpError() << "order [";
    llvm::interleaveComma(order, diagnostic);
    return diagnostic << "] is not a permutation of the operand's " << from.size() << " dimensions";
  }
  return expectType(*this, "result", getType(), shape, elementTypeOf(getSrc().getType())); // C2
}

LogicalResult JoinOp::verify() {
  if (getLhs().getType() != getRhs().getType())
    return emitOpError() << "joins " << getLhs().getType() << " with " << getRhs().getType()
                         << ", which are not the same type"; // C1
  SmallVector<int64_t> shape(shapeOf(getLhs().getType()));
  shape.push_back(2);
  return expectType(*this, "result", getType(), shape, elementTypeOf(getLhs().getType())); // C1
}

LogicalResult SplitOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getSrc().getType()));
  if (shape.empty() || shape.back() != 2) // C1
    return emitOpError() << "operand is " << getSrc().getType() << ", but its last dimension must be 2";
  shape.pop_back();
  Type element = elementTypeOf(getSrc().getType());
  if (failed(expectType(*this, "first result", getOutLHS().getType(), shape, element))) // C2
    return failure();
  return expectType(*this, "second result", getOutRHS().getType(), shape, element); // C2
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  if (shapeOf(getPtr().getType()) != shapeOf(getOffset().getType())) // C1
    return emitOpError() << "pointer " << getPtr().getType() << " and offset " << getOffset().getType()
                         << " must have the same shape";
  if (getType() != getPtr().getType()) // C2
    return emitOpError() << "result is " << getType() << ", but the pointer is " << getPtr().getType();
  return success();
}

// Value and mask of an access against its pointer.
static LogicalResult verifyAccess(Operation *op, Type ptr, StringRef what, Type value, Value mask) {
  Type pointee = elementTypeOf(pointeeTypeOf(ptr));
  if (failed(expectType(op, what, value, shapeOf(ptr), pointee)))
    return failure();
  if (!mask)
    return success();
  return expectType(op, "mask", mask.getType(), shapeOf(ptr), IntegerType::get(op->getContext(), 1));
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
  if (!getBoundaryCheck().empty() || getPadding()) // C5
    return emitOpError(
        "boundaryCheck and padding belong to block pointers (tier 2), which this version of Tawa does not "
        "support");
  return verifyCache(*this, getCache(), kLoadCaches); // C4
}

LogicalResult StoreOp::verify() {
  if (failed(verifyAccess(*this, getPtr().getType(), "value", getValue().getType(), getMask()))) // C1, C2
    return failure();
  if (!getBoundaryCheck().empty()) // C4
    return emitOpError("boundaryCheck belongs to block pointers (tier 2), which this version of Tawa does not support");
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
  return verifyBlock(*this, getDesc().getType(), getIndices().size(), "value", getSrc().getType()); // C1, C2
}

//===--------------------------------------------------------------------------------------------------------------===//
// Computation
//===--------------------------------------------------------------------------------------------------------------===//

static bool isFp8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

// C4 of tt.dot: which accumulators the hardware's products can be added to.
static bool accumulates(Type operand, Type accumulator) {
  if (operand.isInteger(8))
    return accumulator.isInteger(32);
  if (operand.isF64())
    return accumulator.isF64();
  if (operand.isF16() || isFp8(operand))
    return accumulator.isF32() || accumulator.isF16();
  return (operand.isBF16() || operand.isF32()) && accumulator.isF32();
}

LogicalResult DotOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA().getType()), b = shapeOf(getB().getType()), c = shapeOf(getC().getType());
  size_t rank = a.size();
  if ((rank != 2 && rank != 3) || b.size() != rank || c.size() != rank) // C1
    return emitOpError() << "operands have ranks " << a.size() << ", " << b.size() << " and " << c.size()
                         << ", but must all have 2 or all have 3";
  if (rank == 3 && (a[0] != b[0] || a[0] != c[0])) // C1
    return emitOpError() << "batch sizes " << a[0] << ", " << b[0] << " and " << c[0] << " differ";
  int64_t m = a[rank - 2], k = a[rank - 1], n = b[rank - 1];
  if (b[rank - 2] != k) // C2
    return emitOpError() << "K is " << k << " in a but " << b[rank - 2] << " in b";
  if (c[rank - 2] != m || c[rank - 1] != n) // C2
    return emitOpError() << "accumulator is " << getC().getType() << ", but the product is " << m << "x" << n;
  Type elementA = elementTypeOf(getA().getType()), elementB = elementTypeOf(getB().getType());
  if (elementA != elementB && !(isFp8(elementA) && isFp8(elementB))) // C3
    return emitOpError() << "multiplies " << elementA << " by " << elementB
                         << "; only FP8 types may be mixed with each other";
  if (!accumulates(elementA, elementTypeOf(getC().getType()))) // C4
    return emitOpError() << "cannot accumulate products of " << elementA << " in " << elementTypeOf(getC().getType());
  if (getType() != getC().getType()) // C5
    return emitOpError() << "result is " << getType() << ", but the accumulator is " << getC().getType();
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getSrcs().empty()) // C1
    return emitOpError("needs an operand");
  SmallVector<int64_t> shape(shapeOf(getSrcs().front().getType()));
  for (Value src : getSrcs()) // C1
    if (shapeOf(src.getType()) != ArrayRef<int64_t>(shape))
      return emitOpError() << "operands " << getSrcs().front().getType() << " and " << src.getType()
                           << " must have the same shape";
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size())) // C2
    return emitOpError() << "axis " << axis << " is not one of the operand's " << shape.size() << " dimensions";
  shape.erase(shape.begin() + axis);
  if (getNumResults() != getSrcs().size()) // C3
    return emitOpError() << "has " << getNumResults() << " results for " << getSrcs().size() << " operands";
  for (auto [src, result] : llvm::zip(getSrcs(), getResults())) // C3
    if (failed(expectType(*this, "result", result.getType(), shape, elementTypeOf(src.getType()))))
      return failure();
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  size_t count = getSrcs().size();
  Block &block = getCombineOp().front();
  if (block.getNumArguments() != 2 * count) // C4
    return emitOpError() << "has a region of " << block.getNumArguments() << " arguments, but combines " << count
                         << " values with " << count << " others";
  for (auto [index, argument] : llvm::enumerate(block.getArguments())) { // C4
    Type element = elementTypeOf(getSrcs()[index % count].getType());
    if (argument.getType() != element)
      return emitOpError() << "argument " << index << " of its region is " << argument.getType() << ", but must be "
                           << element;
  }
  auto terminator = dyn_cast<ReduceReturnOp>(block.back());
  if (!terminator) // C5
    return emitOpError("has a region that does not end in tt.reduce.return");
  if (terminator.getSrcs().size() != count) // C5
    return terminator.emitOpError() << "returns " << terminator.getSrcs().size() << " values for " << count
                                    << " operands of tt.reduce";
  for (auto [value, src] : llvm::zip(terminator.getSrcs(), getSrcs())) // C5
    if (value.getType() != elementTypeOf(src.getType()))
      return terminator.emitOpError() << "returns " << value.getType() << ", but tt.reduce combines "
                                      << elementTypeOf(src.getType());
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getSrc().getType(), to = getType();
  if (shapeOf(from) != shapeOf(to)) // C1
    return emitOpError() << "operand " << from << " and result " << to << " must have the same shape";
  auto fromPtr = dyn_cast<PointerType>(elementTypeOf(from)), toPtr = dyn_cast<PointerType>(elementTypeOf(to));
  bool matches = fromPtr && toPtr
                     ? fromPtr.getAddressSpace() == toPtr.getAddressSpace()
                     : !fromPtr && !toPtr &&
                           elementTypeOf(from).getIntOrFloatBitWidth() == elementTypeOf(to).getIntOrFloatBitWidth();
  if (!matches) // C2
    return emitOpError() << "casts " << from << " to " << to
                         << "; elements must have the same width, or be pointers into the same address space";
  return success();
}

LogicalResult FpToFpOp::verify() {
  Type from = getSrc().getType(), to = getType();
  if (shapeOf(from) != shapeOf(to)) // C1
    return emitOpError() << "operand " << from << " and result " << to << " must have the same shape";
  if (!getRounding() && elementTypeOf(to).getIntOrFloatBitWidth() < elementTypeOf(from).getIntOrFloatBitWidth()) // C2
    return emitOpError() << "narrows " << from << " to " << to
                         << " without saying how it rounds; add `, rounding = rtne`";
  return success();
}

} // namespace tawa::tt
