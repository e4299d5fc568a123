// Registers the df dialect; parses, prints and verifies its operations.
#include "compiler/planner/DF/DF.h"

#include "compiler/planner/DF/Fields.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "compiler/planner/DF/DFDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/planner/DF/DFTypes.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/planner/DF/DFOps.cpp.inc"

using namespace mlir;

namespace tawa::df {

using Kind = Field::Kind;

void DFDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/planner/DF/DFTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/planner/DF/DFOps.cpp.inc"
      >();
}

ValueRange dimensionsOf(Value component) {
  if (auto core = component.getDefiningOp<CoreOp>())
    return core.getScaleout();
  return cast<MemoryOp>(component.getDefiningOp()).getScaleout();
}

SmallVector<int64_t> extentsOf(Value component) {
  return llvm::map_to_vector(dimensionsOf(component), [](Value dim) {
    return static_cast<int64_t>(cast<SpatialDimOp>(dim.getDefiningOp()).getSize());
  });
}

//===--- Assembly -------------------------------------------------------------------------------------------------===//

/// A value's name in the text is the name of the part; numbers are none.
static void readLabel(OpAsmParser &parser, OperationState &result) {
  StringRef name = parser.getResultName(0).first;
  bool isNumber = name.empty() || llvm::isDigit(name.front());
  result.addAttribute("label", parser.getBuilder().getStringAttr(isNumber ? "" : name));
}

static ParseResult parsePart(OpAsmParser &parser, OperationState &result, Type type, ArrayRef<Field> fields) {
  readLabel(parser, result);
  result.addTypes(type);
  return parseFields(parser, result, fields);
}

/// `%a, %b` and then fields.
static ParseResult parseConnection(OpAsmParser &parser, OperationState &result, ArrayRef<Field> fields) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::UnresolvedOperand first, second;
  Type component = builder.getType<ComponentType>();
  if (parser.parseOperand(first) || parser.parseComma() || parser.parseOperand(second) ||
      parser.resolveOperand(first, component, result.operands) ||
      parser.resolveOperand(second, component, result.operands))
    return failure();
  return parsePart(parser, result, builder.getType<ConnectionType>(), fields);
}

static void printConnection(OpAsmPrinter &printer, Operation *op, ArrayRef<Field> fields) {
  printer << " " << op->getOperand(0) << ", " << op->getOperand(1);
  printFields(printer, op, fields);
}

static constexpr Field kMachine[] = {{"clock", Kind::Number},
                                     {"launch", Kind::Number, false},
                                     {"message", Kind::Number, false},
                                     {"semaphore", Kind::Number, false}};
static constexpr Field kCore[] = {{"scaleout", Kind::Dims}, {"scalein", Kind::Units, false}};
static constexpr Field kMemory[] = {{"scaleout", Kind::Dims, false},
                                    {"size", Kind::Integer},
                                    {"bandwidth", Kind::Number},
                                    {"latency", Kind::Number, false}};
static constexpr Field kInterconnects[] = {{"map", Kind::Map},
                                           {"bandwidth", Kind::Number},
                                           {"hop_latency", Kind::Number, false},
                                           {"multicast", Kind::Flag, false}};
static constexpr Field kMux[] = {{"map", Kind::Map}, {"bandwidth", Kind::Number}};
static constexpr Field kThroughputUnit[] = {{"shape", Kind::Integers}, {"throughput", Kind::Number}};
static constexpr Field kScalar[] = {{"latency", Kind::Number}};

ParseResult MachineOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parseFields(parser, result, kMachine))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void MachineOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printFields(printer, *this, kMachine);
  printer << " ";
  printer.printRegion(getBody());
}

ParseResult SpatialDimOp::parse(OpAsmParser &parser, OperationState &result) {
  int64_t size = 0;
  readLabel(parser, result);
  result.addTypes(parser.getBuilder().getType<DimType>());
  if (parser.parseInteger(size))
    return failure();
  result.addAttribute(getSizeAttrName(result.name), parser.getBuilder().getI64IntegerAttr(size));
  return success();
}

