// Verifiers of the tt dialect for computations: products, reductions, conversions, elementwise functions. See
// Verify.cpp.
#include "compiler/frontend/TT/VerifySupport.h"

using namespace mlir;

namespace tawa::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// Products
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

// C2 of tt.dot_scaled: how an element type may be held.
static bool holdsScaled(ScaleDotElemType kind, Type held) {
  switch (kind) {
  case ScaleDotElemType::E4M3:
    return held.isFloat8E4M3FN() || held.isInteger(8);
  case ScaleDotElemType::E5M2:
    return held.isFloat8E5M2() || held.isInteger(8);
  case ScaleDotElemType::E2M1:
    return held.isInteger(8);
  case ScaleDotElemType::BF16:
    return held.isBF16();
  case ScaleDotElemType::FP16:
    return held.isF16();
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    return false;
  }
  return false;
}

// One operand of tt.dot_scaled with its rows (M, or N of b) and K as numbers of the product; C2 and C3.
static LogicalResult readScaled(DotScaledOp op, StringRef name, Value value, ScaleDotElemType kind, bool packedAlongK,
                                bool isA, int64_t &rows, int64_t &k) {
  Type held = elementTypeOf(value.getType());
  if (!holdsScaled(kind, held))
    return op.emitOpError() << name << " is " << value.getType() << ", which is not how "
                            << stringifyScaleDotElemType(kind) << " is held"
                            << (kind == ScaleDotElemType::E2M3 || kind == ScaleDotElemType::E3M2
                                    ? "; 6-bit floats are not supported on Hopper"
                                    : "");
  ArrayRef<int64_t> shape = shapeOf(value.getType()).take_back(2);
  rows = shape[isA ? 0 : 1];
  k = shape[isA ? 1 : 0];
  if (kind == ScaleDotElemType::E2M1)
    (packedAlongK ? k : rows) *= 2;
  return success();
}

// C4 of tt.dot_scaled.
static LogicalResult verifyScales(DotScaledOp op, StringRef name, Value scales, int64_t rows, int64_t k) {
  if (!scales)
    return success();
  Type element = elementTypeOf(scales.getType());
  int64_t run = element.isInteger(8) ? 32 : 16;
  SmallVector<int64_t> shape(shapeOf(op.getC().getType()).drop_back(2));
  shape.append({rows, k / run});
  if (k % run != 0)
    return op.emitOpError() << "K is " << k << ", but each scale of " << element << " covers " << run
                            << " elements along it";
  return expectType(op, name, scales.getType(), shape, element);
}

LogicalResult DotScaledOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA().getType()), b = shapeOf(getB().getType()), c = shapeOf(getC().getType());
  size_t rank = c.size();
  if ((rank != 2 && rank != 3) || a.size() != rank || b.size() != rank || a.drop_back(2) != c.drop_back(2) ||
      b.drop_back(2) != c.drop_back(2)) // C1
    return emitOpError() << "operands " << getA().getType() << ", " << getB().getType() << " and " << getC().getType()
                         << " must all have rank 2, or rank 3 with one batch size";
  int64_t m = 0, n = 0, k = 0, kOfB = 0;
  if (failed(readScaled(*this, "a", getA(), getAElemType(), getLhsKPack(), true, m, k)) ||
      failed(readScaled(*this, "b", getB(), getBElemType(), getRhsKPack(), false, n, kOfB))) // C2
    return failure();
  if (k != kOfB) // C3
    return emitOpError() << "K is " << k << " in a but " << kOfB << " in b";
  if (c[rank - 2] != m || c[rank - 1] != n) // C3
    return emitOpError() << "accumulator is " << getC().getType() << ", but the product is " << m << "x" << n;
  if (failed(verifyScales(*this, "scale of a", getAScale(), m, k)) ||
      failed(verifyScales(*this, "scale of b", getBScale(), n, k))) // C4
    return failure();
  Type element = elementTypeOf(getC().getType());
  if (!element.isF32() && !element.isF16() && !element.isBF16()) // C5
    return emitOpError() << "cannot accumulate in " << element;
  return expectSameType(*this, "result", getType(), "the accumulator", getC().getType()); // C5
}

//===--------------------------------------------------------------------------------------------------------------===//
// Reductions and scans
//===--------------------------------------------------------------------------------------------------------------===//

