// DeferSums: moves the cross-lane part of a loop-carried sum from every iteration to after the loop.
//
//   for iter_args(%l = %l0)                        for iter_args(%l = %l0 / 4)
//     %s = (a + b) + (c + d)                         %c0 = %l * %scale + a; %c1 = b
//     %t = %s + shuffle %s 1                  ->     %c0 = %c0 + c; %c1 = %c1 + d
//     %u = %t + shuffle %t 2                         yield %c0 + %c1
//     yield %l * %scale + %u                       %t = .. + shuffle 1; %u = %t + shuffle 2
//
// Each lane carries its part of the sum; a factor equal in all of them distributes. The initial value is split evenly,
// which is exact. In the loop the registers are summed in two chains that begin with the carried value: this needs the
// factor at once, so ptxas, which sinks what is needed late, computes it, and everything else scaled by it, early.
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"

#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tawa-defer-sums"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_DEFERSUMS
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

namespace {

/// The lane distance of a butterfly; 0 for any other shuffle.
int64_t distanceOf(sm90::ShuffleOp shuffle) {
  APInt distance;
  bool isButterfly = shuffle && shuffle.getMode() == sm90::ShuffleMode::Bfly;
  return isButterfly && matchPattern(shuffle.getLane(), m_ConstantInt(&distance)) ? distance.getSExtValue() : 0;
}

/// The lane distance at which this operation combines a value with another lane's; 0 where it does not.
int64_t exchangeOf(Operation *op) {
  if (!op || op->getNumOperands() != 2 || !op->hasTrait<OpTrait::IsCommutative>())
    return 0;
  auto own = op->getOperand(0), other = op->getOperand(1);
  if (auto shuffle = own.getDefiningOp<sm90::ShuffleOp>(); shuffle && shuffle.getValue() == other)
    return distanceOf(shuffle);
  auto shuffle = other.getDefiningOp<sm90::ShuffleOp>();
  return shuffle && shuffle.getValue() == own ? distanceOf(shuffle) : 0;
}

/// Values that are equal in lanes that differ by `distance`.
class Uniformity {
public:
  explicit Uniformity(int64_t distance) : distance(distance) {}

  bool holds(Value value) {
    auto [entry, isNew] = known.try_emplace(value, true); // optimistic for loop-carried values, until refuted
    if (!isNew)
      return entry->second;
    bool result = find(value);
    known[value] = result;
    return result;
  }

private:
  bool find(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop)
        return !isa<scf::WhileOp>(parent); // parameters of the kernel
      if (argument == loop.getInductionVar())
        return holds(loop.getLowerBound()) && holds(loop.getStep());
      return holds(loop.getTiedLoopInit(argument)->get()) && holds(loop.getTiedLoopYieldedValue(argument)->get());
    }
    Operation *op = value.getDefiningOp();
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return holds(loop.getRegionIterArg(index));
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return holds(branch.thenYield().getOperand(index)) && holds(branch.elseYield().getOperand(index));
    if (exchangeOf(op) == distance)
      return true;
    if (auto shuffle = dyn_cast<sm90::ShuffleOp>(op))
      return isBroadcast(shuffle) || (distanceOf(shuffle) != 0 && holds(shuffle.getValue()));
    if (auto load = dyn_cast<sm90::LoadSharedOp>(op)) // of the same bytes at the same time
      return !load.getPredicate() && holds(load.getAddress());
    if (leavesOutLanes(op))
      return true;
    bool computes = isPure(op) && op->getNumRegions() == 0 && !isa<sm90::SpecialRegisterOp>(op);
    return computes && llvm::all_of(op->getOperands(), [&](Value operand) { return holds(operand); });
  }

  /// From one lane to all.
  static bool isBroadcast(sm90::ShuffleOp shuffle) {
    return shuffle.getMode() == sm90::ShuffleMode::Idx && matchPattern(shuffle.getLane(), m_Constant());
  }

  /// Bits of the lane's number without those in which the lanes differ.
  bool leavesOutLanes(Operation *op) const {
    APInt mask;
    auto bits = dyn_cast<arith::AndIOp>(op);
    auto number = bits ? bits.getLhs().getDefiningOp<sm90::SpecialRegisterOp>() : sm90::SpecialRegisterOp();
    return number && number.getWhich() == sm90::SpecialRegister::LaneId &&
           matchPattern(bits.getRhs(), m_ConstantInt(&mask)) && (mask.getZExtValue() & distance) == 0;
  }

  int64_t distance;
  DenseMap<Value, bool> known;
};

/// One carried value of that form.
struct LaneSum {
  arith::AddFOp next;                ///< Carried on.
  arith::MulFOp scaled;              ///< What was there, times the factor.
  SmallVector<arith::AddFOp> stages; ///< Exchanges between lanes, the first one first.
  SmallVector<int64_t> distances;
  SmallVector<Value> leaves;     ///< The terms of one lane.
  SmallVector<Operation *> tree; ///< Its additions.
};