void SpatialDimOp::print(OpAsmPrinter &printer) { printer << " " << static_cast<int64_t>(getSize()); }

#define TAWA_DF_PART(OP, TYPE, FIELDS)                                                                                 \
  ParseResult OP::parse(OpAsmParser &parser, OperationState &result) {                                                 \
    return parsePart(parser, result, parser.getBuilder().getType<TYPE>(), FIELDS);                                     \
  }                                                                                                                    \
  void OP::print(OpAsmPrinter &printer) { printFields(printer, *this, FIELDS); }
TAWA_DF_PART(CoreOp, ComponentType, kCore)
TAWA_DF_PART(MemoryOp, ComponentType, kMemory)
TAWA_DF_PART(MatOp, UnitType, kThroughputUnit)
TAWA_DF_PART(VecOp, UnitType, kThroughputUnit)
TAWA_DF_PART(ScalarOp, UnitType, kScalar)
#undef TAWA_DF_PART

#define TAWA_DF_CONNECTION(OP, FIELDS)                                                                                 \
  ParseResult OP::parse(OpAsmParser &parser, OperationState &result) {                                                 \
    return parseConnection(parser, result, FIELDS);                                                                    \
  }                                                                                                                    \
  void OP::print(OpAsmPrinter &printer) { printConnection(printer, *this, FIELDS); }
TAWA_DF_CONNECTION(InterconnectsOp, kInterconnects)
TAWA_DF_CONNECTION(MuxOp, kMux)
#undef TAWA_DF_CONNECTION

#define TAWA_DF_NAME(OP)                                                                                               \
  void OP::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getLabel()); }
TAWA_DF_NAME(SpatialDimOp)
TAWA_DF_NAME(CoreOp)
TAWA_DF_NAME(MemoryOp)
TAWA_DF_NAME(InterconnectsOp)
TAWA_DF_NAME(MuxOp)
TAWA_DF_NAME(MatOp)
TAWA_DF_NAME(VecOp)
TAWA_DF_NAME(ScalarOp)
#undef TAWA_DF_NAME

//===--- Verification ---------------------------------------------------------------------------------------------===//

static LogicalResult isPositive(Operation *op, StringRef what, double value, const char *constraint) {
  if (value > 0)
    return success();
  return op->emitOpError() << what << " is " << numberText(value) << ", not positive (" << constraint << ")";
}

static LogicalResult isNotNegative(Operation *op, StringRef what, std::optional<APFloat> value,
                                   const char *constraint) {
  if (!value || !(value->convertToDouble() < 0))
    return success();
  return op->emitOpError() << what << " is " << numberText(value->convertToDouble()) << ", below zero (" << constraint
                           << ")";
}

static LogicalResult isDistinct(Operation *op, ValueRange dims) {
  llvm::SmallPtrSet<Value, 4> seen;
  for (Value dim : dims)
    if (!seen.insert(dim).second)
      return op->emitOpError("is scaled out along one dimension twice (C1)");
  return success();
}

LogicalResult MachineOp::verify() {
  if (failed(isPositive(*this, "the clock", getClock().convertToDouble(), "C1")) ||
      failed(isNotNegative(*this, "'launch'", getLaunch(), "C2")) ||
      failed(isNotNegative(*this, "'message'", getMessage(), "C2")) ||
      failed(isNotNegative(*this, "'semaphore'", getSemaphore(), "C2")))
    return failure();
  for (Operation &part : getBody().front())
    if (!isa<DFDialect>(part.getDialect()))
      return part.emitOpError("is no part of a machine");
  int64_t cores = llvm::range_size(getBody().front().getOps<CoreOp>());
  if (cores != 1)
    return emitOpError() << "has " << cores << " df.core operations, not one (C3)";
  return success();
}

LogicalResult SpatialDimOp::verify() { return isPositive(*this, "its size", static_cast<int64_t>(getSize()), "C1"); }

