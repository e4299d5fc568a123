// Types of the tt dialect: their spelling, their verifiers, and the helpers that derive one type from another.
#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/frontend/TT/TTTypes.cpp.inc"

namespace tawa::tt {

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/frontend/TT/TTTypes.cpp.inc"
      >();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Derived types
//===--------------------------------------------------------------------------------------------------------------===//

Type withElementType(Type like, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(like);
  return tensor ? RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding()) : element;
}

Type elementTypeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

Type pointeeTypeOf(Type type) {
  auto pointer = dyn_cast<PointerType>(elementTypeOf(type));
  if (!pointer || (pointer.getBlockType() && isa<RankedTensorType>(type)))
    return {};
  return withElementType(type, pointer.getPointeeType());
}

bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && pointer.getBlockType();
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

Type signlessOf(Type type) {
  auto integer = dyn_cast<IntegerType>(elementTypeOf(type));
  if (!integer || integer.isSignless())
    return type;
  return withElementType(type, IntegerType::get(type.getContext(), integer.getWidth()));
}

LogicalResult verifyTileShape(ArrayRef<int64_t> shape, function_ref<InFlightDiagnostic()> emitError) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size))
      return emitError() << "tensors have static shapes, but a dimension is '?'";
    if (size <= 0 || ((size & (size - 1)) != 0 && size % kLeastPart != 0)) // T1
      return emitError() << "every dimension of a tensor is a power of two or a multiple of " << kLeastPart
                         << ", but one is " << size;
    if (size > kMaxTensorElements / elements) // T2; the product so far never exceeds the bound, so neither wraps
      return emitError() << "a tensor has at most " << kMaxTensorElements << " elements";
    elements *= size;
  }
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// !tt.ptr
//===--------------------------------------------------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type pointee;
  int space = 1;
  if (parser.parseLess() || parser.parseType(pointee) ||
      (succeeded(parser.parseOptionalComma()) && parser.parseInteger(space)) || parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, parser.getContext(), pointee, space);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() != 1)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, int addressSpace) {
  auto block = llvm::dyn_cast<RankedTensorType>(pointee);
  if (block ? !llvm::isa<IntegerType, FloatType>(block.getElementType())
            : !llvm::isa<IntegerType, FloatType, PointerType>(pointee)) // C1
    return emitError() << "a pointer points at an integer, a float, a pointer or a tensor of integers or floats, but "
                          "its pointee is "
                       << pointee;
  if (auto pointer = llvm::dyn_cast<PointerType>(pointee); pointer && pointer.getBlockType()) // C1
    return emitError() << "no pointer points at a block pointer, but this one's pointee is " << pointee;
  if (addressSpace < 0) // C2
    return emitError() << "an address space is not negative, but this one is " << addressSpace;
  return block ? verifyTileShape(block.getShape(), emitError) : success(); // C3
}

//===--------------------------------------------------------------------------------------------------------------===//
// !tt.tensordesc
//===--------------------------------------------------------------------------------------------------------------===//

// The newer spelling: dimensions, element type and optionally a layout, without `tensor<>` around them.
static RankedTensorType parseBareBlock(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  Attribute encoding;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
      (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding)))
    return {};
  return parser.getChecked<RankedTensorType>(loc, shape, element, encoding);
}

Type TensorDescType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  OptionalParseResult full = parser.parseOptionalType(type);
  if (full.has_value() && failed(*full))
    return {};
  RankedTensorType block = full.has_value() ? llvm::dyn_cast<RankedTensorType>(type) : parseBareBlock(parser);
  if (!block) {
    if (full.has_value())
      parser.emitError(loc) << "a tensor descriptor describes a ranked tensor, not " << type;
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorDescType>(loc, parser.getContext(), block);
}

void TensorDescType::print(AsmPrinter &printer) const { printer << "<" << getBlockType() << ">"; }

LogicalResult TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError, RankedTensorType block) {
  if (block.getRank() < 1 || block.getRank() > 5) // C1
    return emitError() << "a tensor descriptor has 1 to 5 dimensions, but this one has " << block.getRank();
  if (!llvm::isa<IntegerType, FloatType>(block.getElementType())) // C2
    return emitError() << "a tensor descriptor describes integers or floats, not " << block.getElementType();
  return verifyTileShape(block.getShape(), emitError); // C3
}

RankedTensorType TensorDescType::getSignlessBlockType() {
  return llvm::cast<RankedTensorType>(signlessOf(getBlockType()));
}

} // namespace tawa::tt
