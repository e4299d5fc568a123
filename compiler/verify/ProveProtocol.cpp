// ProveProtocol: the protocol of roles and arefs, shown for all trip counts.
#include "compiler/verify/Passes.h"
#include "compiler/verify/Report.h"
#include "compiler/verify/RoleModel.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PROVEPROTOCOL
#include "compiler/verify/Passes.h.inc"

namespace {

struct ProveProtocolPass : impl::ProveProtocolBase<ProveProtocolPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (auto roles = func.getOps<ws::WarpGroupOp>(); llvm::range_size(roles) > 1)
        prove(func);
  }

  void prove(tt::FuncOp func) {
    verify::RoleModel model(func);
    verify::Program program(func, model);
    verify::Protocol protocol(model.agents());
    verify::Verdict verdict = verify::explore(program, model, protocol, /*entryRegisters=*/0);
    states += verdict.states;
    // Roles that go round different loops take turns; how is not followed yet.
    bool takesTurns = verdict.rolesPartWays && protocol.agentCount() > 2;
    if (takesTurns)
      return verify::reportUnchecked(getOperation(), verdict.finding->what);
    unproved += verdict.finding.has_value();
    verify::report(getOperation(), verdict);
  }
};

} // namespace
} // namespace tawa
