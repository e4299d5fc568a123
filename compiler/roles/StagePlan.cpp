// Partitions a loop body at its dots into stages, and checks dependences between them.
#include "compiler/roles/StagePlan.h"

#include "compiler/analysis/DotKind.h"
#include "compiler/roles/StartDot.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tawa {

namespace {

bool isWgmma(tt::DotOp dot, ws::WarpGroupOp role) {
  DotPlan plan = planDot(dot, role.getWarps());
  return plan.unit == DotUnit::Wgmma && plan.promoteEvery == 0;
}

/// Everything the operation reads, inside its regions too.
llvm::SetVector<Value> operandsOf(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  return operands;
}

/// Operations of the block that depend on the given ones, those included.
llvm::SetVector<Operation *> forwardIn(Block *block, ArrayRef<Value> from) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> pending(from);
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers())
      if (Operation *here = block->findAncestorOpInBlock(*user);
          here && here != block->getTerminator() && found.insert(here))
        llvm::append_range(pending, here->getResults());
  return found;
}

/// Operations of the block that the given one follows from, itself included.
llvm::SetVector<Operation *> backwardIn(Block *block, Operation *from) {
  llvm::SetVector<Operation *> found;
  found.insert(from);
  for (size_t at = 0; at < found.size(); ++at)
    for (Value operand : operandsOf(found[at]))
      if (Operation *op = operand.getDefiningOp(); op && op->getBlock() == block)
        found.insert(op);
  return found;
}

/// The slot tile of this operand, seen through transpositions.
ws::GetOp tileAfter(Value operand) {
  while (auto view = operand.getDefiningOp<tt::TransOp>())
    operand = view.getSrc();
  return operand.getDefiningOp<ws::GetOp>();
}

} // namespace

StagePlan planStages(scf::ForOp loop) {
  StagePlan together(loop);
  if (together.decline() != RejectReason::TileReadByBothStages)
    return together;
  StagePlan divided(loop, StagePlan::Chains::Divided);
  return divided.decline() ? together : divided;
}

StagePlan::StagePlan(scf::ForOp loop, Chains chaining)
    : loop(loop), chaining(chaining), role(loop->getParentOfType<ws::WarpGroupOp>()) {
  for (auto dot : loop.getBody()->getOps<tt::DotOp>())
    if (isWgmma(dot, role))
      dots.push_back(dot);
  if (hasSeveralDots())
    reason = plan();
}

int64_t StagePlan::largestFirst() const {
  int64_t most = 0;
  for (tt::DotOp dot : first)
    most = std::max(most, cast<RankedTensorType>(dot.getType()).getNumElements());
  return most;
}

std::optional<RejectReason> StagePlan::plan() {
  for (Operation &op : loop.getBody()->without_terminator())
    stages[&op] = Stage::Compute;
  for (auto step : {&StagePlan::splitDots, &StagePlan::delaySecond, &StagePlan::delayTiles, &StagePlan::findLate,
                    &StagePlan::findLead, &StagePlan::checkSlots, &StagePlan::hoistReads, &StagePlan::checkEffects,
                    &StagePlan::checkRegisters})
    if (auto why = (this->*step)())
      return why;
  return std::nullopt;
}

/// Whether the product's operands need no other product.
bool StagePlan::isReady(tt::DotOp dot) {
  return llvm::none_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    llvm::SetVector<Operation *> needed;
    if (inBody(op))
      needed = backwardIn(loop.getBody(), op);
    return llvm::any_of(needed, [&](Operation *each) { return llvm::is_contained(dots, each); });
  });
}

/// Products that continue each other's sums are in flight together, so they have one stage.
void StagePlan::findChains() {
  for (tt::DotOp dot : dots) {
    tt::DotOp before = continuedDot(dot);
    if (before && chaining == Chains::Divided && isReady(before) && !isReady(dot))
      before = nullptr;
    if (auto *chain = before ? llvm::find_if(chains, [&](auto &each) { return each.back() == before; }) : chains.end();
        chain != chains.end())
      chain->push_back(dot);
    else
      chains.push_back({dot});
  }
}

/// A chain has one level: one more than any other product that it is computed from. Chains end in program order, so
/// those it depends on come before it.
void StagePlan::findLevels() {
  llvm::sort(chains, [](auto &one, auto &other) { return one.back()->isBeforeInBlock(other.back()); });
  for (ArrayRef<tt::DotOp> chain : chains) {
    unsigned level = 0;
    for (Operation *op : backwardIn(loop.getBody(), chain.back()))
      if (auto before = levels.find(op); before != levels.end())
        level = std::max(level, before->second + 1);
    for (tt::DotOp dot : chain)
      levels[dot] = level;
  }
}

