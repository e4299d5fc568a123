// Forward data-flow analysis of a role's accesses to the launch's workspace.
//
// One thread counts a part for its role: it publishes what it knows to be stored, and learns what others published. So
// a barrier of the role stands between the stores of all threads and the count, which releases, and between a count
// that acquires and the reads of all threads.
#include "compiler/target/hopper/prover/MachineParts.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/target/hopper/prover/MachineFlow.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

static bool isInWorkspace(func::FuncOp kernel, Value address) {
  while (auto at = address.getDefiningOp<LLVM::GEPOp>())
    address = at.getBase();
  auto argument = dyn_cast<BlockArgument>(address);
  bool isParameter = argument && argument.getOwner() == &kernel.getBody().front();
  auto role = isParameter ? parameterRole(kernel, argument.getArgNumber()) : std::nullopt;
  return role && role->part == ParameterRole::Part::Workspace;
}

namespace {

/// What some path to here may have left open.
struct PartState {
  bool isUnknown = false;  ///< Threads have stored, and those that count do not know it.
  bool isUnshared = false; ///< A thread has acquired parts, and the others do not know it.
  bool operator==(const PartState &) const = default;
};

class PartCheck : public MachineFlow<PartState> {
public:
  PartCheck(MachineKernel &kernel, MachineRole &role) : kernel(kernel), role(role) {}

  std::optional<RoleFinding> run() {
    PartState state;
    runBlock(*role.body, state);
    return finding;
  }

private:
  void execute(Operation &op, PartState &state) override;
  bool join(PartState &state, const PartState &other) override {
    PartState before = state;
    state.isUnknown |= other.isUnknown;
    state.isUnshared |= other.isUnshared;
    return !(state == before);
  }
  bool isPart(Value address) { return isInWorkspace(kernel.func, address); }
  void count(sm90::AtomicRmwOp atomic, PartState &state);

  MachineKernel &kernel;
  MachineRole &role;
};

void PartCheck::count(sm90::AtomicRmwOp atomic, PartState &state) {
  APInt more;
  bool isAsked = matchPattern(atomic.getValue(), m_ConstantInt(&more)) && more.isZero();
  sm90::Semantics semantics = atomic.getSemantics();
  bool acquires = semantics == sm90::Semantics::AcqRel || semantics == sm90::Semantics::Acquire;
  if (!acquires || atomic.getScope() == sm90::Scope::Cta)
    return fail(atomic, "a count of parts does not acquire what other CTAs have stored");
  if (!isAsked && semantics != sm90::Semantics::AcqRel)
    return fail(atomic, "a part is counted without a release of what was stored");
  if (!isAsked && state.isUnknown)
    return fail(atomic, "a part is counted that other threads of the role may still store");
  state.isUnshared = true;
}

void PartCheck::execute(Operation &op, PartState &state) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](sm90::StoreGlobalOp store) {
        bool isByAll = isPart(store.getAddress()) && kernel.performersOf(role, store).threads.size() != 1;
        state.isUnknown |= isByAll;
      })
      .Case([&](sm90::LoadGlobalOp load) {
        if (isPart(load.getAddress()) && state.isUnshared)
          fail(load, "a part is read by threads that do not know it to be stored");
      })
      .Case([&](sm90::AtomicRmwOp atomic) {
        if (isPart(atomic.getAddress()))
          count(atomic, state);
      })
      .Case([&](sm90::BarrierSyncOp sync) {
        if (meetsIn(sync, role))
          state = {};
      })
      .Case([&](sm90::WarpSyncOp) {
        if (role.threads == kLanes)
          state = {};
      });
}

} // namespace

/// CTAs that take tiles one by one count them: each of them once, in memory that all see.
static std::optional<RoleFinding> checkTileCounter(MachineKernel &kernel, MachineRole &role) {
  std::optional<RoleFinding> finding;
  role.body->walk([&](sm90::AtomicRmwOp atomic) {
    if (finding || !isInWorkspace(kernel.func, atomic.getAddress()))
      return;
    size_t threads = kernel.performersOf(role, atomic).threads.size();
    if (threads > 1)
      finding = {atomic, std::to_string(threads) + " threads ask for the next tile"};
    else if (atomic.getScope() == sm90::Scope::Cta)
      finding = {atomic, "other CTAs do not see that this one asks for the next tile"};
  });
  return finding;
}

std::optional<RoleFinding> checkParts(MachineKernel &kernel, MachineRole &role) {
  if (!sm90::kWorkspaceBytesAttr.on(kernel.func))
    return std::nullopt;
  return ws::kStreamAttr.on(kernel.func) ? PartCheck(kernel, role).run() : checkTileCounter(kernel, role);
}

} // namespace tawa::verify
