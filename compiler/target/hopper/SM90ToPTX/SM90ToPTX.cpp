// The pass tawa-sm90-to-ptx: kernel signature, dynamic shared memory and the dialect conversion. The operations are
// lowered in Lower<Topic>.cpp.

#include "compiler/target/hopper/SM90ToPTX/SM90ToPTX.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#define DEBUG_TYPE "tawa-sm90-to-ptx"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SM90TOPTX
#include "compiler/target/hopper/SM90ToPTX/Passes.h.inc"
} // namespace tawa

namespace tawa::sm90 {
namespace {

/// Converts a kernel's func.func to an llvm.func with the attributes that NVPTX needs.
struct LowerKernel : ConvertOpToLLVMPattern<func::FuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(func::FuncOp kernel, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    FailureOr<KernelInfo> info = readKernelInfo(kernel);
    TypeConverter::SignatureConversion signature(kernel.getNumArguments());
    if (failed(info) || failed(getTypeConverter()->convertSignatureArgs(kernel.getArgumentTypes(), signature)))
      return failure();
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()), signature.getConvertedTypes());
    auto lowered = rewriter.create<LLVM::LLVMFuncOp>(kernel.getLoc(), kernel.getSymName(), type);
    setAttributes(lowered, *info, rewriter);
    for (auto [index, argument] : llvm::enumerate(kernel.getArgumentTypes()))
      if (isa<TensorMapType>(argument))
        setTensorMapAttributes(lowered, index, rewriter);
    rewriter.inlineRegionBefore(kernel.getBody(), lowered.getBody(), lowered.end());
    if (failed(rewriter.convertRegionTypes(&lowered.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(kernel);
    return success();
  }

  /// setmaxnreg requires a known register count at entry. From the thread count alone ptxas 13.0 derives it only for
  /// kernels that need many registers anyway; the others it compiles to fewer and then ignores setmaxnreg (notice
  /// C7508).
  static void setAttributes(LLVM::LLVMFuncOp lowered, const KernelInfo &info, OpBuilder &builder) {
    lowered->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    lowered->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                     builder.getDenseI32ArrayAttr({static_cast<int32_t>(info.threads), 1, 1}));
    if (info.entryRegisters)
      lowered->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(), builder.getI32IntegerAttr(*info.entryRegisters));
  }

  static void setTensorMapAttributes(LLVM::LLVMFuncOp lowered, unsigned index, OpBuilder &builder) {
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 128);
    lowered.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    lowered.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(64));
    lowered.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
  }
};

/// A sum or product that must not be fused, although LLVM's own may be (EmitPtx.cpp): its rounding is explicit.
template <typename Op> struct LowerExact : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor in, ConversionPatternRewriter &rewriter) const override {
    if (arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::contract))
      return failure();
    Location loc = op.getLoc();
    Type type = op.getType(), carrier = type.getIntOrFloatBitWidth() == 16 ? rewriter.getI16Type() : type;
    auto as = [&](Type wanted, Value value) -> Value {
      return value.getType() == wanted ? value : rewriter.create<LLVM::BitcastOp>(loc, wanted, value).getResult();
    };
    PtxAsm text(rewriter, loc);
    std::string result = text.output(carrier);
    std::string lhs = text.input(as(carrier, in.getLhs()));
    std::string rhs = text.input(as(carrier, in.getRhs()));
    bool needsFma = type.isBF16() && !hasFeature(op, Feature::Bf16Arithmetic);
    std::string statement = needsFma ? fma(result, lhs, rhs) : plain(type, result, lhs, rhs);
    SmallVector<Value> sum = text.emit(statement, /*pure=*/true);
    rewriter.replaceOp(op, as(type, sum.front()));
    return success();
  }

  static std::string plain(Type type, const std::string &result, const std::string &lhs, const std::string &rhs) {
    const char *name = isSum ? "add" : isDifference ? "sub" : "mul";
    const char *suffix = type.isF16() ? "f16" : type.isBF16() ? "bf16" : type.isF32() ? "f32" : "f64";
    return std::string(name) + ".rn." + suffix + " " + result + ", " + lhs + ", " + rhs + ";";
  }

  /// lhs * 1 + rhs, rhs * -1 + lhs or lhs * rhs + -0, each of which rounds once and keeps the sign of zero.
  static std::string fma(const std::string &result, const std::string &lhs, const std::string &rhs) {
    const char *constant = isSum ? "0x3f80" : isDifference ? "0xbf80" : "0x8000"; // 1, -1, -0 in bf16
    std::string operands = isSum          ? lhs + ", constant, " + rhs
                           : isDifference ? rhs + ", constant, " + lhs
                                          : lhs + ", " + rhs + ", constant";
    return std::string("{\n.reg .b16 constant;\nmov.b16 constant, ") + constant + ";\nfma.rn.bf16 " + result + ", " +
           operands + ";\n}";
  }

  static constexpr bool isSum = std::is_same_v<Op, arith::AddFOp>, isDifference = std::is_same_v<Op, arith::SubFOp>;
};

