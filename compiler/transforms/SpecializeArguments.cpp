// SpecializeArguments: bind printed parameters to logical arguments, fold the constant ones.
//
//   tt.func @k(%n: i32 {tawa.constant = 64 : i32})   ->   tt.func @k(%n: i32 {tawa.argument = {index = 0, part =
//   "scalar", ..}})
//     use(%n)                                               use(%c64)
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SPECIALIZEARGUMENTS
#include "compiler/transforms/Passes.h.inc"

namespace {

void annotate(tt::FuncOp func, const LogicalSignature &signature) {
  Builder builder(func.getContext());
  for (auto [index, role] : llvm::enumerate(signature.parameters))
    func.setArgAttr(index, ws::kArgumentAttr, writeParameterRole(builder, role));
}

LogicalResult foldConstants(tt::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    auto value = func.getArgAttrOfType<TypedAttr>(argument.getArgNumber(), ws::kConstantAttr);
    if (!value)
      continue;
    if (value.getType() != argument.getType())
      return func.emitOpError() << "parameter " << argument.getArgNumber() << " is " << argument.getType()
                                << ", its constant " << value.getType();
    argument.replaceAllUsesWith(builder.create<arith::ConstantOp>(argument.getLoc(), value));
    func.removeArgAttr(argument.getArgNumber(), StringAttr::get(func.getContext(), ws::kConstantAttr));
  }
  return success();
}

struct SpecializeArgumentsPass : impl::SpecializeArgumentsBase<SpecializeArgumentsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    FailureOr<LogicalSignature> signature = readLogicalSignature(func);
    if (failed(signature) || failed(foldConstants(func)))
      return signalPassFailure();
    annotate(func, *signature);
  }
};

} // namespace
} // namespace tawa
