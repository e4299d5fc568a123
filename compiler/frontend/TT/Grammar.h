// Grammar shared by operations of the tt dialect: the custom<...> directives of the .td files. Included only by
// Ops.cpp, before the generated parsers, which call these functions by name.
#pragma once

#include "compiler/frontend/TT/TT.h"

using namespace mlir;
using namespace tawa::tt;

// Two values of one type, which is printed once.
static ParseResult parsePairTypes(OpAsmParser &parser, Type &first, Type &second) {
  if (parser.parseType(first))
    return failure();
  second = first;
  return success();
}

static void printPairTypes(OpAsmPrinter &printer, Operation *, Type first, Type) { printer << first; }

// The keywords of an enumeration, for messages. The numbers are small, but for one of PropagateNan.
template <typename Enum> static std::string knownKeywords() {
  std::string list;
  for (uint32_t number : llvm::concat<const uint32_t>(llvm::to_vector(llvm::seq<uint32_t>(0, 16)), SmallVector{65535u}))
    if (StringRef keyword = stringifyEnum(static_cast<Enum>(number)); !keyword.empty())
      list += (list.empty() ? "" : ", ") + keyword.str();
  return list;
}

// The value of a number or a keyword; `isNumber` says which of them was written.
template <typename EnumAttr> static ParseResult parseEnumSpelling(OpAsmParser &parser, EnumAttr &attr, bool &isNumber) {
  using Enum = typename EnumAttr::ValueType;
  SMLoc loc = parser.getCurrentLocation();
  std::optional<Enum> value;
  StringRef keyword;
  uint32_t number = 0;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  isNumber = parsed.has_value();
  if (isNumber) {
    if (failed(*parsed))
      return failure();
    if (!stringifyEnum(static_cast<Enum>(number)).empty())
      value = static_cast<Enum>(number);
  } else {
    if (parser.parseKeyword(&keyword))
      return failure();
    value = symbolizeEnum<Enum>(keyword);
  }
  if (!value)
    return parser.emitError(loc) << "'" << (isNumber ? Twine(number).str() : keyword.str())
                                 << "' is not one of: " << knownKeywords<Enum>();
  attr = EnumAttr::get(parser.getContext(), *value);
  return success();
}

// A value of an enumeration by its keyword, or by the number that its attribute holds.
template <typename EnumAttr> static ParseResult parseEnumValue(OpAsmParser &parser, EnumAttr &attr) {
  bool isNumber = false;
  return parseEnumSpelling(parser, attr, isNumber);
}

template <typename EnumAttr> static void printEnumValue(OpAsmPrinter &printer, Operation *, EnumAttr attr) {
  printer << stringifyEnum(attr.getValue());
}

// `NAME = value`, the keyword NAME being read already. A number is followed by its type, as in a dictionary.
template <typename EnumAttr> static ParseResult parseEnumClause(OpAsmParser &parser, StringRef name, EnumAttr &attr) {
  if (attr)
    return parser.emitError(parser.getCurrentLocation()) << name << " is given twice";
  if (parser.parseEqual())
    return failure();
  bool isNumber = false;
  Type type;
  if (parseEnumSpelling(parser, attr, isNumber))
    return failure();
  return isNumber ? parser.parseColonType(type) : success();
}

// `cacheModifier = cg evictionPolicy = evict_first`, either first, both optional.
static ParseResult parseCachePolicy(OpAsmParser &parser, CacheModifierAttr &cache, EvictionPolicyAttr &evict) {
  while (true) {
    ParseResult parsed = success();
    if (succeeded(parser.parseOptionalKeyword("cacheModifier")))
      parsed = parseEnumClause(parser, "cacheModifier", cache);
    else if (succeeded(parser.parseOptionalKeyword("evictionPolicy")))
      parsed = parseEnumClause(parser, "evictionPolicy", evict);
    else
      return success();
    if (failed(parsed))
      return failure();
  }
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
    return parser.emitError(loc) << "expected a pointer, a tensor of pointers or a block pointer, but got " << ptr;
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

// `, inputPrecision = tf32`; absent is IEEE.
static ParseResult parseInputPrecision(OpAsmParser &parser, InputPrecisionAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (parser.parseKeyword("inputPrecision"))
    return failure();
  return parseEnumClause(parser, "inputPrecision", precision);
}

static void printInputPrecision(OpAsmPrinter &printer, Operation *, InputPrecisionAttr precision) {
  if (precision && precision.getValue() != InputPrecision::IEEE)
    printer << ", inputPrecision = " << stringifyInputPrecision(precision.getValue());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Types that follow from others
//===--------------------------------------------------------------------------------------------------------------===//

// `<tensor<64x32xf16>>`, the block pointer without its name; the full type is read too. The base follows from it.
static ParseResult parseStrippedBlockPointer(OpAsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  PointerType pointer;
  if (parser.parseCustomTypeWithFallback(pointer))
    return failure();
  if (!pointer.getBlockType())
    return parser.emitError(loc) << "expected a block pointer, whose pointee is a tensor, but got " << pointer;
  type = pointer;
  return success();
}

static ParseResult parseBlockPointer(OpAsmParser &parser, Type &base, Type &result) {
  if (parseStrippedBlockPointer(parser, result))
    return failure();
  auto pointer = cast<PointerType>(result);
  base = PointerType::get(pointer.getBlockType().getElementType(), pointer.getAddressSpace());
  return success();
}

static void printBlockPointer(OpAsmPrinter &printer, Operation *, Type, Type result) {
  printer.printStrippedAttrOrType(cast<PointerType>(result));
}

static ParseResult parseStrippedPair(OpAsmParser &parser, Type &first, Type &second) {
  if (parseStrippedBlockPointer(parser, first))
    return failure();
  second = first;
  return success();
}

static void printStrippedPair(OpAsmPrinter &printer, Operation *, Type first, Type) {
  printer.printStrippedAttrOrType(cast<PointerType>(first));
}

// The operand's type; the result is its element.
static ParseResult parseUnsplatTypes(OpAsmParser &parser, Type &src, Type &result) {
  if (parser.parseType(src))
    return failure();
  result = elementTypeOf(src);
  return success();
}

static void printUnsplatTypes(OpAsmPrinter &printer, Operation *, Type src, Type) { printer << src; }

static ParseResult parseHistogramTypes(OpAsmParser &parser, const OptionalOperand &mask, Type &src, Type &maskType) {
  if (parser.parseType(src))
    return failure();
  if (mask)
    maskType = maskTypeFor(src);
  return success();
}

static void printHistogramTypes(OpAsmPrinter &printer, Operation *, Value, Type src, Type) { printer << src; }

//===--------------------------------------------------------------------------------------------------------------===//
// Messages
//===--------------------------------------------------------------------------------------------------------------===//

// `"message"`, and of Triton 3.0 and 3.1 `"message", "file", "function", 12`, which becomes one message.
static ParseResult parseAssertMessage(OpAsmParser &parser, StringAttr &message) {
  std::string text, file, function;
  int64_t line = 0;
  if (parser.parseString(&text))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseString(&file) || parser.parseComma() || parser.parseString(&function) || parser.parseComma() ||
        parser.parseInteger(line))
      return failure();
    text = (Twine(file) + ":" + Twine(line) + ": " + function + ": " + text).str();
  }
  message = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printAssertMessage(OpAsmPrinter &printer, Operation *, StringAttr message) { printer << message; }