// C1 and C2 of tt.reduce and tt.scan: operands of one shape, and an axis of it.
static LogicalResult verifyAxis(Operation *op, OperandRange srcs, uint32_t axisBits) {
  if (srcs.empty()) // C1
    return op->emitOpError("needs an operand");
  ArrayRef<int64_t> shape = shapeOf(srcs.front().getType());
  for (Value src : srcs) // C1
    if (shapeOf(src.getType()) != shape)
      return op->emitOpError() << "operands " << srcs.front().getType() << " and " << src.getType()
                               << " must have the same shape";
  int64_t axis = static_cast<int32_t>(axisBits);
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size())) // C2
    return op->emitOpError() << "axis " << axis << " is not one of the operand's " << shape.size() << " dimensions";
  if (op->getNumResults() != srcs.size()) // C3
    return op->emitOpError() << "has " << op->getNumResults() << " results for " << srcs.size() << " operands";
  return success();
}

// The scalars that a region takes: `copies` of each operand's element, whatever their order.
static LogicalResult verifyArguments(Operation *op, Block &block, ArrayRef<Type> expected, StringRef purpose) {
  if (block.getNumArguments() != expected.size())
    return op->emitOpError() << "has a region of " << block.getNumArguments() << " arguments, but " << purpose;
  for (auto [index, argument] : llvm::enumerate(block.getArguments()))
    if (argument.getType() != expected[index])
      return op->emitOpError() << "argument " << index << " of its region is " << argument.getType() << ", but must be "
                               << expected[index];
  return success();
}

// The scalars that a region returns.
static LogicalResult verifyReturned(Operation *terminator, ArrayRef<Type> expected, Operation *op, StringRef purpose) {
  StringRef parent = op->getName().getStringRef();
  if (terminator->getNumOperands() != expected.size())
    return terminator->emitOpError() << "returns " << terminator->getNumOperands() << " values for " << expected.size()
                                     << " " << purpose << " of " << parent;
  for (auto [value, type] : llvm::zip(terminator->getOperands(), expected))
    if (value.getType() != type)
      return terminator->emitOpError() << "returns " << value.getType() << ", but " << parent << " combines " << type;
  return success();
}

// C4 and C5 of tt.reduce and tt.scan: the region combines two lists of scalars into one.
template <typename ReturnOp, typename Op> static LogicalResult verifyCombine(Op op) {
  SmallVector<Type> elements;
  for (Value src : op.getSrcs())
    elements.push_back(elementTypeOf(src.getType()));
  SmallVector<Type> twice(elements);
  llvm::append_range(twice, elements);
  Block &block = op.getCombineOp().front();
  std::string count = std::to_string(elements.size());
  if (failed(verifyArguments(op, block, twice, "combines " + count + " values with " + count + " others"))) // C4
    return failure();
  auto terminator = dyn_cast_or_null<ReturnOp>(block.empty() ? nullptr : &block.back());
  if (!terminator) // C5
    return op.emitOpError() << "has a region that does not end in " << ReturnOp::getOperationName();
  return verifyReturned(terminator, elements, op, "operands"); // C5
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyAxis(*this, getSrcs(), getAxis()))) // C1, C2, C3
    return failure();
  SmallVector<int64_t> shape(shapeOf(getSrcs().front().getType()));
  shape.erase(shape.begin() + getAxis());
  for (auto [src, result] : llvm::zip(getSrcs(), getResults())) // C3
    if (failed(expectType(*this, "result", result.getType(), shape, elementTypeOf(src.getType()))))
      return failure();
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombine<ReduceReturnOp>(*this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyAxis(*this, getSrcs(), getAxis()))) // C1, C2, C3
    return failure();
  for (auto [src, result] : llvm::zip(getSrcs(), getResults())) // C3
    if (failed(expectSameType(*this, "result", result.getType(), "its operand", src.getType())))
      return failure();
  return success();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombine<ScanReturnOp>(*this); }

LogicalResult MapElementwiseOp::verify() {
  if (getSrcs().empty()) // C1
    return emitOpError("needs an operand");
  auto first = cast<RankedTensorType>(getSrcs().front().getType());
  for (Value value : llvm::concat<Value>(SmallVector<Value>(getSrcs()), SmallVector<Value>(getResults()))) // C1
    if (shapeOf(value.getType()) != first.getShape())
      return emitOpError() << "operands and results must have the same shape, but there are " << first << " and "
                           << value.getType();
  int64_t pack = static_cast<int32_t>(getPack());
  if (pack < 1 || !llvm::isPowerOf2_64(pack) || pack > first.getNumElements()) // C2
    return emitOpError() << "packs " << pack << " elements, but that must be a power of two that divides "
                         << first.getNumElements();
  return success();
}

// `pack` scalars for each of the values.
static SmallVector<Type> packedElements(ValueRange values, uint32_t pack) {
  SmallVector<Type> elements;
  for (Value value : values)
    elements.append(pack, elementTypeOf(value.getType()));
  return elements;
}

