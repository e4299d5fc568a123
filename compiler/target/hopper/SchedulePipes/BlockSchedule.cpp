// List scheduling within a block: dependences, priorities, and when each pipe is free.
#include "compiler/target/hopper/SchedulePipes/BlockSchedule.h"

#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/SchedulePipes/LiveRegisters.h"
#include "compiler/target/hopper/SchedulePipes/Predicates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa::sm90 {

/// Below this, no order of the rest makes up for the instructions it takes to keep it.
static constexpr uint32_t kWorthwhileCycles = 128;
/// Operations of the slowest pipe that are made ready ahead.
static constexpr unsigned kReadyAhead = 2;
/// Share of the work before a wait that the preceding arrival is tied to. ptxas moves the wait up to the arrival, and
/// work issued by then but unfinished comes on top.
static constexpr double kTiedShare = 0.6;

BlockSchedule::BlockSchedule(ArrayRef<Operation *> ops, uint32_t warpsPerQuarter)
    : ops(ops), warpsPerQuarter(warpsPerQuarter), nodes(ops.size()) {
  for (auto [node, op] : llvm::zip(nodes, ops)) {
    node.use = pipeUse(op);
    node.isFixed = !mayMove(op);
  }
  addDependences();
  holdPredicates();
  pinBeforeFences();
  pinAfterWaits();
  pinAfterReaders();
  findBottleneck();
}

//===--- Dependences ---===//

void BlockSchedule::link(unsigned from, unsigned to) {
  nodes[from].after.push_back(to);
  nodes[to].before.push_back(from);
  ++nodes[to].open;
}

void BlockSchedule::addDependences() {
  int lastFixed = -1;
  for (auto [index, op] : llvm::enumerate(ops)) {
    llvm::DenseSet<unsigned> sources;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        if (auto found = numberOf.find(source); found != numberOf.end() && sources.insert(found->second).second)
          link(found->second, index);
    numberOf[op] = index;
    if (!nodes[index].isFixed)
      continue;
    if (lastFixed >= 0)
      link(lastFixed, index);
    lastFixed = static_cast<int>(index);
  }
}

/// The condition of a select is computed last, when the select's other operands are available.
void BlockSchedule::holdPredicates() {
  llvm::DenseMap<Operation *, Operation *> selectOf;
  for (unsigned index = ops.size(); index-- > 0;) {
    Operation *op = ops[index];
    if (nodes[index].isFixed || op->use_empty() || !leadsToPredicate(op))
      continue;
    Operation *user = *op->user_begin();
    Operation *select = isa<arith::SelectOp>(user) ? user : selectOf.lookup(user);
    if (!select)
      continue;
    selectOf[op] = select;
    for (Value operand : select->getOperands()) {
      auto source = numberOf.find(operand.getDefiningOp());
      if (source != numberOf.end() && source->second < index && !leadsToPredicate(source->first))
        link(source->second, index);
    }
  }
}

/// Registers that products read are written before the fence that orders them (PTX ISA, wgmma.fence).
void BlockSchedule::pinBeforeFences() {
  int fence = -1;
  for (auto [index, op] : llvm::enumerate(ops)) {
    if (isa<WgmmaFenceOp>(op))
      fence = static_cast<int>(index);
    if (fence < 0 || !isa<WgmmaOp, WgmmaRsOp>(op))
      continue;
    for (unsigned source : nodes[index].before)
      if (source < static_cast<unsigned>(fence))
        link(source, fence);
  }
}

/// Operands of the next iteration may share registers with those that products read until they are waited for.
void BlockSchedule::pinAfterWaits() {
  int lastWait = -1;
  for (auto [index, op] : llvm::enumerate(ops)) {
    if (isa<WgmmaWaitOp>(op))
      lastWait = static_cast<int>(index);
    bool isHandedOn =
        llvm::any_of(op->getUsers(), [&](Operation *user) { return user == op->getBlock()->getTerminator(); });
    if (lastWait >= 0 && static_cast<unsigned>(lastWait) != index && isHandedOn && !nodes[index].isFixed)
      link(lastWait, index);
  }
}

