// PTX of OpsDebug.td. Printing is a call of vprintf, which the driver provides, with a format and a buffer of
// arguments, each naturally aligned and promoted as in C.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tawa::sm90 {

//===--- Branches -------------------------------------------------------------------------------------------------===//

static void expandAssert(AssertOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value always = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  Value failed = builder.create<arith::XOrIOp>(loc, op.getCondition(), always);
  auto branch = builder.create<scf::IfOp>(loc, failed, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  std::string text = "assertion failed: " + op.getMessage().str();
  builder.create<PrintOp>(loc, builder.getStringAttr(text), ValueRange(), Value(), UnitAttr());
  builder.create<TrapOp>(loc);
  op.erase();
}

static void expandPrint(PrintOp op) {
  OpBuilder builder(op);
  auto branch = builder.create<scf::IfOp>(op.getLoc(), op.getPredicate(), /*withElseRegion=*/false);
  op.getPredicateMutable().clear();
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
}

void expandDiagnostics(ModuleOp module) {
  SmallVector<AssertOp> asserts;
  SmallVector<PrintOp> prints;
  module.walk([&](AssertOp op) { asserts.push_back(op); });
  module.walk([&](PrintOp op) {
    if (op.getPredicate())
      prints.push_back(op);
  });
  llvm::for_each(asserts, expandAssert);
  llvm::for_each(prints, expandPrint);
}

PtxLowering::Values PtxLowering::lower(AssertOp, AssertOp::Adaptor) {
  llvm_unreachable("expandDiagnostics has replaced asserts");
}

//===--- Printing -------------------------------------------------------------------------------------------------===//

static ModuleOp moduleAround(OpBuilder &builder) {
  return builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
}

/// A symbol not in use yet.
static std::string freshName(ModuleOp module, StringRef stem) {
  for (unsigned number = 0;; ++number)
    if (std::string name = (stem + Twine(number)).str(); !module.lookupSymbol(name))
      return name;
}

Value PtxLowering::stringConstant(StringRef text) {
  ModuleOp module = moduleAround(builder);
  std::string bytes = text.str() + '\0', name = freshName(module, "tawa_text");
  constexpr unsigned kGlobalSpace = 1;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    builder.create<LLVM::GlobalOp>(loc, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                                   /*isConstant=*/true, LLVM::Linkage::Internal, name, builder.getStringAttr(bytes),
                                   /*alignment=*/1, kGlobalSpace);
  }
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace);
  Value address = builder.create<LLVM::AddressOfOp>(loc, pointer, name);
  return builder.create<LLVM::AddrSpaceCastOp>(loc, LLVM::LLVMPointerType::get(builder.getContext()), address);
}

static LLVM::LLVMFuncOp vprintfOf(OpBuilder &builder) {
  ModuleOp module = moduleAround(builder);
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>("vprintf"))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return builder.create<LLVM::LLVMFuncOp>(module.getLoc(), "vprintf",
                                          LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer}));
}

/// The value as C passes it to a variadic function, and its printf conversion.
static std::pair<Value, std::string> promote(OpBuilder &builder, Location loc, Value value, bool hex) {
  Type type = value.getType();
  if (isa<FloatType>(type))
    return {type.isF64() ? value : builder.create<LLVM::FPExtOp>(loc, builder.getF64Type(), value), "%g"};
  if (type.isInteger(64))
    return {value, hex ? "0x%llx" : "%lld"};
  if (type.isInteger(32))
    return {value, hex ? "0x%x" : "%d"};
  Type word = builder.getI32Type();
  return {hex ? builder.create<LLVM::ZExtOp>(loc, word, value).getResult()
              : builder.create<LLVM::SExtOp>(loc, word, value).getResult(),
          hex ? "0x%x" : "%d"};
}

static std::string escapePercent(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '%' ? std::string("%%") : std::string(1, c);
  return result;
}

PtxLowering::Values PtxLowering::lower(PrintOp op, PrintOp::Adaptor in) {
  Values arguments;
  for (const char *name : {"ctaid.x", "ctaid.y", "ctaid.z", "tid.x"})
    arguments.push_back(builder
                            .create<LLVM::CallIntrinsicOp>(loc, builder.getI32Type(),
                                                           StringRef(("llvm.nvvm.read.ptx.sreg." + Twine(name)).str()),
                                                           ValueRange{})
                            .getResults());
  std::string format = "CTA (%d,%d,%d) thread %d: " + escapePercent(op.getText());
  for (Value value : in.getValues()) {
    auto [promoted, specifier] = promote(builder, loc, value, op.getHex());
    arguments.push_back(promoted);
    format += " " + specifier;
  }
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), llvm::to_vector(ValueRange(arguments).getTypes()));
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value buffer = builder.create<LLVM::AllocaOp>(loc, pointer, type, word(1), /*alignment=*/8);
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value place =
        builder.create<LLVM::GEPOp>(loc, pointer, type, buffer, ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    builder.create<LLVM::StoreOp>(loc, argument, place);
  }
  builder.create<LLVM::CallOp>(loc, vprintfOf(builder), ValueRange{stringConstant(format + "\n"), buffer});
  return {};
}

//===--- PTX of the kernel's own ----------------------------------------------------------------------------------===//

PtxLowering::Values PtxLowering::lower(InlineAsmOp op, InlineAsmOp::Adaptor in) {
  SmallVector<Type> results(op.getResultTypes());
  Type type = results.size() > 1 ? Type(LLVM::LLVMStructType::getLiteral(builder.getContext(), results))
              : results.empty()  ? Type()
                                 : results[0];
  auto statement =
      builder.create<LLVM::InlineAsmOp>(loc, type ? TypeRange(type) : TypeRange(), in.getOperands(), op.getText(),
                                        op.getConstraints(), /*has_side_effects=*/!op.getPure(),
                                        /*is_align_stack=*/false, LLVM::AsmDialectAttr(), ArrayAttr());
  if (results.empty())
    return {};
  return results.size() == 1 ? Values{statement.getRes()} : unpackStruct(builder, loc, statement.getRes());
}

} // namespace tawa::sm90