LogicalResult MapElementwiseOp::verifyRegions() {
  SmallVector<Type> taken = packedElements(getSrcs(), getPack()), given = packedElements(getResults(), getPack());
  if (failed(verifyArguments(*this, getScalarOp().front(), taken, // C3
                             "is called with " + std::to_string(taken.size()) + " elements")))
    return failure();
  for (Block &block : getScalarOp()) // C4
    if (auto terminator = dyn_cast_or_null<MapElementwiseReturnOp>(block.empty() ? nullptr : &block.back()))
      if (failed(verifyReturned(terminator, given, *this, "elements")))
        return failure();
  WalkResult writes = getScalarOp().walk([](Operation *op) {
    bool isStore =
        isa<StoreOp, AtomicRMWOp, AtomicCASOp, DescriptorStoreOp, DescriptorReduceOp, DescriptorScatterOp>(op);
    return isStore ? WalkResult::interrupt() : WalkResult::advance();
  });
  return writes.wasInterrupted() ? emitOpError("writes to memory in its region; store its results instead") // C5
                                 : success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Elements by value
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult HistogramOp::verify() {
  if (shapeOf(getSrc().getType()).size() != 1 || shapeOf(getType()).size() != 1) // C1
    return emitOpError() << "counts " << getSrc().getType() << " into " << getType()
                         << ", but both must have one dimension; tt.reshape gives it";
  if (!getMask())
    return success();
  return expectType(*this, "mask", getMask().getType(), shapeOf(getSrc().getType()),
                    IntegerType::get(getContext(), 1)); // C2
}

LogicalResult GatherOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc().getType()), index = shapeOf(getIndices().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= static_cast<int64_t>(from.size())) // C1
    return emitOpError() << "axis " << axis << " is not one of the operand's " << from.size() << " dimensions";
  if (from.size() != index.size()) // C1
    return emitOpError() << "operand has rank " << from.size() << ", but the indices rank " << index.size();
  for (auto [dimension, sizes] : llvm::enumerate(llvm::zip(from, index))) { // C1
    auto [source, picked] = sizes;
    if (source != picked && static_cast<int64_t>(dimension) != axis)
      return emitOpError() << "dimension " << dimension << " has size " << source << " in the operand, but " << picked
                           << " in the indices; only the axis may differ";
  }
  return expectType(*this, "result", getType(), index, elementTypeOf(getSrc().getType())); // C2
}

//===--------------------------------------------------------------------------------------------------------------===//
// Conversions and functions of elements
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult ExternElementwiseOp::verify() {
  if (getSymbol().empty()) // C1
    return emitOpError("names no function; its symbol is empty");
  return success(); // C2 is T3
}

// The registers that values of some types take, if `packed` elements of each go in at once.
static size_t registersOf(TypeRange types, uint32_t packed) {
  size_t registers = 0;
  for (Type type : types) {
    Type element = elementTypeOf(type);
    unsigned width = isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
    registers += width >= 32 ? packed : llvm::divideCeil(width * packed, 32);
  }
  return registers;
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  uint32_t packed = getPackedElement();
  if (!llvm::isPowerOf2_32(packed)) // C2
    return emitOpError() << "packs " << packed << " elements, but that must be a power of two";
  if (getNumResults() == 0) // C4
    return emitOpError("has no result");
  SmallVector<StringRef> constraints;
  getConstraints().split(constraints, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  auto isOutput = [](StringRef constraint) { return constraint.trim().starts_with("="); };
  auto isInput = [&](StringRef constraint) { return !isOutput(constraint) && !constraint.trim().starts_with("~"); };
  size_t outputs = llvm::count_if(constraints, isOutput), inputs = llvm::count_if(constraints, isInput);
  size_t results = registersOf(getResultTypes(), packed), operands = registersOf(getArgs().getTypes(), packed);
  if (outputs != results || inputs != operands) // C3
    return emitOpError() << "constraints name " << outputs << " outputs and " << inputs << " inputs, but " << packed
                         << " elements of each value take " << results << " and " << operands << " registers";
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getSrc().getType(), to = getType(); // C1 is T3
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
  Type from = getSrc().getType(), to = getType(); // C1 is T3
  if (!getRounding() && elementTypeOf(to).getIntOrFloatBitWidth() < elementTypeOf(from).getIntOrFloatBitWidth()) // C2
    return emitOpError() << "narrows " << from << " to " << to
                         << " without saying how it rounds; add `, rounding = rtne`";
  return success();
}

} // namespace tawa::tt
