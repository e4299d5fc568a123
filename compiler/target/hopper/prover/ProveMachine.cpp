// ProveMachine: proves the synchronization protocol of a machine kernel for all trip counts.
#include "compiler/analysis/RejectReason.h"
#include "compiler/roles/prover/Report.h"
#include "compiler/roles/prover/RoleExplore.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/prover/MachineEvents.h"
#include "compiler/target/hopper/prover/MachineFrame.h"
#include "compiler/target/hopper/prover/MachineMemory.h"
#include "compiler/target/hopper/prover/MachineNumbers.h"
#include "compiler/target/hopper/prover/MachineParts.h"
#include "compiler/target/hopper/prover/MachineSums.h"
#include "compiler/target/hopper/prover/Passes.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-prove-machine"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PROVEMACHINE
#include "compiler/target/hopper/prover/Passes.h.inc"

namespace {

using namespace verify;

/// The kernel's roles in terms of the rings that their barriers form.
struct MachineProof {
  explicit MachineProof(MachineKernel &kernel) : kernel(kernel), maps(kernel), rings(kernel, maps) {}

  RoleVerdict run() {
    RoleVerdict verdict;
    auto check = [&](std::optional<RoleFinding> finding) {
      if (!verdict.finding)
        verdict.finding = std::move(finding);
      return !verdict.finding;
    };
    bool isFramed = check(checkInitialization(kernel)) && check(checkNamedBarriers(kernel, pingPongs)) &&
                    check(checkRegisters(kernel)) && check(checkCluster(kernel)) && check(maps.read()) &&
                    check(rings.read()) && check(checkSums(kernel, rings));
    if (!isFramed)
      return verdict;
    handOnNumbers(kernel, rings, identities);
    std::vector<RoleProgram> programs;
    std::vector<std::string> names;
    for (MachineRole &role : kernel.roles) {
      MachineEvents events(kernel, role, rings, pingPongs);
      if (!check(events.finding()) || !check(checkMemory(kernel, role, rings)) ||
          !check(checkMaps(kernel, role, maps)) || !check(checkParts(kernel, role)))
        return verdict;
      programs.emplace_back(*role.body, events, identities);
      names.push_back(role.name);
    }
    return exploreRoles(programs, names, ringInfos());
  }

private:
  std::vector<RingInfo> ringInfos() {
    std::vector<llvm::SmallPtrSet<const MachineRole *, 4>> getters(rings.rings().size());
    for (MachineRole &role : kernel.roles)
      role.body->walk([&](sm90::MBarrierWaitParityOp wait) {
        if (auto channel = rings.channelOf(wait); channel && !channel->puts)
          getters[channel->ring].insert(&role);
      });
    std::vector<RingInfo> infos;
    for (auto [ring, roles] : llvm::zip(rings.rings(), getters))
      infos.push_back(
          {static_cast<int>(ring.depth), static_cast<unsigned>(roles.size()), !ring.maps.empty(), ring.isShared});
    return infos;
  }

  MachineKernel &kernel;
  MachineMaps maps;
  MachineRings rings;
  PingPongs pingPongs;
  Identities identities;
};

struct ProveMachinePass : impl::ProveMachineBase<ProveMachinePass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (sm90::isKernel(kernel))
        prove(kernel);
  }

  void prove(func::FuncOp func) {
    FailureOr<sm90::KernelInfo> info = sm90::readKernelInfo(func);
    if (failed(info))
      return signalPassFailure();
    MachineKernel kernel(func, *info);
    RoleVerdict verdict = MachineProof(kernel).run();
    states += verdict.states;
    LLVM_DEBUG(llvm::dbgs() << func.getName() << ": " << verdict.states << " states\n");
    if (verdict.finding) {
      unproved.because(verdict.finding->op ? verdict.finding->op : func, verdict.finding->what);
      return reportUnproved(getOperation(), verdict.finding->op, verdict.text());
    }
    proved.at(func);
    reportProved(getOperation(), verdict.states);
  }
};

} // namespace
} // namespace tawa