LogicalResult CoreOp::verify() {
  if (getScaleout().empty())
    return emitOpError("is scaled out along no dimension; a single core has one of size 1 (C1)");
  if (failed(isDistinct(*this, getScaleout())))
    return failure();
  if (getCounts().size() != getScalein().size())
    return emitOpError() << "has " << getScalein().size() << " kinds of units and counts of " << getCounts().size()
                         << " (C2)";
  for (int64_t count : getCounts())
    if (failed(isPositive(*this, "a count of units", count, "C2")))
      return failure();
  return success();
}

LogicalResult MemoryOp::verify() {
  if (failed(isDistinct(*this, getScaleout())) ||
      failed(isPositive(*this, "its size", static_cast<int64_t>(getSize()), "C2")) ||
      failed(isPositive(*this, "its bandwidth", getBandwidth().convertToDouble(), "C2")))
    return failure();
  return isNotNegative(*this, "its latency", getLatency(), "C2");
}

/// Whether the map takes this index to one of an array of these extents.
static bool staysInside(AffineMap map, ArrayRef<int64_t> index, ArrayRef<int64_t> extents) {
  Builder builder(map.getContext());
  auto operands = llvm::map_to_vector(index, [&](int64_t i) -> Attribute { return builder.getI64IntegerAttr(i); });
  SmallVector<int64_t> results;
  bool isPoison = false;
  map.partialConstantFold(operands, &results, &isPoison);
  return !isPoison && results.size() == extents.size() && llvm::all_of(llvm::zip(results, extents), [](auto pair) {
    auto [at, extent] = pair;
    return at >= 0 && at < extent;
  });
}

/// Steps through an array, the last index fastest; false after its end.
static bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> extents) {
  for (size_t dim = index.size(); dim-- > 0;) {
    if (++index[dim] < extents[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

static bool connectsAny(AffineMap map, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> index(from.size(), 0);
  do
    if (staysInside(map, index, to))
      return true;
  while (advance(index, from));
  return false;
}

static LogicalResult verifyMap(Operation *op, AffineMap map, Value from, Value to) {
  SmallVector<int64_t> sender = extentsOf(from), receiver = extentsOf(to);
  if (map.getNumSymbols() != 0)
    return op->emitOpError("has a map with symbols (C1)");
  if (map.getNumDims() != sender.size())
    return op->emitOpError() << "has a map of " << map.getNumDims() << " dimensions, its senders have " << sender.size()
                             << " (C1)";
  if (map.getNumResults() != receiver.size())
    return op->emitOpError() << "has a map with " << map.getNumResults() << " results, its receivers have "
                             << receiver.size() << " dimensions (C1)";
  if (!connectsAny(map, sender, receiver))
    return op->emitOpError("connects nothing: its map leaves the array of receivers everywhere (C3)");
  return success();
}

LogicalResult InterconnectsOp::verify() {
  if (failed(verifyMap(*this, getMap(), getFrom(), getTo())) ||
      failed(isPositive(*this, "its bandwidth", getBandwidth().convertToDouble(), "C2")))
    return failure();
  return isNotNegative(*this, "its hop latency", getHopLatency(), "C2");
}

LogicalResult MuxOp::verify() {
  if (failed(verifyMap(*this, getMap(), getSrcs(), getDst())))
    return failure();
  return isPositive(*this, "its bandwidth", getBandwidth().convertToDouble(), "C2");
}

static LogicalResult verifyUnit(Operation *op, ArrayRef<int64_t> shape, size_t rank, double throughput) {
  if (shape.size() != rank || llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }))
    return op->emitOpError() << "has a shape of " << rank << " positive number" << (rank == 1 ? "" : "s") << ", not ["
                             << shape << "] (C1)";
  return isPositive(op, "its throughput", throughput, "C2");
}

LogicalResult MatOp::verify() { return verifyUnit(*this, getShape(), 3, getThroughput().convertToDouble()); }
LogicalResult VecOp::verify() { return verifyUnit(*this, getShape(), 1, getThroughput().convertToDouble()); }
LogicalResult ScalarOp::verify() { return isPositive(*this, "its latency", getLatency().convertToDouble(), "C1"); }

} // namespace tawa::df
