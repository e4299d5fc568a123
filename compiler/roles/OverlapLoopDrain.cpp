// Finds the code after a rotated loop up to the first dependent product, and issues it in the drain.
#include "compiler/roles/OverlapLoopDrain.h"

#include "compiler/analysis/DotKind.h"
#include "compiler/roles/StartDot.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tawa {

namespace {

using Ops = llvm::SetVector<Operation *>;

bool isSlot(Operation *op) { return isa<ws::GetOp, ws::ConsumedOp>(op); }
bool isFree(Operation *op) { return isa<tt::DotOp>(op) || isMemoryEffectFree(op); }

llvm::SetVector<Value> operandsOf(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  return operands;
}

bool usesAny(Operation *op, const llvm::DenseSet<Value> &values) {
  return llvm::any_of(operandsOf(op), [&](Value value) { return values.contains(value); });
}

/// The code after a branch, up to the first product that depends on another one.
class Tail {
public:
  Tail(const StageDrain &drain, int64_t mostElements)
      : drain(drain), branch(drain.branch), mostElements(mostElements) {}

  bool find() {
    llvm::DenseSet<Value> late = drainSums(), products;
    for (Operation *op = branch->getNextNode(); op && !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
      auto dot = dyn_cast<tt::DotOp>(op);
      bool followsProduct = !continuesFirst(dot) && usesAny(op, products);
      if (dot && followsProduct) {
        cut = dot;
        packed = dot.getA();
        break;
      }
      if (isa<LoopLikeOpInterface, scf::IfOp>(op) || (!isSlot(op) && !isFree(op)))
        return false; // nothing but slots may change its order
      if (dot && !takeFirst(dot, late))
        return false;
      if (dot || followsProduct)
        products.insert(op->result_begin(), op->result_end());
      if (usesAny(op, late))
        late.insert(op->result_begin(), op->result_end());
      between.push_back(op);
    }
    return cut && !first.empty() && leadIsReady(late);
  }

  void move() {
    keepSlotsAfter();
    scf::IfOp wider = widen();
    clone(wider.elseBlock());
    IRMapping map = clone(wider.thenBlock());
    replaceAfter(wider);
    reorder(wider.thenBlock(), map);
    for (Operation *op : llvm::reverse(between))
      op->erase();
    branch.erase();
  }

private:
  /// Results of the branch that only the drain's waits give.
  llvm::DenseSet<Value> drainSums() {
    llvm::DenseSet<Value> finished, found;
    for (Operation *op = drain.finish; op; op = op->getNextNode())
      finished.insert(op->result_begin(), op->result_end());
    for (auto [result, value] : llvm::zip(branch.getResults(), branch.thenYield().getOperands()))
      if (finished.contains(value))
        found.insert(result);
    return found;
  }

  /// Whether a product only adds to the sum of the last one that is issued early.
  bool continuesFirst(tt::DotOp dot) { return dot && !first.empty() && continuedDot(dot) == first.back(); }

  /// A product that can be issued before the drain's: no larger than the loop's own, so that registers suffice.
  bool takeFirst(tt::DotOp dot, const llvm::DenseSet<Value> &late) {
    auto role = dot->getParentOfType<ws::WarpGroupOp>();
    DotPlan plan = planDot(dot, role.getWarps());
    bool isAsync = plan.unit == DotUnit::Wgmma && plan.promoteEvery == 0;
    bool fits = cast<RankedTensorType>(dot.getType()).getNumElements() <= mostElements;
    if (!isAsync || !fits || (!first.empty() && !continuesFirst(dot)) || usesAny(dot, late))
      return false;
    first.push_back(dot);
    return true;
  }

  /// The operands of the products: slots, and operations without effects.
  bool leadIsReady(const llvm::DenseSet<Value> &late) {
    for (tt::DotOp dot : first)
      lead.insert(dot);
    for (size_t at = 0; at < lead.size(); ++at)
      for (Value operand : operandsOf(lead[at]))
        if (Operation *op = operand.getDefiningOp(); op && llvm::is_contained(between, op))
          lead.insert(op);
    return llvm::none_of(lead, [&](Operation *op) { return usesAny(op, late) || isa<ws::ConsumedOp>(op); });
  }

  /// Whether a slot is released that was got before the branch.
  bool endsEarlierSlot(Operation *op) {
    auto release = dyn_cast<ws::ConsumedOp>(op);
    return release && llvm::none_of(between, [&](Operation *other) {
             auto get = dyn_cast<ws::GetOp>(other);
             return get && get.getAref() == release.getAref() && get.getIndex() == release.getIndex();
           });
  }

  /// Slots that only the moved part uses stay with it, and those got before the branch are released after it.
  void keepSlotsAfter() {
    Ops stays;
    for (Operation *op : llvm::reverse(between)) {
      if (endsEarlierSlot(op))
        stays.insert(op);
      bool isTile = isa<ws::GetOp, tt::TransOp>(op) && !lead.contains(op);
      if (isTile && llvm::none_of(op->getUsers(), [&](Operation *user) { return isMoved(user, stays); }))
        stays.insert(op);
    }
    llvm::erase_if(between, [&](Operation *op) { return stays.contains(op); });
  }

