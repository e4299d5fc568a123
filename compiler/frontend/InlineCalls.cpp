// InlineCalls: inlines every called function, and leaves only the kernel.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/OperationLimit.h"
#include "compiler/frontend/Passes.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-inline-calls"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_INLINECALLS
#include "compiler/frontend/Passes.h.inc"

namespace {

/// The expanded size of calls, computed before any is inlined: a chain of functions that each call the next twice
/// doubles per step.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module) : module(module) {}

  /// Operations of `func` including everything that it calls; calls count too, since they are work as well. Fails on
  /// recursion, or where the count is too large.
  FailureOr<uint64_t> expandedSize(tt::FuncOp func) {
    if (auto known = sizes.find(func); known != sizes.end())
      return known->second;
    SmallVector<tt::CallOp> calls;
    func.walk([&](tt::CallOp call) { calls.push_back(call); });
    uint64_t size = countOperations(func); // no sum overflows: every term is within the limit or fails
    entered.insert(func);
    for (tt::CallOp call : calls) {
      FailureOr<uint64_t> callee = expandedSize(call);
      if (failed(callee))
        return failure();
      size += *callee;
    }
    entered.remove(func);
    if (failed(checkOperationCount(func, func.getName(), size, "with the functions that it calls inlined",
                                   "call from a loop what is called over and over")))
      return failure();
    return sizes[func] = size;
  }

  tt::FuncOp calleeOf(tt::CallOp call) { return module.lookupSymbol<tt::FuncOp>(call.getCallee()); }

private:
  /// The size that a call adds: the callee's operations without its terminator.
  FailureOr<uint64_t> expandedSize(tt::CallOp call) {
    tt::FuncOp callee = calleeOf(call);
    if (!callee || callee.isExternal())
      return call.emitOpError() << "calls @" << call.getCallee() << ", of which the text has no body";
    if (entered.contains(callee))
      return call.emitOpError() << "calls @" << call.getCallee()
                                << " from within itself; a kernel has no stack to recurse on";
    if (!callee.getBody().hasOneBlock())
      return call.emitOpError() << "calls @" << call.getCallee() << ", whose control flow is not structured";
    FailureOr<uint64_t> size = expandedSize(callee);
    return failed(size) ? size : FailureOr<uint64_t>(*size - 1);
  }

  ModuleOp module;
  llvm::SetVector<Operation *> entered; ///< The functions we are inside of.
  llvm::DenseMap<Operation *, uint64_t> sizes;
};

/// Top-down from the kernel, so that only the kernel and the original functions are held.
void inlineCalls(tt::FuncOp kernel, CallGraph &graph, PassCounter &inlined) {
  SmallVector<tt::CallOp> calls;
  kernel.walk([&](tt::CallOp call) { calls.push_back(call); });
  while (!calls.empty()) {
    tt::CallOp call = calls.pop_back_val();
    inlined.at(call);
    Block &body = graph.calleeOf(call).getBody().front();
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getSrcs());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping)->walk([&](tt::CallOp inner) { calls.push_back(inner); });
    for (auto [result, value] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }
}

struct InlineCallsPass : impl::InlineCallsBase<InlineCallsPass> {
  void runOnOperation() override {
    tt::FuncOp kernel = findKernel(getOperation());
    CallGraph graph(getOperation());
    if (!kernel || failed(graph.expandedSize(kernel)))
      return signalPassFailure();
    inlineCalls(kernel, graph, inlined);
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<tt::FuncOp>()))
      if (func != kernel) {
        erased.at(func);
        func.erase();
      }
  }
};

} // namespace
} // namespace tawa
