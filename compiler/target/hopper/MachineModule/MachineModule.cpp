// Checks a machine-phase module and lowers the part that is common to both back ends.

#include "compiler/target/hopper/MachineModule/MachineModule.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa::sm90 {

static bool belongs(Operation *op) {
  if (isa<func::FuncOp, func::ReturnOp, ModuleOp>(op))
    return true;
  Dialect *dialect = op->getDialect();
  return op->isRegistered() && dialect &&
         isa<SM90Dialect, arith::ArithDialect, scf::SCFDialect, cf::ControlFlowDialect, LLVM::LLVMDialect>(dialect);
}

LogicalResult checkMachineModule(ModuleOp module, StringRef passName) {
  WalkResult result = module.walk([&](Operation *op) {
    if (!belongs(op)) {
      op->emitError() << passName << ": '" << op->getName()
                      << "' does not belong to the machine phase (func, scf, cf, arith, scalar llvm and sm90)";
      return WalkResult::interrupt();
    }
    auto function = dyn_cast<func::FuncOp>(op);
    if (function && (!isKernel(function) || function.isExternal())) {
      function.emitError() << passName << ": 'func.func' @" << function.getSymName() << " is not a kernel with a body";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult flattenControlFlow(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

namespace {
struct LowerReturn : ConvertOpToLLVMPattern<func::ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor operands,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, operands.getOperands());
    return success();
  }
};
} // namespace

LogicalResult convertToLLVM(ModuleOp module, LLVMTypeConverter &types, RewritePatternSet &&patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  patterns.add<LowerReturn>(types);
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

Type fragmentStruct(Type fragment) {
  return LLVM::LLVMStructType::getLiteral(fragment.getContext(), registerTypes(fragment));
}

Value packStruct(OpBuilder &builder, Location loc, Type type, ValueRange fields) {
  Value result = builder.create<LLVM::UndefOp>(loc, type);
  for (auto [index, field] : llvm::enumerate(fields))
    result = builder.create<LLVM::InsertValueOp>(loc, result, field, index);
  return result;
}

SmallVector<Value> unpackStruct(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Value> fields;
  for (size_t index = 0, count = cast<LLVM::LLVMStructType>(value.getType()).getBody().size(); index < count; ++index)
    fields.push_back(builder.create<LLVM::ExtractValueOp>(loc, value, index));
  return fields;
}

} // namespace tawa::sm90
