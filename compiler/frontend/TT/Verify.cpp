// Verifiers of the tt dialect for programs and shapes; VerifyMemory.cpp and VerifyCompute.cpp have the others. The
// numbers C1, C2, ... are those of the descriptions in the .td files; T1, T2 and T3 are the dialect's own rules. A
// message gives the wrong number or type, and what was expected.
#include "compiler/frontend/TT/UnsupportedOps.h"
#include "compiler/frontend/TT/VerifySupport.h"

using namespace mlir;

namespace tawa::tt {

// T3. Either shape may be the wrong one, so both types are named.
static LogicalResult verifyOneShape(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  const Type *first = llvm::find_if(types, isTensor);
  if (first == types.end())
    return success();
  for (Type type : types)
    if (isTensor(type) && shapeOf(type) != shapeOf(*first))
      return op->emitOpError() << "works element by element, but " << *first << " and " << type
                               << " have not the same shape";
  if (llvm::all_of(op->getResultTypes(), isTensor) && llvm::any_of(op->getOperandTypes(), isTensor))
    return success();
  return op->emitOpError() << "works element by element, but has scalars on one side and " << *first
                           << " on the other; tt.splat makes a tensor of a scalar";
}

LogicalResult verifyTileSizes(Operation *op) {
  auto emitError = [&] { return op->emitOpError(); };
  auto check = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || succeeded(verifyTileShape(tensor.getShape(), emitError)); // T1, T2
  };
  if (!llvm::all_of(op->getOperandTypes(), check) || !llvm::all_of(op->getResultTypes(), check))
    return failure();
  return op->hasTrait<OpTrait::Elementwise>() ? verifyOneShape(op) : success();
}

LogicalResult expectType(Operation *op, StringRef what, Type actual, ArrayRef<int64_t> shape, Type element) {
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

LogicalResult expectSameType(Operation *op, StringRef what, Type actual, StringRef like, Type expected) {
  if (shapeOf(actual) == shapeOf(expected) && elementTypeOf(actual) == elementTypeOf(expected) &&
      isa<RankedTensorType>(actual) == isa<RankedTensorType>(expected))
    return success();
  return op->emitOpError() << what << " is " << actual << ", but " << like << " is " << expected;
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
      if (!isa<IntegerType, FloatType, PointerType, TensorDescType>(type) || isBlockPointer(type))
        return emitOpError() << "argument " << index << " has type " << type
                             << "; kernels take integers, floats, pointers to these and tensor descriptors";
  // C3. The parser refuses the custom form of these; this finds the generic form, before the operations themselves are
  // verified and reported as unregistered.
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

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee = symbolTable.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee) // C1
    return emitOpError() << "calls @" << getCallee() << ", which is no tt.func of this module";
  FunctionType type = callee.getFunctionType();
  if (getSrcs().getTypes() != TypeRange(type.getInputs()) || getResultTypes() != TypeRange(type.getResults())) // C1
    return emitOpError() << "calls @" << getCallee() << " as (" << getSrcs().getTypes() << ") -> (" << getResultTypes()
                         << "), but that is " << type;
  return success();
}

LogicalResult PrintOp::verify() {
  if (!getIsSigned().empty() && getIsSigned().size() != getArgs().size()) // C1
    return emitOpError() << "has " << getArgs().size() << " operands, but isSigned speaks of " << getIsSigned().size();
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

LogicalResult CatOp::verify() {
  if (failed(expectSameType(*this, "second operand", getRhs().getType(), "the first", getLhs().getType()))) // C1
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getLhs().getType());
  if (shape.size() != 1) // C1
    return emitOpError() << "operands are " << getLhs().getType()
                         << ", but only tensors of one dimension are put after "
                         << "each other; tt.join and tt.reshape do it for others";
  return expectType(*this, "result", getType(), {2 * shape[0]}, elementTypeOf(getLhs().getType())); // C2
}

LogicalResult UnsplatOp::verify() {
  if (cast<RankedTensorType>(getSrc().getType()).getNumElements() != 1) // C1
    return emitOpError() << "operand is " << getSrc().getType() << ", but must have one element";
  return expectType(*this, "result", getType(), {}, elementTypeOf(getSrc().getType())); // C2
}

} // namespace tawa::tt
