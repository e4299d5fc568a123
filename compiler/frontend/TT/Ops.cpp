// Operations of the tt dialect: parsing, builders and effects. Shared grammar is in Grammar.h, verifiers in
// Verify*.cpp, folders in Fold.cpp.
#include "compiler/frontend/TT/Grammar.h"
#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tawa::tt;

#define GET_OP_CLASSES
#include "compiler/frontend/TT/TTOps.cpp.inc"

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

// A volatile load is executed exactly as often as written; the write effect prevents its removal and merging.
void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Calls of what the compiler cannot see into
//===--------------------------------------------------------------------------------------------------------------===//

using EffectList = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

// An operation not declared pure may read and write anything, so it is neither moved nor duplicated.
static void addOpaqueEffects(bool pure, EffectList &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

static Speculation::Speculatability speculatable(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

void ExternElementwiseOp::getEffects(EffectList &effects) { addOpaqueEffects(getPure(), effects); }
Speculation::Speculatability ExternElementwiseOp::getSpeculatability() { return speculatable(getPure()); }

void ElementwiseInlineAsmOp::getEffects(EffectList &effects) { addOpaqueEffects(getPure(), effects); }
Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() { return speculatable(getPure()); }

//===--------------------------------------------------------------------------------------------------------------===//
// tt.dot_scaled
//===--------------------------------------------------------------------------------------------------------------===//

using OperandList = SmallVector<OpAsmParser::UnresolvedOperand>;

// The operands up to the keyword `lhs`, in the order of the text: `%a scale %sa, %b scale %sb, %c` with either scale
// absent, or with commas throughout (Triton 3.2). Which of them are scales, the types say.
static ParseResult parseScaledOperands(OpAsmParser &parser, OperandList &operands) {
  do {
    if (parser.parseOperand(operands.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("scale")) && parser.parseOperand(operands.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

// `lhs = e2m1`
static ParseResult parseScaledSide(OpAsmParser &parser, StringRef name, ScaleDotElemTypeAttr &type) {
  return failure(parser.parseKeyword(name) || parseEnumClause(parser, name, type));
}

ParseResult DotScaledOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  OperandList operands;
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<Type, 2> lhs, rhs;
  if (parseScaledOperands(parser, operands) || parseScaledSide(parser, "lhs", properties.a_elem_type) ||
      parseScaledSide(parser, "rhs", properties.b_elem_type) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonTypeList(lhs) || parser.parseStar() || parser.parseTypeList(rhs) ||
      parser.parseArrowTypeList(result.types))
    return failure();
  if (lhs.size() > 2 || rhs.size() > 2 || result.types.size() != 1 || operands.size() != lhs.size() + rhs.size() + 1)
    return parser.emitError(loc) << "has " << operands.size() << " operands, but types of " << lhs.size()
                                 << " on the left and " << rhs.size() << " on the right";
  auto resolve = [&](size_t index, Type type) { return parser.resolveOperand(operands[index], type, result.operands); };
  if (resolve(0, lhs[0]) || resolve(lhs.size(), rhs[0]) || resolve(operands.size() - 1, result.types[0]) ||
      (lhs.size() == 2 && resolve(1, lhs[1])) || (rhs.size() == 2 && resolve(lhs.size() + 1, rhs[1])))
    return failure();
  bool hasScaleA = lhs.size() == 2, hasScaleB = rhs.size() == 2;
  llvm::copy(ArrayRef<int32_t>{1, 1, 1, hasScaleA, hasScaleB}, properties.operandSegmentSizes.begin());
  return success();
}

void DotScaledOp::print(OpAsmPrinter &printer) {
  auto printSide = [&](Value value, Value scale) {
    printer << " " << value;
    if (scale)
      printer << " scale " << scale;
    printer << ",";
  };
  printSide(getA(), getAScale());
  printSide(getB(), getBScale());
  printer << " " << getC() << " lhs = " << stringifyScaleDotElemType(getAElemType())
          << " rhs = " << stringifyScaleDotElemType(getBElemType());
  SmallVector<StringRef> elided{"operandSegmentSizes", getAElemTypeAttrName(), getBElemTypeAttrName()};
  if (getLhsKPack())
    elided.push_back(getLhsKPackAttrName());
  if (getRhsKPack())
    elided.push_back(getRhsKPackAttrName());
  printer.printOptionalAttrDict((*this)->getAttrs(), elided);
  printer << " : " << getA().getType();
  if (getAScale())
    printer << ", " << getAScale().getType();
  printer << " * " << getB().getType();
  if (getBScale())
    printer << ", " << getBScale().getType();
  printer << " -> " << getType();
}

//===--------------------------------------------------------------------------------------------------------------===//
// tt.reduce, tt.scan
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

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int32_t axis, bool reverse) {
  state.addOperands(srcs);
  state.addAttribute(getAxisAttrName(state.name), builder.getI32IntegerAttr(axis));
  state.addAttribute(getReverseAttrName(state.name), builder.getBoolAttr(reverse));
  state.addTypes(TypeRange(srcs));
  state.addRegion();
}

} // namespace tawa::tt
