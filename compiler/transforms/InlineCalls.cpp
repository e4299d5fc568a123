// InlineCalls: every function that the kernel calls becomes part of it, and only the kernel is left.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_INLINECALLS
#include "compiler/transforms/Passes.h.inc"

namespace {

class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module) {}

  /// Inlines all calls in `func`; those in its callees first.
  LogicalResult run(tt::FuncOp func) {
    if (finished.contains(func))
      return success();
    SmallVector<tt::CallOp> calls;
    func.walk([&](tt::CallOp call) { calls.push_back(call); });
    entered.insert(func);
    for (tt::CallOp call : calls)
      if (failed(inlineCall(call)))
        return failure();
    entered.remove(func);
    finished.insert(func);
    return success();
  }

private:
  LogicalResult inlineCall(tt::CallOp call) {
    auto callee = module.lookupSymbol<tt::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return call.emitOpError() << "calls @" << call.getCallee() << ", of which the text has no body";
    if (entered.contains(callee))
      return call.emitOpError() << "calls @" << call.getCallee()
                                << " from within itself; a kernel has no stack to recurse on";
    if (failed(run(callee)))
      return failure();
    Block &body = callee.getBody().front();
    if (!callee.getBody().hasOneBlock())
      return call.emitOpError() << "calls @" << call.getCallee() << ", whose control flow is not structured";
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getSrcs());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
    return success();
  }

  ModuleOp module;
  llvm::SetVector<Operation *> entered; ///< The functions we are inside of.
  llvm::DenseSet<Operation *> finished;
};

struct InlineCallsPass : impl::InlineCallsBase<InlineCallsPass> {
  void runOnOperation() override {
    tt::FuncOp kernel = findKernel(getOperation());
    if (!kernel || failed(Inliner(getOperation()).run(kernel)))
      return signalPassFailure();
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<tt::FuncOp>()))
      if (func != kernel)
        func.erase();
  }
};

} // namespace
} // namespace tawa
