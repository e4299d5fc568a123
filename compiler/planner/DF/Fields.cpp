// Parses and prints the fields of operations of the df dialect.
#include "compiler/planner/DF/Fields.h"

#include "compiler/planner/DF/DF.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <array>
#include <charconv>

using namespace mlir;

namespace tawa::df {

namespace {

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

/// What the fields of one operation give it beside attributes.
struct Parsed {
  Operands dims, units;
  llvm::StringSet<> seen;
};

ParseResult parseNumber(OpAsmParser &parser, NamedAttrList &attributes, StringRef name) {
  Attribute value;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseAttribute(value))
    return failure();
  double number = 0;
  if (auto real = dyn_cast<FloatAttr>(value))
    number = real.getValueAsDouble();
  else if (auto integer = dyn_cast<IntegerAttr>(value))
    number = static_cast<double>(integer.getInt());
  else
    return parser.emitError(place) << "'" << name << "' is a number";
  attributes.set(name, parser.getBuilder().getF64FloatAttr(number));
  return success();
}

template <typename Kind>
ParseResult parseAs(OpAsmParser &parser, NamedAttrList &attributes, StringRef name, const char *what) {
  Attribute value;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseAttribute(value))
    return failure();
  if (!isa<Kind>(value))
    return parser.emitError(place) << "'" << name << "' is " << what;
  attributes.set(name, value);
  return success();
}

ParseResult parseInteger(OpAsmParser &parser, NamedAttrList &attributes, StringRef name) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  attributes.set(name, parser.getBuilder().getI64IntegerAttr(value));
  return success();
}

ParseResult parseIntegers(OpAsmParser &parser, NamedAttrList &attributes, StringRef name) {
  SmallVector<int64_t> numbers;
  auto one = [&] { return parser.parseInteger(numbers.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  attributes.set(name, parser.getBuilder().getDenseI64ArrayAttr(numbers));
  return success();
}

/// `(%fpu, %sfpu, [8, 1])`; without counts there is one of each.
ParseResult parseUnits(OpAsmParser &parser, NamedAttrList &attributes, Operands &units) {
  attributes.erase("counts");
  auto one = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand unit;
    OptionalParseResult isUnit = parser.parseOptionalOperand(unit);
    if (!isUnit.has_value())
      return parseIntegers(parser, attributes, "counts");
    units.push_back(unit);
    return *isUnit;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, one))
    return failure();
  if (!attributes.get("counts"))
    attributes.set("counts", parser.getBuilder().getDenseI64ArrayAttr(SmallVector<int64_t>(units.size(), 1)));
  return success();
}

ParseResult parseValue(OpAsmParser &parser, NamedAttrList &attributes, const Field &field, Parsed &parsed) {
  switch (field.kind) {
  case Field::Kind::Integer:
    return parseInteger(parser, attributes, field.name);
  case Field::Kind::Number:
    return parseNumber(parser, attributes, field.name);
  case Field::Kind::Flag:
    return parseAs<BoolAttr>(parser, attributes, field.name, "true or false");
  case Field::Kind::Integers:
    return parseIntegers(parser, attributes, field.name);
  case Field::Kind::Map:
    return parseAs<AffineMapAttr>(parser, attributes, field.name, "an affine map");
  case Field::Kind::Dims:
    return parser.parseOperandList(parsed.dims, AsmParser::Delimiter::Paren);
  case Field::Kind::Units:
    return parseUnits(parser, attributes, parsed.units);
  }
  llvm_unreachable("kinds of fields are listed above");
}

std::string namesOf(ArrayRef<Field> fields) {
  return llvm::join(llvm::map_range(fields, [](const Field &field) { return field.name.str(); }), ", ");
}

ParseResult parseField(OpAsmParser &parser, NamedAttrList &attributes, ArrayRef<Field> fields, Parsed &parsed) {
  SMLoc place = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  const Field *field = llvm::find_if(fields, [&](const Field &known) { return known.name == name; });
  if (field == fields.end())
    return parser.emitError(place) << "'" << name << "' is none of the fields " << namesOf(fields);
  if (!parsed.seen.insert(name).second)
    return parser.emitError(place) << "'" << name << "' stands here twice";
  return failure(parser.parseEqual() || parseValue(parser, attributes, *field, parsed));
}