std::optional<RejectReason> StagePlan::splitDots() {
  findChains();
  findLevels();
  for (tt::DotOp dot : dots) {
    unsigned level = levels.lookup(dot);
    if (level > second.size())
      second.resize(level);
    (level == 0 ? first : second[level - 1]).push_back(dot);
  }
  return second.empty() ? std::optional(RejectReason::DotsNotInStages) : std::nullopt;
}

bool StagePlan::isContinued(tt::DotOp dot) const {
  return llvm::any_of(chains, [&](ArrayRef<tt::DotOp> chain) { return llvm::is_contained(chain.drop_back(), dot); });
}

std::optional<RejectReason> StagePlan::delaySecond() {
  for (auto [step, products] : llvm::enumerate(second)) {
    SmallVector<Value> sums;
    for (tt::DotOp dot : products) {
      sums.push_back(dot.getResult());
      if (!tileAfter(dot.getB()))
        return RejectReason::OperandComputed;
    }
    for (Operation *op : forwardIn(loop.getBody(), sums)) {
      stages[op] = Stage::Finish;
      stepNumbers[op] = step;
    }
  }
  keepForLaterSteps();
  for (auto [step, products] : llvm::enumerate(second))
    for (tt::DotOp dot : products) {
      stages[dot] = Stage::Second;
      stepNumbers[dot] = step;
    }
  return std::nullopt;
}

/// What no later product needs waits for the last ones' step, so that these are issued first.
void StagePlan::keepForLaterSteps() {
  unsigned last = second.size() - 1;
  llvm::DenseSet<Operation *> needed;
  for (ArrayRef<tt::DotOp> products : ArrayRef(second).drop_front())
    for (tt::DotOp dot : products)
      for (Operation *op : backwardIn(loop.getBody(), dot))
        needed.insert(op);
  for (auto &[op, step] : stepNumbers)
    if (!needed.contains(op))
      step = last;
}

/// Operations of the body that read the slot, including the transpositions through which it is seen.
llvm::SetVector<Operation *> StagePlan::readersOf(ws::GetOp get) {
  llvm::SetVector<Operation *> readers;
  SmallVector<Value> tiles(get.getValues());
  while (!tiles.empty())
    for (Operation *user : tiles.pop_back_val().getUsers()) {
      readers.insert(loop.getBody()->findAncestorOpInBlock(*user));
      if (isa<tt::TransOp>(user))
        tiles.push_back(user->getResult(0));
    }
  return readers;
}

/// A slot has the stage of its readers, and is released when they are done.
std::optional<RejectReason> StagePlan::delayTiles() {
  for (auto get : loop.getBody()->getOps<ws::GetOp>()) {
    llvm::SetVector<Operation *> readers = readersOf(get);
    auto isView = [](Operation *op) { return isa<tt::TransOp>(op); };
    size_t late = llvm::count_if(readers, [&](Operation *op) { return isDelayedStage(op) && !isView(op); });
    if (late == 0)
      continue;
    if (late != readers.size() - llvm::count_if(readers, isView))
      return RejectReason::TileReadByBothStages;
    auto steps = llvm::map_to_vector(llvm::make_filter_range(readers, std::not_fn(isView)),
                                     [&](Operation *op) { return stepOf(op); });
    stages[get] = Stage::Delayed;
    stepNumbers[get] = *llvm::min_element(steps);
    for (Operation *op : readers)
      if (isView(op)) {
        stages[op] = Stage::Delayed;
        stepNumbers[op] = stepNumbers[get];
      }
    stageReleases(get, Stage::Finish, *llvm::max_element(steps));
  }
  delayCheap();
  return std::nullopt;
}

void StagePlan::stageReleases(ws::GetOp get, Stage stage, unsigned step) {
  for (auto release : loop.getBody()->getOps<ws::ConsumedOp>())
    if (release.getAref() == get.getAref() && release.getIndex() == get.getIndex()) {
      stages[release] = stage;
      stepNumbers[release] = step;
    }
}

/// Whether the operation is cheaper to repeat than its result to hand over: a scalar, or a repetition of registers.
static bool isCheap(Operation &op) {
  bool isView = isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp>(op) && !op.getOperand(0).getDefiningOp<ws::GetOp>();
  bool isScalar = llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
  return isView || (isScalar && isPure(&op) && op.getNumRegions() == 0);
}

