// InlineAsm.cpp: tt.elementwise_inline_asm. The text runs once for each `packed_element` elements. Elements of less
// than 32 bits share a register as far as there are enough of them, wider ones have one each; a register has the type
// of its constraint. An input whose constraint is "n" is a constant and stands in the text as a number. Only PTX can
// execute the text: the host back end refuses it.
#include "compiler/target/hopper/TawaToSM90/InlineAsm.h"
#include "compiler/frontend/text/InlinePtx.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tawa {

namespace {

/// Registers named by the constraints: outputs, then inputs; clobbers are ignored.
struct Constraints {
  SmallVector<char> outputs, inputs;
};

Constraints parse(StringRef text) {
  Constraints result;
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    part = part.trim();
    if (part.starts_with("~"))
      continue;
    bool isOutput = part.consume_front("=");
    part = part.ltrim("&+%");
    unsigned tied;
    if (!part.getAsInteger(10, tied) && tied < result.outputs.size())
      result.inputs.push_back(result.outputs[tied]);
    else
      (isOutput ? result.outputs : result.inputs).push_back(part.empty() ? '?' : part.front());
  }
  return result;
}

constexpr char kImmediate = 'n';

/// The type of a register of NVPTX's constraint letters, for values of that type; null for a letter that is none.
Type registerType(OpBuilder &builder, char letter, Type element) {
  switch (letter) {
  case kImmediate:
    return builder.getIntegerType(storageBits(element));
  case 'b':
    return builder.getI1Type();
  case 'c':
    return builder.getI8Type();
  case 'h':
    return builder.getI16Type();
  case 'r':
    return builder.getI32Type();
  case 'l':
  case 'N':
    return builder.getI64Type();
  case 'f':
    return builder.getF32Type();
  case 'd':
    return builder.getF64Type();
  default:
    return {};
  }
}

/// Elements per register of a text that takes `packed` elements at a time.
unsigned elementsPerRegister(Type machineElement, unsigned packed) {
  unsigned bits = storageBits(machineElement);
  return bits >= 32 ? 1 : std::min(packed, 32 / bits);
}

} // namespace

/// Bits in a register of that type, zeros above.
static Value toRegister(OpBuilder &builder, Location loc, Value bits, Type type) {
  unsigned have = bits.getType().getIntOrFloatBitWidth(), need = type.getIntOrFloatBitWidth();
  Type plain = builder.getIntegerType(need);
  if (have < need)
    bits = builder.create<arith::ExtUIOp>(loc, plain, bits);
  if (have > need)
    bits = builder.create<arith::TruncIOp>(loc, plain, bits);
  return type == plain ? bits : builder.create<arith::BitcastOp>(loc, type, bits).getResult();
}

/// The register types of some values, in order, as given by their constraints; none where they do not match.
static std::optional<SmallVector<Type>> registerTypes(OpBuilder &builder, ArrayRef<char> letters,
                                                      ArrayRef<Type> machineElements, unsigned packed) {
  SmallVector<Type> types;
  for (Type element : machineElements)
    for (unsigned i = 0; i < packed; i += elementsPerRegister(element, packed)) {
      Type type = types.size() < letters.size() ? registerType(builder, letters[types.size()], element) : Type();
      if (!type)
        return std::nullopt;
      types.push_back(type);
    }
  return types;
}

/// The operands of one run. A thread with fewer elements than it takes passes some of them twice.
Values InlineAsmEmitter::packOperands(Location loc, ArrayRef<Values> operands, ArrayRef<Type> types, size_t first,
                                      unsigned packed) {
  Values inputs;
  for (const Values &operand : operands) {
    unsigned together = elementsPerRegister(operand.front().getType(), packed);
    for (unsigned i = 0; i < packed; i += together) {
      Values elements;
      for (unsigned j = 0; j < together; ++j)
        elements.push_back(operand[(first + i + j) % operand.size()]);
      Value bits = together == 1 ? builder.toBits(loc, elements.front()) : builder.packWords(loc, elements).front();
      inputs.push_back(toRegister(builder, loc, bits, types[inputs.size()]));
    }
  }
  return inputs;
}

/// Fails where an immediate is not a constant.
static LogicalResult checkImmediates(tt::ElementwiseInlineAsmOp op, ArrayRef<char> letters, ValueRange inputs) {
  for (auto [index, letter, input] : llvm::enumerate(letters, inputs))
    if (letter == kImmediate && !matchPattern(input, m_Constant()))
      return op.emitOpError() << "constraint 'n' of operand " << index
                              << " wants a constant, and this one is computed; 'r' takes it in a register";
  return success();
}

void InlineAsmEmitter::unpackResults(Location loc, ValueRange registers, ArrayRef<Type> elements, unsigned packed,
                                     MutableArrayRef<Values> results) {
  for (auto [element, result] : llvm::zip(elements, results)) {
    unsigned together = elementsPerRegister(element, packed);
    Type word = builder.getIntegerType(storageBits(element) * together);
    for (unsigned i = 0; i < packed; i += together) {
      Value bits = toRegister(builder, loc, builder.toBits(loc, registers.front()), word);
      llvm::append_range(result, builder.unpackWords(loc, bits, element, together));
      registers = registers.drop_front();
    }
  }
}

LogicalResult InlineAsmEmitter::lower(tt::ElementwiseInlineAsmOp op) {
  Location loc = op.getLoc();
  Result<std::string> text = readInlinePtx(op.getAsmString(), op.getConstraints());
  if (!text)
    return op.emitOpError() << text.status().message();
  Constraints constraints = parse(op.getConstraints());
  unsigned packed = op.getPackedElement();
  SmallVector<Values> operands, results(op.getNumResults());
  SmallVector<Type> operandElements, resultElements;
  size_t count = 1;
  for (Value operand : op.getArgs()) {
    operands.push_back(values.lookup(operand));
    operandElements.push_back(operands.back().front().getType());
    count = std::max(count, operands.back().size());
  }
  for (Value result : op.getResults()) {
    resultElements.push_back(builder.machineType(getElementTypeOrSelf(result.getType())));
    if (ws::LinearAttr layout = ws::layoutOf(result.getType()))
      count = std::max<size_t>(count, layout.getLayout().inSize("register"));
  }
  auto inputs = registerTypes(builder, constraints.inputs, operandElements, packed);
  auto outputs = registerTypes(builder, constraints.outputs, resultElements, packed);
  if (!inputs || !outputs)
    return op.emitOpError() << "constraints '" << op.getConstraints()
                            << "' do not name a register for each operand and result";
  for (size_t first = 0; first < count; first += packed) {
    Values arguments = packOperands(loc, operands, *inputs, first, packed);
    if (failed(checkImmediates(op, constraints.inputs, arguments)))
      return failure();
    auto statement =
        builder.create<sm90::InlineAsmOp>(loc, *outputs, *text, op.getConstraints(), arguments, op.getPure());
    unpackResults(loc, statement.getResults(), resultElements, packed, results);
  }
  for (auto [result, registers] : llvm::zip(op.getResults(), results)) {
    registers.truncate(ws::layoutOf(result.getType()) ? count : 1);
    values[result] = std::move(registers);
  }
  return success();
}

} // namespace tawa