  bool isMoved(Operation *user, const Ops &stays) {
    Operation *here = branch->getBlock()->findAncestorOpInBlock(*user);
    return llvm::is_contained(between, here) && !stays.contains(here);
  }

  bool isUsedAfter(Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *here = branch->getBlock()->findAncestorOpInBlock(*user);
      return !llvm::is_contained(between, here);
    });
  }

  /// A branch whose results are those of its old results and of the moved values that are used after it.
  scf::IfOp widen() {
    SmallVector<Type> types;
    auto add = [&](Value value) {
      if (isUsedAfter(value))
        given.push_back(value), types.push_back(value.getType());
    };
    llvm::for_each(branch.getResults(), add);
    for (Operation *op : between)
      llvm::for_each(op->getResults(), add);
    OpBuilder builder(branch);
    auto wider = builder.create<scf::IfOp>(branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
    for (auto [from, to] : llvm::zip(branch->getRegions(), wider->getRegions()))
      to.takeBody(from);
    return wider;
  }

  /// Puts a copy at the end of a block of the branch; says what its values are called there.
  IRMapping clone(Block *block) {
    auto yield = cast<scf::YieldOp>(block->getTerminator());
    IRMapping map;
    map.map(branch.getResults(), yield.getOperands());
    OpBuilder builder(yield);
    for (Operation *op : between)
      builder.clone(*op, map);
    SmallVector<Value> values;
    for (Value value : given)
      values.push_back(map.lookup(value));
    builder.create<scf::YieldOp>(yield.getLoc(), values);
    yield.erase();
    return map;
  }

  void replaceAfter(scf::IfOp wider) {
    for (auto [value, result] : llvm::zip(given, wider.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !llvm::is_contained(between, branch->getBlock()->findAncestorOpInBlock(*use.getOwner()));
      });
  }

  /// Issues the first products before the drain's, and places the drain's waits before their dependents: operations
  /// that use a sum, or write registers that its products still read.
  void reorder(Block *block, const IRMapping &map) {
    SmallVector<Operation *> finish;
    Operation *start = map.lookup(between.front());
    for (Operation *op = drain.finish; op != start; op = op->getNextNode())
      finish.push_back(op);
    issueEarly(map);
    SmallVector<Operation *> late = lateIn(block, finish, map);
    Operation *yield = block->getTerminator();
    for (Operation *op : finish)
      op->moveBefore(yield);
    for (Operation *op : late)
      op->moveBefore(yield);
  }

  /// The wait takes the place of the first product: nothing before the last one's place needs the sum, but slots may be
  /// released there.
  void issueEarly(const IRMapping &map) {
    OpBuilder builder(drain.first);
    SmallVector<tt::DotOp> dots;
    Value sum;
    for (Operation *op : between) {
      if (!lead.contains(op))
        continue;
      Operation *copy = map.lookup(op);
      if (auto dot = dyn_cast<tt::DotOp>(copy)) {
        sum = startDot(builder, dot, dot.getA(), dot.getB(), sum ? sum : dot.getC());
        dots.push_back(dot);
      } else {
        copy->moveBefore(drain.first);
      }
    }
    builder.setInsertionPoint(dots.front());
    tt::DotOp last = dots.back();
    last.replaceAllUsesWith(
        builder.create<ws::DotWaitOp>(last.getLoc(), last.getType(), sum, pendingsAfter(drain.issued)).getResult());
    for (tt::DotOp dot : llvm::reverse(dots))
      dot.erase();
  }

  SmallVector<Operation *> lateIn(Block *block, ArrayRef<Operation *> finish, const IRMapping &map) {
    llvm::DenseSet<Value> values;
    for (Operation *op : finish)
      values.insert(op->result_begin(), op->result_end());
    Value written = map.lookupOrDefault(packed);
    SmallVector<Operation *> late;
    for (Operation *op = finish.back()->getNextNode(); !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode())
      if (usesAny(op, values) || (written.getDefiningOp() == op && isPure(op))) {
        late.push_back(op);
        values.insert(op->result_begin(), op->result_end());
      }
    return late;
  }

  const StageDrain &drain;
  scf::IfOp branch;
  int64_t mostElements;
  tt::DotOp cut; ///< The first product that depends on another one after the branch.
  Value packed;  ///< What it reads from registers, which the drain's products may still be reading.
  SmallVector<tt::DotOp> first;
  Ops lead;
  SmallVector<Operation *> between; ///< What is moved, in order.
  SmallVector<Value> given;         ///< What the new branch gives.
};

} // namespace

bool runTailUnderDrain(const StageDrain &drain, int64_t elements) {
  Tail tail(drain, elements);
  if (!tail.find())
    return false;
  tail.move();
  return true;
}

} // namespace tawa