/// Cheap operations and carried values used only by the delayed part: optimistic for all, those with other uses are
/// removed.
void StagePlan::delayCheap() {
  Block *body = loop.getBody();
  llvm::DenseSet<Operation *> cheap;
  for (Operation &op : body->without_terminator())
    if (stages[&op] == Stage::Compute && isCheap(op))
      cheap.insert(&op);
  for (BlockArgument argument : loop.getRegionIterArgs())
    delayed.insert(argument);
  auto belongs = [&](OpOperand &use) {
    if (use.getOwner() == body->getTerminator())
      return delayed.contains(loop.getRegionIterArg(use.getOperandNumber()));
    Operation *here = body->findAncestorOpInBlock(*use.getOwner());
    return isDelayedStage(here) || cheap.contains(here);
  };
  auto yieldBelongs = [&](BlockArgument argument) {
    Value next = loop.getTiedLoopYieldedValue(argument)->get();
    Operation *op = next.getDefiningOp();
    bool outside = op ? !inBody(op) : cast<BlockArgument>(next).getOwner() != body;
    return outside || isDelayedStage(op) || cheap.contains(op) || delayed.contains(next);
  };
  for (bool changed = true; changed;) {
    size_t before = cheap.size() + delayed.size();
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (!llvm::all_of(argument.getUses(), belongs) || !yieldBelongs(argument))
        delayed.erase(argument);
    for (Operation &op : body->without_terminator())
      if (!llvm::all_of(op.getUses(), belongs))
        cheap.erase(&op);
    changed = cheap.size() + delayed.size() != before;
  }
  for (Operation *op : cheap)
    stages[op] = Stage::Delayed;
}

/// Operations that depend on a sum of the previous iteration, and the last step of a second product's register operand:
/// while it runs, those registers may not be written (PTX ISA, wgmma.fence). Of several steps only the last one's
/// products are not done when the arithmetic begins.
std::optional<RejectReason> StagePlan::findLate() {
  SmallVector<Value> from;
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (!delayed.contains(argument) && comesFromDelayed(loop.getTiedLoopYieldedValue(argument)->get()))
      from.push_back(argument);
  for (tt::DotOp dot : second.back())
    if (Operation *op = dot.getA().getDefiningOp(); inBody(op) && stages[op] == Stage::Compute) {
      if (mayMove(op))
        stages[op] = Stage::Late;
      from.push_back(dot.getA());
    }
  for (Operation *op : forwardIn(loop.getBody(), from))
    if (!isDelayedStage(op))
      stages[op] = Stage::Late;
  for (auto get : loop.getBody()->getOps<ws::GetOp>())
    if (llvm::any_of(readersOf(get), [&](Operation *op) { return stages[op] == Stage::Late; }))
      stageReleases(get, Stage::Late);
  collectCrossing();
  return std::nullopt;
}

void StagePlan::collectCrossing() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (isDelayedStage(&op))
      for (Value operand : operandsOf(&op)) {
        bool fromBody = operand.getParentBlock() == loop.getBody();
        if (fromBody && !comesFromDelayed(operand) && !delayed.contains(operand))
          handedOver.insert(operand);
      }
}

std::optional<RejectReason> StagePlan::findLead() {
  for (tt::DotOp dot : first)
    for (Operation *op : backwardIn(loop.getBody(), dot)) {
      if (stages[op] == Stage::Late || isDelayedStage(op))
        return RejectReason::FirstNeedsSecond;
      if (!isa<ws::GetOp, tt::DotOp>(op) && !mayMove(op))
        return RejectReason::EffectInStages;
      stages[op] = Stage::Lead;
    }
  return std::nullopt;
}

/// Loads whose addresses no product is needed for, as far as registers suffice: memory answers while the tensor cores
/// multiply.
std::optional<RejectReason> StagePlan::hoistReads() {
  for (auto load : loop.getBody()->getOps<tt::LoadOp>()) {
    llvm::SetVector<Operation *> slice = backwardIn(loop.getBody(), load);
    bool isReady = llvm::all_of(
        slice, [&](Operation *op) { return stages[op] <= Stage::Compute && mayMove(op) && !isa<tt::DotOp>(op); });
    int64_t more = std::max(tileRegistersOf(load.getType()), rowRegistersOf(load.getType()));
    if (stages[load] != Stage::Compute || !isReady || !fitsWith(more))
      continue;
    readEarly += more;
    for (Operation *op : slice)
      stages[op] = Stage::Lead;
  }
  return std::nullopt;
}

} // namespace tawa
