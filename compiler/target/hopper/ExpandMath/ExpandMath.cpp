// The pass tawa-expand-math. It first collects the operations to replace, with their original types; then it turns all
// FP8 values into bits; then it replaces each operation in place. Code emitted by a replacement is not expanded again.

#include "compiler/target/hopper/ExpandMath/ExpandMath.h"
#include "compiler/analysis/OperationLimit.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/ExpandMath/Operations.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "tawa-expand-math"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_EXPANDMATH
#include "compiler/target/hopper/ExpandMath/Passes.h.inc"
} // namespace tawa

namespace tawa::math {
namespace {

bool isFp8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

LogicalResult collect(ModuleOp module, SmallVector<Site> &sites) {
  WalkResult result = module.walk([&](Operation *op) {
    if (findExpansion(op)) {
      sites.push_back({op, SmallVector<Type>(op->getOperandTypes()), op->getResult(0).getType()});
      return WalkResult::advance();
    }
    if (op->getName().getDialectNamespace() != "math")
      return WalkResult::advance();
    op->emitOpError("is a function that Tawa does not have; compute it from others");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// FP8 values become i8 with the same bits, constants included.
void storeFp8AsBits(ModuleOp module) {
  Type byte = IntegerType::get(module.getContext(), 8);
  auto change = [&](Value value) {
    if (isFp8(value.getType()))
      value.setType(byte);
  };
  module.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto value = dyn_cast<FloatAttr>(constant.getValue()); value && isFp8(value.getType()))
        constant.setValueAttr(IntegerAttr::get(byte, value.getValue().bitcastToAPInt()));
    llvm::for_each(op->getResults(), change);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), change);
  });
}

LogicalResult replace(const Site &site, OpBuilder &builder, ModuleOp module) {
  builder.setInsertionPoint(site.op);
  Code code{builder, site.op->getLoc(), module};
  FailureOr<Value> value = findExpansion(site.op)(site, code);
  if (failed(value))
    return failure();
  if (*value) {
    site.op->getResult(0).replaceAllUsesWith(*value);
    site.op->erase();
  }
  return success();
}

/// One function of the text is up to some hundred operations.
LogicalResult keepLimit(Operation *site, uint64_t count) {
  auto kernel = site->getParentOfType<FunctionOpInterface>();
  return checkOperationCount(site, kernel.getName(), count, "with its functions written out up to here",
                             kLessForAThread);
}

/// Whether the number comes from a lane that gets one in return, looking through operations that split words. A tile
/// that changes its layout is read from any lane (idx).
bool isExchanged(Value value) {
  Operation *op = value.getDefiningOp();
  while (
      isa_and_nonnull<arith::BitcastOp, arith::TruncIOp, arith::ExtUIOp, arith::ShRUIOp, arith::ShLIOp, arith::OrIOp>(
          op))
    op = op->getOperand(0).getDefiningOp();
  auto shuffle = dyn_cast_or_null<sm90::ShuffleOp>(op);
  return shuffle && shuffle.getMode() != sm90::ShuffleMode::Idx;
}

/// Allows fused multiply-adds in the kernel's own sums of products. Code of an expanded function must round as written,
/// and so must sums of values that two lanes exchange: each lane receives the other's rounded product, and both must
/// compute the same bits.
void allowContraction(ModuleOp module, PassCounter &contracted, PassCounter &kept) {
  module.walk([&](Operation *op) {
    auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
    if (!fast || !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
      return;
    if (llvm::any_of(op->getOperands(), isExchanged))
      return kept.at(op);
    ++contracted;
    arith::FastMathFlags flags = fast.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
    op->setAttr(fast.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
  });
}

struct ExpandMath : impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    allowContraction(getOperation(), contracted, kept);
    SmallVector<Site> sites;
    if (failed(collect(getOperation(), sites)))
      return signalPassFailure();
    storeFp8AsBits(getOperation());
    OperationCounter made;
    OpBuilder builder(&getContext(), &made);
    uint64_t before = countOperations(getOperation());
    for (const Site &site : sites) {
      expanded.because(site.op, site.op->getName().getStringRef());
      if (failed(keepLimit(site.op, before + made.count)) || failed(replace(site, builder, getOperation())))
        return signalPassFailure();
    }
  }
};

} // namespace
} // namespace tawa::math
