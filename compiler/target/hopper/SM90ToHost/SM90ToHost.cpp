// The pass tawa-sm90-to-host: kernel signature, parameter loads, and the steps around the dialect conversion. The
// operations are lowered in Lower<Topic>.cpp.

#include "compiler/target/hopper/SM90ToHost/SM90ToHost.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90ToHost/HostLowering.h"
#include "compiler/target/hopper/SM90ToHost/Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tawa-sm90-to-host"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SM90TOHOST
#include "compiler/target/hopper/SM90ToHost/Passes.h.inc"
} // namespace tawa

namespace tawa::sm90 {
namespace {

/// A kernel's func.func becomes `void @entry(ptr %thread, ptr %params)`.
struct LowerKernel : ConvertOpToLLVMPattern<func::FuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(func::FuncOp kernel, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    if (failed(readKernelInfo(kernel)))
      return failure();
    auto pointer = LLVM::LLVMPointerType::get(getContext());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()), {pointer, pointer});
    auto lowered = rewriter.create<LLVM::LLVMFuncOp>(kernel.getLoc(), kernel.getSymName(), type);
    lowered.setNoUnwind(true);
    Block *entry = lowered.addEntryBlock(rewriter);
    rewriter.setInsertionPointToStart(entry);
    SmallVector<Value> arguments = loadArguments(kernel, lowered.getArgument(1), rewriter);
    Block *body = &kernel.getBody().front();
    rewriter.inlineRegionBefore(kernel.getBody(), lowered.getBody(), lowered.end());
    rewriter.mergeBlocks(body, entry, arguments);
    if (failed(rewriter.convertRegionTypes(&lowered.getBody(), *getTypeConverter())))
      return failure();
    rewriter.eraseOp(kernel);
    return success();
  }

  /// PTX .param layout: every argument at the next place of its alignment. A tensor map stays where it is.
  SmallVector<Value> loadArguments(func::FuncOp kernel, Value params, OpBuilder &builder) const {
    SmallVector<Value> values;
    uint64_t offset = 0;
    for (Type argument : kernel.getArgumentTypes()) {
      ParamLayout layout = *paramLayout(argument);
      offset = llvm::alignTo(offset, layout.alignment);
      Value place = builder.create<LLVM::GEPOp>(kernel.getLoc(), params.getType(), builder.getI8Type(), params,
                                                ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
      if (!isa<TensorMapType>(argument))
        place = builder.create<LLVM::LoadOp>(kernel.getLoc(), getTypeConverter()->convertType(argument), place);
      values.push_back(place);
      offset += layout.bytes;
    }
    return values;
  }
};

void addFragmentTypes(LLVMTypeConverter &types) {
  types.addConversion([](InflightType type) { return LLVM::LLVMPointerType::get(type.getContext()); });
  types.addConversion([](AccumulatorType type) { return fragmentStruct(type); });
  types.addConversion([](TensorMapType type) { return LLVM::LLVMPointerType::get(type.getContext()); });
}

LogicalResult refuseAssembly(ModuleOp module, StringRef passName, PassCounter &refused) {
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<LLVM::InlineAsmOp, InlineAsmOp>(op))
      return WalkResult::advance();
    refused.at(op);
    op->emitError() << passName << ": '" << op->getName() << "' has no meaning on the host";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct SM90ToHost : impl::SM90ToHostBase<SM90ToHost> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkMachineModule(module, getArgumentName())) ||
        failed(refuseAssembly(module, getArgumentName(), refused)))
      return signalPassFailure();
    expandPredicates(module);
    if (failed(flattenControlFlow(module)))
      return signalPassFailure();
    LLVMTypeConverter types(&getContext());
    addFragmentTypes(types);
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerKernel>(types);
    addLowerings<HostLowering>(AllOps(), types, patterns);
    module.walk([&](Operation *op) { lowered += isa<SM90Dialect>(op->getDialect()); });
    declareEmulator(module);
    if (failed(convertToLLVM(module, types, std::move(patterns))))
      return signalPassFailure();
    for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
      if (!kernel.isExternal()) {
        countBackEdges(kernel);
        makeDivisionsTotal(kernel);
      }
    pruneEmulator(module);
  }
};

} // namespace
} // namespace tawa::sm90

namespace tawa {

void buildSM90ToLLVMHost(OpPassManager &passes) {
  passes.addPass(createSM90ToHost());
  passes.addPass(createCanonicalizerPass());
}

} // namespace tawa
