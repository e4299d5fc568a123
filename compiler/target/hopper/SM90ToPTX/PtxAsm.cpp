// Builds llvm.inline_asm: operand numbers, constraint letters, and the result struct of several outputs.

#include "compiler/target/hopper/SM90ToPTX/PtxAsm.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tawa::sm90 {

/// The NVPTX register class of a type, as a constraint letter.
static const char *registerClass(Type type) {
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  if (isa<LLVM::LLVMPointerType>(type) || type.isInteger(64))
    return "l";
  if (type.isInteger(32))
    return "r";
  if (type.isInteger(16))
    return "h";
  assert(type.isInteger(1) && "no register class for this type");
  return "b";
}

std::string PtxAsm::output(Type type) {
  assert(inputs.empty() && "outputs come first");
  outputs.push_back(type);
  return "$" + std::to_string(outputs.size() - 1);
}

void PtxAsm::tie(unsigned index, Value value) {
  assert(value.getType() == outputs[index] && "a tied input has its output's type");
  inputs.push_back(value);
  inputConstraints.push_back(std::to_string(index));
}

std::string PtxAsm::input(Value value) {
  inputs.push_back(value);
  inputConstraints.push_back(registerClass(value.getType()));
  return "$" + std::to_string(outputs.size() + inputs.size() - 1);
}

std::string PtxAsm::predicate(Value value) { return value ? "@" + input(value) + " " : std::string(); }

Value PtxAsm::create(StringRef text, bool pure) {
  SmallVector<std::string> constraints;
  for (Type type : outputs)
    constraints.push_back(std::string("=") + registerClass(type));
  llvm::append_range(constraints, inputConstraints);
  if (!pure)
    constraints.push_back("~{memory}");
  Type result;
  if (outputs.size() == 1)
    result = outputs[0];
  else if (outputs.size() > 1)
    result = LLVM::LLVMStructType::getLiteral(builder.getContext(), outputs);
  SmallVector<Type, 1> results(result ? 1 : 0, result);
  auto op = builder.create<LLVM::InlineAsmOp>(loc, results, inputs, text, llvm::join(constraints, ","),
                                              /*has_side_effects=*/!pure, /*is_align_stack=*/false,
                                              LLVM::AsmDialectAttr(), ArrayAttr());
  return result ? op.getRes() : Value();
}

SmallVector<Value> PtxAsm::emit(StringRef text, bool pure) {
  Value result = create(text, pure);
  if (outputs.size() <= 1)
    return result ? SmallVector<Value>{result} : SmallVector<Value>{};
  SmallVector<Value> values;
  for (size_t index = 0; index < outputs.size(); ++index)
    values.push_back(builder.create<LLVM::ExtractValueOp>(loc, result, index));
  return values;
}

Value PtxAsm::emitStruct(StringRef text) {
  assert(outputs.size() > 1 && "one output is not a struct");
  return create(text, /*pure=*/false);
}

std::string braced(ArrayRef<std::string> places) { return "{" + llvm::join(places, ", ") + "}"; }

std::string vectorOf(ArrayRef<std::string> places) { return places.size() == 1 ? places[0] : braced(places); }
std::string vectorSuffix(size_t count) { return count > 1 ? ".v" + std::to_string(count) : ""; }

std::string placeList(unsigned first, unsigned count) {
  SmallVector<std::string> places;
  for (unsigned index = 0; index < count; ++index)
    places.push_back("$" + std::to_string(first + index));
  return braced(places);
}

} // namespace tawa::sm90