bool has(ArrayRef<Field> fields, Field::Kind kind) {
  return llvm::any_of(fields, [&](const Field &field) { return field.kind == kind; });
}

ParseResult resolveOperands(OpAsmParser &parser, OperationState &result, ArrayRef<Field> fields, Parsed &parsed) {
  Builder &builder = parser.getBuilder();
  if (parser.resolveOperands(parsed.dims, builder.getType<DimType>(), result.operands) ||
      parser.resolveOperands(parsed.units, builder.getType<UnitType>(), result.operands))
    return failure();
  if (!has(fields, Field::Kind::Units))
    return success();
  if (!result.attributes.get("counts"))
    result.addAttribute("counts", builder.getDenseI64ArrayAttr({}));
  result.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({static_cast<int32_t>(parsed.dims.size()),
                                                                           static_cast<int32_t>(parsed.units.size())}));
  return success();
}

void printUnits(OpAsmPrinter &printer, CoreOp core) {
  printer << "(" << core.getScalein();
  if (!llvm::all_of(core.getCounts(), [](int64_t count) { return count == 1; }))
    printer << ", [" << core.getCounts() << "]";
  printer << ")";
}

OperandRange dimsOf(Operation *op) {
  if (auto core = dyn_cast<CoreOp>(op))
    return core.getScaleout();
  return cast<MemoryOp>(op).getScaleout();
}

bool isPresent(Operation *op, const Field &field) {
  if (field.kind == Field::Kind::Dims)
    return !dimsOf(op).empty();
  return field.kind == Field::Kind::Units ? !cast<CoreOp>(op).getScalein().empty() : op->hasAttr(field.name);
}

void printField(OpAsmPrinter &printer, Operation *op, const Field &field) {
  Attribute value = op->getAttr(field.name);
  printer << field.name << " = ";
  switch (field.kind) {
  case Field::Kind::Integer:
    printer << cast<IntegerAttr>(value).getInt();
    return;
  case Field::Kind::Number:
    printer << numberText(cast<FloatAttr>(value).getValueAsDouble());
    return;
  case Field::Kind::Integers:
    printer << "[" << cast<DenseI64ArrayAttr>(value).asArrayRef() << "]";
    return;
  case Field::Kind::Flag:
    printer << value;
    return;
  case Field::Kind::Map: // in place, where an alias would stand far away
    printer << "affine_map<" << cast<AffineMapAttr>(value).getValue() << ">";
    return;
  case Field::Kind::Dims:
    printer << "(" << dimsOf(op) << ")";
    return;
  case Field::Kind::Units:
    return printUnits(printer, cast<CoreOp>(op));
  }
}

} // namespace

std::string numberText(double number) {
  std::array<char, 400> digits; // of the largest double, without an exponent
  auto end = std::to_chars(digits.begin(), digits.end(), number, std::chars_format::fixed).ptr;
  return std::string(digits.begin(), end);
}

ParseResult parseFields(OpAsmParser &parser, OperationState &result, ArrayRef<Field> fields) {
  Parsed parsed;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     [&] { return parseField(parser, result.attributes, fields, parsed); }))
    return failure();
  for (const Field &field : fields)
    if (field.required && !parsed.seen.contains(field.name))
      return parser.emitError(place) << "'" << result.name.getStringRef() << "' needs the field '" << field.name << "'";
  return resolveOperands(parser, result, fields, parsed);
}

void printFields(OpAsmPrinter &printer, Operation *op, ArrayRef<Field> fields) {
  auto present = llvm::make_filter_range(fields, [&](const Field &field) { return isPresent(op, field); });
  printer << " {";
  llvm::interleaveComma(present, printer, [&](const Field &field) { printField(printer, op, field); });
  printer << "}";
}

} // namespace tawa::df
