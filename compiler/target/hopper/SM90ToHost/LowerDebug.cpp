// Host form of OpsDebug.td.

#include "compiler/target/hopper/SM90ToHost/HostLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// The address of a zero-terminated constant.
Value HostLowering::textConstant(StringRef text) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string bytes = text.str() + '\0', name;
  for (unsigned number = 0; name.empty() || module.lookupSymbol(name); ++number)
    name = "tawa_text" + std::to_string(number);
  OpBuilder::InsertionGuard guard(builder);
  Block::iterator here = builder.getInsertionPoint();
  Block *block = builder.getInsertionBlock();
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  builder.create<LLVM::GlobalOp>(loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                 builder.getStringAttr(bytes));
  builder.setInsertionPoint(block, here);
  return builder.create<LLVM::AddressOfOp>(loc, LLVM::LLVMPointerType::get(builder.getContext()), name);
}

HostLowering::Values HostLowering::lower(AssertOp op, AssertOp::Adaptor in) {
  Value holds = builder.create<LLVM::ZExtOp>(loc, builder.getI32Type(), in.getCondition());
  return callVoid(EmuFn::check, {holds, textConstant(op.getMessage())});
}

/// The values are passed as an array of 64-bit words, followed by words with their types.
HostLowering::Values HostLowering::lower(PrintOp op, PrintOp::Adaptor in) {
  size_t count = in.getValues().size();
  Value words = stackWords(static_cast<int64_t>(4 * std::max<size_t>(count, 1)));
  Values contents;
  for (Value value : in.getValues())
    contents.push_back(toBits(value));
  for (Value value : in.getValues())
    contents.push_back(constant(static_cast<int64_t>(elementTypeOf(value.getType())), 64));
  storeTo(words, contents);
  return callVoid(EmuFn::print, {textConstant(op.getText()), constant(op.getHex()), constant(count), words});
}

/// Unreachable: the pass refuses kernels with inline PTX before anything is lowered.
HostLowering::Values HostLowering::lower(InlineAsmOp op, InlineAsmOp::Adaptor) {
  Values values;
  for (Type type : op.getResultTypes())
    values.push_back(builder.create<LLVM::PoisonOp>(loc, type));
  return values;
}

} // namespace tawa::sm90