/// A slot is released after the uses of what was read from it: until then ptxas may sink the reads.
void BlockSchedule::pinAfterReaders() {
  SmallVector<unsigned> reads;
  for (auto [index, op] : llvm::enumerate(ops)) {
    if (isa<LoadSharedOp, LdmatrixOp>(op))
      reads.push_back(index);
    auto arrive = dyn_cast<MBarrierArriveOp>(op);
    if (!arrive || !arrive.getPredicate())
      continue;
    for (unsigned read : reads)
      for (unsigned user : llvm::to_vector(nodes[read].after))
        if (user < index && !nodes[user].isFixed)
          link(user, index);
    reads.clear();
  }
}

//===--- The slowest pipe ---===//

void BlockSchedule::findBottleneck() {
  std::array<uint32_t, kPipes> work = {};
  for (auto [node, op] : llvm::zip(nodes, ops))
    if (!isa<arith::AddIOp>(op) || !leadsToPredicate(op)) // LLVM makes one of several of these
      work[static_cast<unsigned>(node.use.pipe)] += node.use.cycles;
  auto *most = std::max_element(work.begin() + 1, work.end());
  bottleneck = static_cast<Pipe>(most - work.begin());
  bottleneckWork = *most;
}

/// Cycles of the slowest pipe in work that the last wait does not hold up: without any, nothing runs under products.
uint32_t BlockSchedule::workBesideProducts() const {
  llvm::BitVector follows(nodes.size());
  for (unsigned index = nodes.size(); index-- > 0 && follows.none();)
    if (isa<WgmmaWaitOp>(ops[index]))
      follows.set(index);
  uint32_t beside = 0;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    if (llvm::any_of(node.before, [&](unsigned source) { return follows.test(source); }))
      follows.set(index);
    if (node.use.pipe == bottleneck && !follows.test(index))
      beside += node.use.cycles;
  }
  return beside;
}

bool BlockSchedule::isWorthIt() const {
  bool waits = llvm::any_of(ops, [](Operation *op) { return isa<WgmmaWaitOp>(op); });
  return waits && bottleneck == Pipe::Mufu && bottleneckWork >= kWorthwhileCycles &&
         (workBesideProducts() >= kWorthwhileCycles || fitRegisters(ops));
}

/// Against the order of the text: what follows from each node, and how far the slowest pipe is.
void BlockSchedule::measure() {
  for (unsigned index = nodes.size(); index-- > 0;) {
    Node &node = nodes[index];
    node.followers.resize(nodes.size());
    for (unsigned next : node.after) {
      node.followers |= nodes[next].followers;
      node.followers.set(next);
      if (nodes[next].distance != kFar && !node.isFixed)
        node.distance = std::min(node.distance, nodes[next].distance + 1);
    }
    for (unsigned follower : node.followers.set_bits())
      node.following += nodes[follower].use.cycles;
    if (node.use.pipe == bottleneck)
      node.distance = 0;
  }
}

/// A wait is delayed while the work that it unblocks would not be hidden any better: until the slowest pipe has issued
/// what all warps of a quarter need for that. The arrival before it is delayed half as long.
void BlockSchedule::planWaits() {
  int arrival = -1;
  for (auto [index, op] : llvm::enumerate(ops)) {
    if (auto arrive = dyn_cast<MBarrierArriveOp>(op); arrive && arrive.getPredicate())
      arrival = static_cast<int>(index);
    else if (nodes[index].isFixed && !isa<WgmmaWaitOp>(op))
      arrival = -1;
    if (!isa<WgmmaWaitOp>(op))
      continue;
    uint32_t meanwhile = 0;
    for (auto [other, node] : llvm::enumerate(nodes))
      if (node.use.pipe == bottleneck && !nodes[index].followers.test(other))
        meanwhile += node.use.cycles;
    if (uint32_t needed = nodes[index].following * warpsPerQuarter; meanwhile > needed) {
      heldUntil[index] = needed;
      if (arrival >= 0) {
        heldUntil[arrival] = needed + static_cast<uint32_t>((meanwhile - needed) * (1 - kTiedShare));
        tieable.insert(arrival);
      }
    }
    arrival = -1;
  }
}

