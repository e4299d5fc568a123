// ProveMachine: the protocol of a machine kernel, shown for all trip counts.
#include "compiler/dialect/SM90/Kernel.h"
#include "compiler/verify/Explore.h"
#include "compiler/verify/MachineModel.h"
#include "compiler/verify/Passes.h"
#include "compiler/verify/Report.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PROVEMACHINE
#include "compiler/verify/Passes.h.inc"

namespace {

/// Roles share data only through mbarriers; a kernel without them is one role.
bool hasRoles(func::FuncOp kernel) {
  return kernel.walk([](sm90::MBarrierInitOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Roles that take turns go round loops of their own; how is not followed here.
bool takesTurns(func::FuncOp kernel) {
  return kernel.walk([](sm90::BarrierArriveOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// CTAs of a cluster have barriers in common that are not followed yet.
bool isOfCluster(const sm90::KernelInfo &info) { return info.cluster[0] * info.cluster[1] * info.cluster[2] != 1; }

struct ProveMachinePass : impl::ProveMachineBase<ProveMachinePass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (sm90::isKernel(kernel) && hasRoles(kernel))
        prove(kernel);
  }

  void prove(func::FuncOp kernel) {
    FailureOr<sm90::KernelInfo> info = sm90::readKernelInfo(kernel);
    if (failed(info))
      return signalPassFailure();
    if (isOfCluster(*info))
      return verify::reportUnchecked(getOperation(), "barriers between the CTAs of a cluster are not followed");
    if (takesTurns(kernel))
      return verify::reportUnchecked(getOperation(), "roles that take turns are not followed");
    verify::MachineModel model(kernel);
    verify::Program program(kernel, model);
    verify::Protocol protocol(verify::findAgents(kernel, info->threads));
    verify::Verdict verdict = verify::explore(program, model, protocol, info->entryRegisters.value_or(0));
    states += verdict.states;
    unproved += verdict.finding.has_value();
    if (verdict.finding)
      return verify::reportUnproved(getOperation(), verdict.finding->op, verdict.finding->what);
    verify::reportProved(getOperation(), verdict.states);
  }
};

} // namespace
} // namespace tawa
