// ProveProtocol: proves the synchronization protocol of roles and arefs for all trip counts.
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/UniformTripCounts.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/prover/ArefEvents.h"
#include "compiler/roles/prover/Passes.h"
#include "compiler/roles/prover/Report.h"
#include "compiler/roles/prover/RoleExplore.h"
#include "compiler/roles/prover/SharedTiles.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-prove-protocol"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PROVEPROTOCOL
#include "compiler/roles/prover/Passes.h.inc"

namespace {

using namespace verify;

/// The rings of a kernel in the order of their creation.
struct Rings {
  llvm::DenseMap<Value, unsigned> numbers;
  std::vector<RingInfo> infos;

  explicit Rings(tt::FuncOp func) {
    for (auto create : func.getOps<ws::CreateArefOp>()) {
      numbers[create.getAref()] = infos.size();
      infos.push_back({static_cast<int>(create.getAref().getType().getDepth()), gettersOf(create),
                       /*followsLanding=*/false, ws::isMulticastRing(create.getAref())});
    }
  }

private:
  static unsigned gettersOf(ws::CreateArefOp create) {
    llvm::SmallPtrSet<Operation *, 4> roles;
    for (Operation *user : create.getAref().getUsers())
      if (isa<ws::GetOp>(user))
        roles.insert(user->getParentOfType<ws::WarpGroupOp>());
    return roles.size();
  }
};

/// Numbers that one role hands to others.
void handOnNumbers(tt::FuncOp func, Identities &identities) {
  for (auto create : func.getOps<ws::CreateArefOp>()) {
    auto users = create.getAref().getUsers();
    auto puts = llvm::make_filter_range(users, llvm::IsaPred<ws::PutOp>);
    if (!create.getAref().getType().holdsNumber() || !llvm::hasSingleElement(puts))
      continue;
    auto put = cast<ws::PutOp>(*puts.begin());
    Value origin = put.getValues().front();
    if (origin.getParentBlock() != put->getBlock()) // one value may be put under several numbers
      continue;
    identities.handOn(origin, origin, put.getIndex());
    for (Operation *user : users)
      if (auto get = dyn_cast<ws::GetOp>(user))
        identities.handOn(get.getValues().front(), origin, get.getIndex());
  }
}

/// Rings shared by the CTAs of a cluster are correct if each CTA's are, as long as all CTAs use them in step
/// (README.md). / Returns the place where they might not.
std::optional<RoleFinding> findOutOfStep(tt::FuncOp func) {
  auto cluster = ws::kClusterAttr.get(func);
  bool isShared = llvm::any_of(func.getOps<ws::CreateArefOp>(),
                               [](ws::CreateArefOp create) { return ws::isMulticastRing(create.getAref()); });
  if (!cluster || !isShared)
    return std::nullopt;
  ProgramVariance variance(func, *cluster);
  UniformTripCounts rounds(variance, *cluster);
  std::optional<RoleFinding> found;
  func.walk([&](Operation *op) {
    bool isOfRing = isa<ws::PutOp, ws::GetOp, ws::ConsumedOp>(op);
    if (!found && isOfRing && !rounds.holdAround(op))
      found = RoleFinding{op, "the CTAs of the cluster may not reach this equally often"};
  });
  auto checked = ws::kClusterDividesAttr.get(func);
  for (StringAttr expression : rounds.divided())
    if (!found && !(checked && llvm::is_contained(checked, expression)))
      found = RoleFinding{func, ("no launch checks that the cluster divides " + expression.getValue()).str()};
  return found;
}

/// Every setmaxnreg can be satisfied: the roles together have no more registers than the CTA had at entry.
std::optional<RoleFinding> findTooFewRegisters(tt::FuncOp func) {
  auto threadsOf = [](ws::WarpGroupOp role) { return role.getWarps() * kThreadsPerGroup / kWarpsPerGroup; };
  uint32_t threads = 0, asked = 0;
  if (llvm::hasSingleElement(func.getOps<ws::WarpGroupOp>())) // it keeps what it begins with
    return std::nullopt;
  for (auto role : func.getOps<ws::WarpGroupOp>())
    threads += threadsOf(role);
  uint32_t entry = entryRegisters(moduleTarget(func), threads);
  for (auto role : func.getOps<ws::WarpGroupOp>())
    asked += threadsOf(role) * (role.getRegisters() ? role.getRegisters() : entry);
  if (asked <= entry * threads)
    return std::nullopt;
  return RoleFinding{func, "the roles ask for " + std::to_string(asked) + " registers, and " +
                               std::to_string(entry * threads) + " are there at entry"};
}

struct ProveProtocolPass : impl::ProveProtocolBase<ProveProtocolPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (auto roles = func.getOps<ws::WarpGroupOp>();
          llvm::range_size(roles) > 1 || !func.getOps<ws::CreateArefOp>().empty())
        prove(func);
      else
        kept.at(func);
  }

  void prove(tt::FuncOp func) {
    Rings rings(func);
    Identities identities;
    handOnNumbers(func, identities);
    std::vector<RoleProgram> programs;
    std::vector<std::string> names;
    for (auto role : func.getOps<ws::WarpGroupOp>()) {
      programs.emplace_back(role.getBody().front(), ArefEvents(role, rings.numbers), identities);
      names.push_back("the " + role.roleName());
    }
    RoleVerdict verdict = exploreRoles(programs, names, rings.infos);
    states += verdict.states;
    for (auto find : {findOutOfStep, findDifferentTiles, findTooFewRegisters})
      if (!verdict.finding)
        verdict.finding = find(func);
    LLVM_DEBUG(llvm::dbgs() << func.getName() << ": " << verdict.states << " states\n");
    if (!verdict.finding) {
      proved.at(func);
      return reportProved(getOperation(), verdict.states);
    }
    unproved.because(verdict.finding->op ? verdict.finding->op : func, verdict.finding->what);
    reportUnproved(getOperation(), verdict.finding->op, verdict.text());
  }
};

} // namespace
} // namespace tawa