//===--- The schedule ---===//

bool BlockSchedule::holdsBack(unsigned node) const {
  auto held = heldUntil.find(node);
  return held != heldUntil.end() && bottleneckWork > held->second;
}

/// Priority of two ready operations: first the one nearer to the slowest pipe, then the one with more dependents, then
/// the earlier one.
bool BlockSchedule::comesBefore(unsigned first, int second) const {
  if (second < 0)
    return true;
  const Node &a = nodes[first], &b = nodes[second];
  return a.distance != b.distance ? a.distance < b.distance : a.following > b.following;
}

/// The next operation at this cycle; -1 where nothing is ready.
int BlockSchedule::pick(uint32_t cycle) const {
  int slowest = -1, nearest = -1, earliest = -1;
  unsigned readyAhead = 0;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    if (node.isDone || node.open != 0 || node.ready > cycle || holdsBack(index))
      continue;
    if (node.use.pipe == Pipe::None) // takes no time: its result is ready
      return static_cast<int>(index);
    bool isFree = freeAt[static_cast<unsigned>(node.use.pipe)] <= cycle;
    if (node.use.pipe == bottleneck) {
      ++readyAhead;
      if (isFree && comesBefore(index, slowest))
        slowest = static_cast<int>(index);
    } else if (isFree) {
      if (node.distance != kFar && comesBefore(index, nearest))
        nearest = static_cast<int>(index);
      if (earliest < 0)
        earliest = static_cast<int>(index);
    }
  }
  if (slowest >= 0)
    return slowest;
  return readyAhead < kReadyAhead && nearest >= 0 ? nearest : earliest;
}

/// Candidates that an arrival may be tied to: the sums of ex2 results so far, one for each chain that adds them up,
/// since ptxas would delay any chain that is left out. A single result would not do either. A chain may start with
/// another nonnegative value, such as the sum of earlier iterations.
void BlockSchedule::noteProgress(Operation *op) {
  auto approx = dyn_cast<ApproxOp>(op);
  unsigned summed = approx && approx.getKind() == ApproxKind::Ex2 ? 1 : 0;
  if (isa<arith::AddFOp>(op)) {
    auto isKnown = [&](Value part) { return exponentials.contains(part) || signs.isNotBelowZero(part); };
    if (llvm::all_of(op->getOperands(), isKnown))
      summed = exponentials.lookup(op->getOperand(0)) + exponentials.lookup(op->getOperand(1));
  }
  if (summed == 0)
    return;
  exponentials[op->getResult(0)] = summed;
  if (approx) {
    single = op->getResult(0);
    return;
  }
  for (Value part : op->getOperands())
    partial.remove(part);
  partial.insert(op->getResult(0));
}

/// One sum per chain, limited to a few comparisons; a single result where there is no sum yet.
SmallVector<Value, 4> BlockSchedule::progress() const {
  constexpr size_t most = 4;
  if (partial.empty())
    return {single};
  return SmallVector<Value, 4>(partial.getArrayRef().take_back(most));
}

void BlockSchedule::issue(unsigned index, uint32_t cycle) {
  Node &node = nodes[index];
  node.isDone = true;
  order.push_back(ops[index]);
  freeAt[static_cast<unsigned>(node.use.pipe)] = cycle + node.use.cycles;
  for (unsigned next : node.after) {
    --nodes[next].open;
    nodes[next].ready = std::max(nodes[next].ready, cycle + node.use.latency);
  }
  if (node.use.pipe == bottleneck)
    bottleneckWork -= node.use.cycles;
  noteProgress(ops[index]);
  if (tieable.contains(index) && single)
    tied.push_back({ops[index], progress()});
}

SmallVector<Operation *> BlockSchedule::run() {
  measure();
  planWaits();
  for (uint32_t cycle = 0; order.size() < nodes.size();) {
    int next = pick(cycle);
    if (next >= 0)
      issue(next, cycle);
    if (next < 0 || nodes[next].use.pipe != Pipe::None)
      ++cycle;
  }
  return std::move(order);
}

} // namespace tawa::sm90
