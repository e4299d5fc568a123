// SpecializeArguments: bind printed parameters to logical arguments, fold the constant ones, widen truth values.
//
//   tt.func @k(%n: i32 {tawa.constant = 64 : i32})   ->   tt.func @k(%n: i32 {tawa.argument = #tawa.part<scalar, ..>})
//     use(%n)                                               use(%c64)
//
//   tt.func @k(%flag: i1)                            ->   tt.func @k(%byte: i8)
//     use(%flag)                                            use(%byte != 0)
//
// A launch passes whole bytes.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-specialize-arguments"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SPECIALIZEARGUMENTS
#include "compiler/frontend/Passes.h.inc"

namespace {

void annotate(tt::FuncOp func, const LogicalSignature &signature) {
  Builder builder(func.getContext());
  for (auto [index, role] : llvm::enumerate(signature.parameters))
    ws::kArgumentAttr.set(func, index, writeParameterRole(builder, role));
}

LogicalResult foldConstants(tt::FuncOp func, PassCounter &constants) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    auto value = ws::kConstantAttr.get(func, argument.getArgNumber());
    if (!value)
      continue;
    if (value.getType() != argument.getType())
      return func.emitOpError() << "parameter " << argument.getArgNumber() << " is " << argument.getType()
                                << ", its constant " << value.getType();
    ++constants;
    argument.replaceAllUsesWith(builder.create<arith::ConstantOp>(argument.getLoc(), value));
    ws::kConstantAttr.remove(func, argument.getArgNumber());
  }
  return success();
}

void widenTruthValues(tt::FuncOp func, PassCounter &widened) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    if (!argument.getType().isInteger(1))
      continue;
    ++widened;
    argument.setType(builder.getI8Type());
    Location loc = argument.getLoc();
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getI8IntegerAttr(0));
    auto flag = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, argument, zero);
    argument.replaceAllUsesExcept(flag, flag);
  }
  func.setFunctionType(
      builder.getFunctionType(func.getBody().front().getArgumentTypes(), func.getFunctionType().getResults()));
}

/// A loop that does not advance has no result; only now are steps known that the caller gave.
LogicalResult checkSteps(tt::FuncOp func) {
  WalkResult result = func.walk([](scf::ForOp loop) {
    APInt step;
    if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.isStrictlyPositive())
      return WalkResult::advance();
    loop.emitError() << "the step of this loop is " << step.getSExtValue() << "; it must be at least 1";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct SpecializeArgumentsPass : impl::SpecializeArgumentsBase<SpecializeArgumentsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    FailureOr<LogicalSignature> signature = readLogicalSignature(func);
    if (failed(signature) || failed(foldConstants(func, constants)) || failed(checkSteps(func)))
      return signalPassFailure();
    annotate(func, *signature);
    widenTruthValues(func, widened);
    bound += func.getNumArguments();
  }
};

} // namespace
} // namespace tawa
