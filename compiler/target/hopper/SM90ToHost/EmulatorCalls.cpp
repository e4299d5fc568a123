// Declares and calls the emulator's functions from their one-line descriptions in EmulatorAbi.def.

#include "compiler/target/hopper/SM90ToHost/EmulatorCalls.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tawa::sm90 {
namespace {

struct Entry {
  StringLiteral symbol;
  char result;
  StringLiteral parameters; ///< As written: "(i address, i count)".
};

constexpr Entry kEntries[] = {
#define TAWA_EMU_FN(name, result, parameters) {"tawa_emu_" #name, #result[0], #parameters},
#include "runtime/emulator/EmulatorAbi.def"
#undef TAWA_EMU_FN
};

const Entry &entryOf(EmuFn function) { return kEntries[static_cast<unsigned>(function)]; }

Type typeOf(MLIRContext *context, char letter) {
  switch (letter) {
  case 'i':
    return IntegerType::get(context, 32);
  case 'l':
    return IntegerType::get(context, 64);
  case 'f':
    return Float32Type::get(context);
  case 'p':
    return LLVM::LLVMPointerType::get(context);
  default:
    assert(letter == 'v' && "unknown letter in EmulatorAbi.def");
    return LLVM::LLVMVoidType::get(context);
  }
}

LLVM::LLVMFunctionType signatureOf(MLIRContext *context, const Entry &entry) {
  SmallVector<Type> types{LLVM::LLVMPointerType::get(context)};
  SmallVector<StringRef> parameters;
  entry.parameters.drop_front().drop_back().split(parameters, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef parameter : parameters)
    types.push_back(typeOf(context, parameter.trim().front()));
  return LLVM::LLVMFunctionType::get(typeOf(context, entry.result), types);
}

} // namespace

// Convergent: a blocking call must not be moved into one side of a branch, however pure its arguments look. The
// functions never unwind; apart from that they may have any effect, so no other attribute is set.
void declareEmulator(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (const Entry &entry : kEntries) {
    auto function =
        builder.create<LLVM::LLVMFuncOp>(module.getLoc(), entry.symbol, signatureOf(module.getContext(), entry));
    function.setConvergent(true);
    function.setNoUnwind(true);
  }
}

void pruneEmulator(ModuleOp module) {
  for (const Entry &entry : kEntries) {
    Operation *function = module.lookupSymbol(entry.symbol);
    if (function && SymbolTable::symbolKnownUseEmpty(function, module))
      function->erase();
  }
}

Value currentThread(OpBuilder &builder) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<LLVM::LLVMFuncOp>(parent);
  if (!kernel)
    kernel = parent->getParentOfType<LLVM::LLVMFuncOp>();
  return kernel.getArgument(0);
}

Value callEmulator(OpBuilder &builder, Location loc, EmuFn function, ValueRange arguments) {
  const Entry &entry = entryOf(function);
  LLVM::LLVMFunctionType type = signatureOf(builder.getContext(), entry);
  SmallVector<Value> operands{currentThread(builder)};
  llvm::append_range(operands, arguments);
  assert(llvm::equal(ValueRange(operands).getTypes(), type.getParams()) && "arguments do not fit EmulatorAbi.def");
  auto call = builder.create<LLVM::CallOp>(loc, type, entry.symbol, operands);
  return call->getNumResults() ? call.getResult() : Value();
}

} // namespace tawa::sm90
