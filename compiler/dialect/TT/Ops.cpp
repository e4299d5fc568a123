// Operations of the tt dialect: spelling, builders and effects. What must hold of them is in Verify.cpp, what folds in
// Fold.cpp.
#include "compiler/dialect/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tawa::tt;

//===--------------------------------------------------------------------------------------------------------------===//
// Pieces of grammar that several operations share (custom<...> in the .td files)
//===--------------------------------------------------------------------------------------------------------------===//

// Two values of one type, which is printed once.
static ParseResult parsePairTypes(OpAsmParser &parser, Type &first, Type &second) {
  if (parser.parseType(first))
    return failure();
  second = first;
  return success();
}

static void printPairTypes(OpAsmPrinter &printer, Operation *, Type first, Type) { printer << first; }

// One keyword clause of an access: `name = keyword`, or a number where an old release printed one.
template <typename Enum>
static ParseResult parseEnumClause(OpAsmParser &parser, StringRef name, IntegerAttr &attr,
                                   std::optional<Enum> (*fromKeyword)(StringRef),
                                   std::optional<Enum> (*fromNumber)(uint32_t)) {
  SMLoc loc = parser.getCurrentLocation();
  if (attr)
    return parser.emitError(loc) << name << " is given twice";
  if (parser.parseEqual())
    return failure();
  loc = parser.getCurrentLocation();
  std::optional<Enum> value;
  StringRef keyword;
  uint32_t number = 0;
  OptionalParseResult isNumber = parser.parseOptionalInteger(number);
  if (isNumber.has_value()) {
    Type type;
    if (failed(*isNumber) || (succeeded(parser.parseOptionalColon()) && parser.parseType(type)))
      return failure();
    value = fromNumber(number);
  } else {
    if (parser.parseKeyword(&keyword))
      return failure();
    value = fromKeyword(keyword);
  }
  if (!value)
    return parser.emitError(loc) << "no such " << name;
  attr = parser.getBuilder().getI32IntegerAttr(static_cast<int32_t>(*value));
  return success();
}

// `cacheModifier = cg evictionPolicy = evict_first`, either first, both optional.
static ParseResult parseCachePolicy(OpAsmParser &parser, CacheModifierAttr &cache, EvictionPolicyAttr &evict) {
  IntegerAttr cacheNumber, evictNumber;
  while (true) {
    if (succeeded(parser.parseOptionalKeyword("cacheModifier"))) {
      if (parseEnumClause<CacheModifier>(parser, "cacheModifier", cacheNumber, symbolizeCacheModifier,
                                         symbolizeCacheModifier))
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("evictionPolicy"))) {
      if (parseEnumClause<EvictionPolicy>(parser, "evictionPolicy", evictNumber, symbolizeEvictionPolicy,
                                          symbolizeEvictionPolicy))
        return failure();
    } else {
      break;
    }
  }
  if (cacheNumber)
    cache = cast<CacheModifierAttr>(cacheNumber);
  if (evictNumber)
    evict = cast<EvictionPolicyAttr>(evictNumber);
  return success();
}

static void printCachePolicy(OpAsmPrinter &printer, Operation *, CacheModifierAttr cache, EvictionPolicyAttr evict) {
  if (cache && cache.getValue() != CacheModifier::None)
    printer << " cacheModifier = " << stringifyCacheModifier(cache.getValue());
  if (evict && evict.getValue() != EvictionPolicy::Normal)
    printer << " evictionPolicy = " << stringifyEvictionPolicy(evict.getValue());
}

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

// Accesses print the pointer's type only; the others follow from it.
static ParseResult parsePointerType(OpAsmParser &parser, Type &ptr, Type &pointee) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(ptr))
    return failure();
  pointee = pointeeTypeOf(ptr);
  if (!pointee)
    return parser.emitError(loc) << "expected a pointer or a tensor of pointers, but got " << ptr;
  return success();
}

static Type maskTypeFor(Type ptr) { return withElementType(ptr, IntegerType::get(ptr.getContext(), 1)); }

static ParseResult parseLoadTypes(OpAsmParser &parser, const OptionalOperand &mask, const OptionalOperand &other,
                                  Type &ptrType, Type &maskType, Type &otherType, Type &resultType) {
  if (parsePointerType(parser, ptrType, resultType))
    return failure();
  if (mask)
    maskType = maskTypeFor(ptrType);
  if (other)
    otherType = resultType;
  return success();
}