void addFragmentTypes(LLVMTypeConverter &types) {
  types.addConversion([](InflightType type) { return fragmentStruct(type); });
  types.addConversion([](AccumulatorType type) { return fragmentStruct(type); });
  types.addConversion([](TensorMapType type) { return LLVM::LLVMPointerType::get(type.getContext()); });
}

/// The array that every kernel's dynamic shared memory begins at.
void declareSharedMemory(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  builder.create<LLVM::GlobalOp>(module.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External, kSharedSymbol,
                                 Attribute(), /*alignment=*/1024, /*addrSpace=*/3);
}

struct SM90ToPTX : impl::SM90ToPTXBase<SM90ToPTX> {
  /// The assembler refuses a wgmma whose sums a thread cannot hold before roles share registers out.
  static LogicalResult checkSums(ModuleOp module) {
    WalkResult result = module.walk([](Operation *op) {
      auto type = isa<WgmmaOp, WgmmaRsOp>(op) ? cast<InflightType>(op->getResult(0).getType()) : InflightType();
      auto entry = type ? kEntryRegistersAttr.get(op->getParentOfType<FunctionOpInterface>()) : std::nullopt;
      if (!entry || fitsRegisters(RegisterQuestion::SumsAtEntry, type.getNumRegisters(), *entry))
        return WalkResult::advance();
      op->emitError() << "a product of " << type.getN() << " columns has " << type.getNumRegisters()
                      << " sums in each thread, which begins with " << *entry
                      << " registers; use tiles of fewer columns, fewer consumers or a smaller ctas";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkMachineModule(module, getArgumentName())))
      return signalPassFailure();
    expandDiagnostics(module);
    if (failed(checkSums(module)) || failed(flattenControlFlow(module)))
      return signalPassFailure();
    chainWgmmas(module);
    joinWgmmas(module);
    joinedWaits += joinWaits(module);
    module.walk([&](WgmmaOp product) {
      bool isJoined = kJoinedAttr.on(product), isChained = kContinuedAttr.on(product);
      (isJoined ? joined : isChained ? chained : kept).at(product);
    });
    LLVMTypeConverter types(&getContext());
    addFragmentTypes(types);
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerKernel>(types);
    PatternBenefit beforeUsual = 2;
    patterns.add<LowerExact<arith::AddFOp>, LowerExact<arith::SubFOp>, LowerExact<arith::MulFOp>>(types, beforeUsual);
    addLowerings<PtxLowering>(AllOps(), types, patterns);
    module.walk([&](Operation *op) { lowered += isa<SM90Dialect>(op->getDialect()); });
    declareSharedMemory(module);
    if (failed(convertToLLVM(module, types, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tawa::sm90

namespace tawa {

void buildSM90ToLLVMPTX(OpPassManager &passes) {
  passes.addPass(createSM90ToPTX());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

} // namespace tawa
