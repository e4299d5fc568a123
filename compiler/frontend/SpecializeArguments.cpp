// SpecializeArguments: bind printed parameters to logical arguments, fold the constant ones.
//
//   tt.func @k(%n: i32 {tawa.constant = 64 : i32})   ->   tt.func @k(%n: i32 {tawa.argument = #tawa.part<scalar, ..>})
//     use(%n)                                               use(%c64)
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

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

struct SpecializeArgumentsPass : impl::SpecializeArgumentsBase<SpecializeArgumentsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    FailureOr<LogicalSignature> signature = readLogicalSignature(func);
    if (failed(signature) || failed(foldConstants(func, constants)))
      return signalPassFailure();
    annotate(func, *signature);
    bound += func.getNumArguments();
  }
};

} // namespace
} // namespace tawa