static void printLoadTypes(OpAsmPrinter &printer, Operation *, Value, Value, Type ptrType, Type, Type, Type) {
  printer << ptrType;
}

static ParseResult parseStoreTypes(OpAsmParser &parser, const OptionalOperand &mask, Type &ptrType, Type &valueType,
                                   Type &maskType) {
  if (parsePointerType(parser, ptrType, valueType))
    return failure();
  if (mask)
    maskType = maskTypeFor(ptrType);
  return success();
}

static void printStoreTypes(OpAsmPrinter &printer, Operation *, Value, Type ptrType, Type, Type) { printer << ptrType; }

#define GET_OP_CLASSES
#include "compiler/dialect/TT/TTOps.cpp.inc"

namespace tawa::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// tt.func
//===--------------------------------------------------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag,
                     std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), makeType,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------------------------------------------===//

void ExpandDimsOp::build(OpBuilder &builder, OperationState &state, Value src, int32_t axis) {
  auto type = cast<RankedTensorType>(src.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + axis, 1);
  build(builder, state, RankedTensorType::get(shape, type.getElementType()), src, axis);
}

void TransOp::build(OpBuilder &builder, OperationState &state, Value src, ArrayRef<int32_t> order) {
  auto type = cast<RankedTensorType>(src.getType());
  SmallVector<int64_t> shape;
  for (int32_t dimension : order)
    shape.push_back(type.getDimSize(dimension));
  build(builder, state, RankedTensorType::get(shape, type.getElementType()), src, order);
}

ParseResult ReshapeOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr reorderName = getAllowReorderAttrName(result.name), layoutName = getEfficientLayoutAttrName(result.name);
  Attribute unit = parser.getBuilder().getUnitAttr();
  OpAsmParser::UnresolvedOperand src;
  Type srcType, resultType;
  if (parser.parseOperand(src))
    return failure();
  bool reorder = succeeded(parser.parseOptionalKeyword(reorderName));
  if (succeeded(parser.parseOptionalKeyword(layoutName)))
    result.addAttribute(layoutName, unit);
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(srcType) || parser.parseArrow() ||
      parser.parseType(resultType) || parser.resolveOperand(src, srcType, result.operands))
    return failure();
  // Triton 3.0 and 3.1: a boolean in the dictionary.
  if (auto old = dyn_cast_or_null<BoolAttr>(result.attributes.get(reorderName))) {
    result.attributes.erase(reorderName);
    reorder |= old.getValue();
  }
  if (reorder)
    result.attributes.set(reorderName, unit);
  result.addTypes(resultType);
  return success();
}

void ReshapeOp::print(OpAsmPrinter &printer) {
  printer << " " << getSrc();
  if (getAllowReorder())
    printer << " " << getAllowReorderAttrName().getValue();
  if (getEfficientLayout())
    printer << " " << getEfficientLayoutAttrName().getValue();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getAllowReorderAttrName(), getEfficientLayoutAttrName()});
  printer << " : " << getSrc().getType() << " -> " << getType();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other) {
  build(builder, state, pointeeTypeOf(ptr.getType()), ptr, mask, other, builder.getDenseI32ArrayAttr({}),
        PaddingOptionAttr(), CacheModifierAttr::get(builder.getContext(), CacheModifier::None),
        EvictionPolicyAttr::get(builder.getContext(), EvictionPolicy::Normal), builder.getBoolAttr(false));
}

// A volatile load is a read that must happen as often as written; the write keeps it from being removed or merged.
void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

//===--------------------------------------------------------------------------------------------------------------===//
// tt.reduce
//===--------------------------------------------------------------------------------------------------------------===//

// The region is left empty: the caller fills it.
void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int32_t axis) {
  state.addOperands(srcs);
  state.addAttribute(getAxisAttrName(state.name), builder.getI32IntegerAttr(axis));
  for (Value src : srcs) {
    auto type = cast<RankedTensorType>(src.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    state.addTypes(shape.empty() ? type.getElementType() : RankedTensorType::get(shape, type.getElementType()));
  }
  state.addRegion();
}

} // namespace tawa::tt