/// Collects the leaves of a tree of additions whose inner nodes have no other use.
void collectLeaves(Value value, LaneSum &sum) {
  auto add = value.getDefiningOp<arith::AddFOp>();
  bool isInner = add && arith::bitEnumContainsAll(add.getFastmath(), arith::FastMathFlags::contract) &&
                 (sum.tree.empty() || add->hasOneUse());
  if (!isInner) {
    sum.leaves.push_back(value);
    return;
  }
  sum.tree.push_back(add);
  collectLeaves(add.getLhs(), sum);
  collectLeaves(add.getRhs(), sum);
}

/// The sum of `argument`, if it is one: argument * factor + what several lanes have.
std::optional<LaneSum> matchSum(scf::ForOp loop, BlockArgument argument, PassCounter &kept) {
  auto keep = [&](StringRef why) { return kept.because(loop, why), std::nullopt; };
  LaneSum sum;
  StringRef otherForm = "is not itself times a factor plus something else, in f32 and for this alone";
  if (!argument.getType().isF32() || !argument.hasOneUse())
    return keep(otherForm);
  sum.scaled = dyn_cast<arith::MulFOp>(*argument.user_begin());
  sum.next = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<arith::AddFOp>();
  if (!sum.scaled || !sum.next || !sum.scaled->hasOneUse() || !sum.next->hasOneUse() ||
      sum.scaled->getBlock() != loop.getBody() || sum.next->getBlock() != loop.getBody())
    return keep(otherForm);
  bool first = sum.next.getLhs() == sum.scaled.getResult();
  if (!first && sum.next.getRhs() != sum.scaled.getResult())
    return keep(otherForm);
  Value rest = first ? sum.next.getRhs() : sum.next.getLhs();
  for (auto stage = rest.getDefiningOp<arith::AddFOp>(); int64_t distance = exchangeOf(stage);
       stage = rest.getDefiningOp<arith::AddFOp>()) {
    bool isFirst = isa_and_nonnull<sm90::ShuffleOp>(stage.getLhs().getDefiningOp());
    rest = isFirst ? stage.getRhs() : stage.getLhs();
    if (!stage->hasOneUse() && sum.stages.empty())
      return keep("what the lanes exchanged is used by something else");
    sum.stages.insert(sum.stages.begin(), stage);
    sum.distances.insert(sum.distances.begin(), distance);
  }
  if (sum.stages.empty())
    return keep("what is added was not exchanged between lanes");
  Value factor = sum.scaled.getLhs() == argument ? sum.scaled.getRhs() : sum.scaled.getLhs();
  for (int64_t distance : sum.distances)
    if (!Uniformity(distance).holds(factor))
      return keep("its factor may differ between the lanes");
  collectLeaves(rest, sum);
  return sum;
}

void defer(scf::ForOp loop, BlockArgument argument, LaneSum &sum) {
  Location loc = sum.next.getLoc();
  OpBuilder builder(loop);
  OpOperand &init = *loop.getTiedLoopInit(argument);
  auto share = builder.create<arith::ConstantOp>(loc, builder.getF32FloatAttr(1.0f / float(1 << sum.stages.size())));
  init.set(builder.create<arith::MulFOp>(loc, init.get(), share));

  builder.setInsertionPoint(sum.next);
  auto contracted = arith::FastMathFlags::contract;
  Value chains[2] = {sum.scaled, Value()};
  for (auto [index, leaf] : llvm::enumerate(sum.leaves)) {
    Value &chain = chains[index % 2];
    chain = chain ? builder.create<arith::AddFOp>(loc, chain, leaf, contracted).getResult() : leaf;
  }
  Value total =
      chains[1] ? builder.create<arith::AddFOp>(loc, chains[0], chains[1], contracted).getResult() : chains[0];
  loop.getTiedLoopYieldedValue(argument)->set(total);

  builder.setInsertionPointAfter(loop);
  OpResult result = loop.getTiedLoopResult(argument);
  Value all = result;
  SmallPtrSet<Operation *, 8> own;
  for (int64_t distance : sum.distances) {
    auto lane = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(distance));
    auto other = builder.create<sm90::ShuffleOp>(loc, all.getType(), sm90::ShuffleMode::Bfly, all, lane);
    auto both = builder.create<arith::AddFOp>(loc, all, other);
    own.insert(other);
    own.insert(both);
    all = both;
  }
  result.replaceAllUsesExcept(all, own);

  sum.next.erase();
  for (arith::AddFOp stage : llvm::reverse(sum.stages)) {
    auto shuffle = stage.getLhs().getDefiningOp<sm90::ShuffleOp>();
    if (!shuffle)
      shuffle = stage.getRhs().getDefiningOp<sm90::ShuffleOp>();
    stage.erase();
    shuffle.erase();
  }
  for (Operation *add : sum.tree) // each before its operands
    add->erase();
}

struct DeferSumsPass : impl::DeferSumsBase<DeferSumsPass> {
  using DeferSumsBase::DeferSumsBase;

  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      for (BlockArgument argument : loop.getRegionIterArgs())
        if (auto sum = matchSum(loop, argument, kept)) {
          deferred.at(loop);
          defer(loop, argument, *sum);
        }
    });
  }
};

} // namespace
} // namespace tawa
