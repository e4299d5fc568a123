// Recovers the roles from the branches on the warp index, and the threads that execute an operation.
#include "compiler/target/hopper/prover/MachineKernel.h"

#include "compiler/target/hopper/SM90/Signs.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace tawa::verify {

MachineKernel::MachineKernel(func::FuncOp func, const sm90::KernelInfo &info)
    : func(func), info(info), threads(info.threads), addresses(info.threads, ThreadValues::Zero::SharedBase),
      slotBytes(info.threads, ThreadValues::Zero::SharedBaseAndSlots) {
  findRoles();
}

/// The number of threads from `first` on for which a condition holds, where those are leading whole warps; 0: another
/// kind of condition.
static unsigned countFront(const std::vector<uint32_t> &condition, unsigned first) {
  auto begin = condition.begin() + first;
  auto end = std::find(begin, condition.end(), 0u);
  bool isSplit = end != condition.end() && std::none_of(end, condition.end(), [](uint32_t holds) { return holds; });
  auto count = static_cast<unsigned>(end - begin);
  return isSplit && count % kLanes == 0 ? count : 0;
}

std::pair<uint32_t, uint32_t> idAndThreads(Operation *op) {
  if (auto sync = dyn_cast<sm90::BarrierSyncOp>(op))
    return {sync.getId(), sync.getThreads()};
  auto arrive = cast<sm90::BarrierArriveOp>(op);
  return {arrive.getId(), arrive.getThreads()};
}

static std::string nameOf(unsigned first, unsigned threads) {
  unsigned warp = first / kLanes, last = (first + threads) / kLanes - 1;
  return warp == last ? "warp " + std::to_string(warp)
                      : "warps " + std::to_string(warp) + " to " + std::to_string(last);
}

/// if (warp < a) role 0 else if (warp < b) role 1 else role 2.
uint32_t MachineKernel::sharersOf(uint32_t rank, uint32_t bits) const {
  uint32_t sharers = 0;
  for (uint32_t other = 0; other < cluster(); ++other)
    if (shareTiles(rank, other) && ((programOf(rank) ^ programOf(other)) & ~bits) == 0)
      sharers |= 1U << other;
  return sharers;
}

void MachineKernel::findRoles() {
  Block *block = &func.getBody().front();
  unsigned first = 0;
  auto add = [&](Block *body, unsigned count) {
    roles.push_back({body, first, count, nameOf(first, count), SharedAddresses(threads, first, count, cluster())});
    first += count;
  };
  for (bool isSplit = true; isSplit;) {
    isSplit = false;
    for (auto branch : block->getOps<scf::IfOp>()) {
      bool mayChoose = branch.elseBlock() && branch.getNumResults() == 0;
      const std::vector<uint32_t> *condition = mayChoose ? threads.of(branch.getCondition()) : nullptr;
      unsigned count = condition ? countFront(*condition, first) : 0;
      if (count == 0)
        continue;
      add(branch.thenBlock(), count);
      block = branch.elseBlock();
      isSplit = true;
      break;
    }
  }
  add(block, info.threads - first);
}

/// A condition that ties an arrival to a result (SchedulePipes).
static bool holdsAlways(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  FloatAttr bound;
  return compare && compare.getPredicate() == arith::CmpFPredicate::UGE &&
         matchPattern(compare.getRhs(), m_Constant(&bound)) && bound.getValue().isNegative() &&
         sm90::Signs().isNotBelowZero(compare.getLhs());
}

void MachineKernel::narrow(Performers &performers, Value condition, bool holds) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (const std::vector<uint32_t> *values = threads.of(condition)) {
    llvm::erase_if(performers.threads, [&](unsigned thread) { return ((*values)[thread] != 0) != holds; });
  } else if (both && holds) {
    narrow(performers, both.getLhs(), true);
    narrow(performers, both.getRhs(), true);
  } else if (!holds || !holdsAlways(condition)) {
    performers.conditions.push_back(condition);
  }
}

Performers MachineKernel::performersOf(const MachineRole &role, Operation *op) {
  Performers performers;
  performers.threads.resize(role.threads);
  std::iota(performers.threads.begin(), performers.threads.end(), role.first);
  for (Operation *inner = op; inner->getBlock() != role.body; inner = inner->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(inner->getParentOp()); branch && choosesThreads(role, branch.getCondition()))
      narrow(performers, branch.getCondition(), inner->getBlock() == branch.thenBlock());
  if (auto predicated = dyn_cast<sm90::PredicatedOpInterface>(op))
    if (Value predicate = predicated.getPredicateValue())
      narrow(performers, predicate, true);
  return performers;
}

bool MachineKernel::choosesThreads(const MachineRole &role, Value condition) {
  const std::vector<uint32_t> *values = threads.of(condition);
  return values && std::any_of(values->begin() + role.first, values->begin() + role.first + role.threads,
                               [](uint32_t holds) { return holds; });
}

} // namespace tawa::verify
