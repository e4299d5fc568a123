// See Mutants.h. Each kind finds its places by walking; what is changed is one operation, operand or attribute.
#include "Mutants.h"

#include "compiler/dialect/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <type_traits>

using namespace mlir;

namespace tawa::test {

namespace {

/// The operation of this type with this number, in the order of the text.
template <typename Op> Op nth(ModuleOp module, unsigned place, llvm::function_ref<bool(Op)> wanted = nullptr) {
  Op found;
  module.walk([&](Op op) {
    if (wanted && !wanted(op))
      return WalkResult::advance();
    if (place-- != 0)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

template <typename Op> using Change = std::function<void(Op)>;

template <typename Op> Mutation at(std::string name, Change<Op> change, std::function<bool(Op)> wanted = nullptr) {
  auto apply = [=](ModuleOp module, unsigned place) {
    Op op = nth<Op>(module, place, wanted ? llvm::function_ref<bool(Op)>(wanted) : nullptr);
    if (op)
      change(op);
    return static_cast<bool>(op);
  };
  return {std::move(name), apply};
}

template <typename Op> Mutation drop(std::string name, std::function<bool(Op)> wanted = nullptr) {
  return at<Op>("drop " + name, [](Op op) { op->erase(); }, wanted);
}

template <typename Op> Mutation repeat(std::string name, std::function<bool(Op)> wanted = nullptr) {
  return at<Op>("repeat " + name, [](Op op) { OpBuilder(op).clone(*op); }, wanted);
}

Value constant(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value));
}

/// Adds to an operand.
void shift(Operation *op, unsigned operand, int64_t amount) {
  OpBuilder builder(op);
  Value value = op->getOperand(operand);
  Value delta = constant(builder, op->getLoc(), value.getType(), amount);
  op->setOperand(operand, builder.create<arith::AddIOp>(op->getLoc(), value, delta));
}

void replace(Operation *op, unsigned operand, int64_t value) {
  OpBuilder builder(op);
  op->setOperand(operand, constant(builder, op->getLoc(), op->getOperand(operand).getType(), value));
}

void invert(Operation *op, unsigned operand) {
  OpBuilder builder(op);
  Value value = op->getOperand(operand), one = constant(builder, op->getLoc(), value.getType(), 1);
  op->setOperand(operand, builder.create<arith::XOrIOp>(op->getLoc(), value, one));
}

/// A counter that goes up by one where a loop hands it on, for counters of protocols: i32.
bool advancesCounter(arith::AddIOp add) {
  APInt one;
  return add.getType().isInteger(32) && matchPattern(add.getRhs(), m_ConstantInt(&one)) && one == 1 &&
         llvm::any_of(add->getUses(), [](OpOperand &use) {
           Operation *around = use.getOwner()->getParentOp();
           bool isRead = isa<scf::ForOp>(around) || (around->getNumResults() > use.getOperandNumber() &&
                                                     !around->getResult(use.getOperandNumber()).use_empty());
           return isa<scf::YieldOp>(use.getOwner()) && isRead;
         });
}

/// The operation moves in front of the last `Before`, with the values that it needs.
template <typename Before, typename Op>
Mutation hastenWithOperands(std::string name, std::function<bool(Op)> alsoWanted) {
  auto change = [](Op op) {
    Operation *before = op->getPrevNode();
    while (!isa<Before>(before))
      before = before->getPrevNode();
    std::function<void(Operation *)> move = [&](Operation *moved) {
      for (Value operand : moved->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && maker->getBlock() == before->getBlock() && before->isBeforeInBlock(maker))
          move(maker);
      moved->moveBefore(before);
    };
    move(op);
  };
  auto wanted = [=](Op op) {
    if (!alsoWanted(op))
      return false;
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<Before>(before))
        return true;
    return false;
  };
  return at<Op>("hasten " + name, change, wanted);
}

bool inLoop(Operation *op) { return op->getParentOfType<scf::ForOp>() != nullptr; }

/// A release in a first iteration that stands before its loop: n - n is not at least one.
bool neverHappens(Operation *op) {
  auto release = dyn_cast<ws::ConsumedOp>(op);
  auto compare =
      release && release.getCondition() ? release.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto distance = compare ? compare.getLhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return distance && distance.getLhs() == distance.getRhs();
}

/// Operations of turns, of which there are only some in kernels whose groups take turns.
template <typename Turn> void addTurns(std::vector<Mutation> &all, const std::string &name) {
  auto hasCondition = [](Turn op) { return static_cast<bool>(op.getCondition()); };
  all.push_back(drop<Turn>(name));
  all.push_back(repeat<Turn>(name));
  all.push_back(at<Turn>("invert condition of " + name, [](Turn op) { invert(op, 0); }, hasCondition));
  all.push_back(at<Turn>("drop condition of " + name, [](Turn op) { op.getConditionMutable().clear(); }, hasCondition));
  all.push_back(at<Turn>("next number of " + name, [](Turn op) { op.setTurn((op.getTurn() + 1) % 2); }));
}

/// A turn that is passed before what it protects.
Mutation passEarly() {
  auto loopBefore = [](ws::PassTurnOp op) -> Operation * {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<scf::ForOp>(before))
        return before;
    return nullptr;
  };
  return at<ws::PassTurnOp>(
      "pass_turn before the loop", [=](ws::PassTurnOp op) { op->moveBefore(loopBefore(op)); },
      [=](ws::PassTurnOp op) { return loopBefore(op) != nullptr; });
}

/// One role goes round a loop once more than the others think.
Mutation oneRoundMore(bool atBegin) {
  auto hasRings = [](scf::ForOp loop) {
    bool has = false;
    loop.walk([&](Operation *op) { has |= isa<ws::PutOp, ws::GetOp>(op); });
    return has;
  };
  auto change = [=](scf::ForOp loop) {
    OpBuilder builder(loop);
    if (atBegin)
      loop.setLowerBound(builder.create<arith::SubIOp>(loop.getLoc(), loop.getLowerBound(), loop.getStep()));
    else
      loop.setUpperBound(builder.create<arith::AddIOp>(loop.getLoc(), loop.getUpperBound(), loop.getStep()));
  };
  return at<scf::ForOp>(atBegin ? "a round more at the beginning" : "a round more at the end", change, hasRings);
}

/// A ring that is too short for the dots in flight.
Mutation fewerSlots() {
  auto change = [](ws::CreateArefOp op) {
    Value aref = op.getAref();
    auto type = cast<ws::ArefType>(aref.getType());
    aref.setType(ws::ArefType::get(op.getContext(), 1, type.getPayload()));
  };
  // One slot is enough unless a second one is borrowed before the first is given back.
  auto borrowsTwo = [](ws::CreateArefOp op) {
    bool isDelayed = llvm::any_of(op.getAref().getUsers(), [](Operation *user) {
      auto release = dyn_cast<ws::ConsumedOp>(user);
      return release && release.getCondition();
    });
    return isDelayed && op.getAref().getType().getDepth() > 1;
  };
  return at<ws::CreateArefOp>("one slot", change, borrowsTwo);
}

} // namespace

std::vector<Mutation> roleMutations() {
  using namespace ws;
  auto isConditional = [](ConsumedOp op) { return static_cast<bool>(op.getCondition()) && !neverHappens(op); };
  auto happens = [](ConsumedOp op) { return !neverHappens(op); };
  // Behind a loop that has an iteration, the last slot is always there to be given back.
  auto mayBeMissing = [=](ConsumedOp op) {
    auto index = op.getIndex().getDefiningOp<arith::SubIOp>();
    APInt distance;
    bool isLast = index && matchPattern(index.getRhs(), m_ConstantInt(&distance)) && distance == 1;
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    bool isFirstElsewhere = loop && loop.getLowerBound().getDefiningOp<arith::AddIOp>(); // stands before the loop
    return isConditional(op) && ((loop && !isFirstElsewhere) || !isLast);
  };
  // Nothing is in flight where no dot was issued, or where each was waited for.
  auto hasInFlight = [](DotWaitOp op) {
    if (op.getAccumulator().getDefiningOp<DotBeginOp>())
      return false;
    auto issue = op.getAccumulator().getDefiningOp<DotIssueOp>();
    bool isOnlyOne = issue && issue.getAccumulator().getDefiningOp<DotBeginOp>() && isa<InflightType>(op.getType());
    if (isOnlyOne && op.getPendings() != 0)
      return false;
    auto loop = op.getAccumulator().getDefiningOp<scf::ForOp>();
    if (!loop)
      return true;
    unsigned index = cast<OpResult>(op.getAccumulator()).getResultNumber();
    auto last = loop.getYieldedValues()[index].getDefiningOp<DotWaitOp>();
    return !last || last.getPendings() != 0;
  };
  std::vector<Mutation> all = {
      drop<PutOp>("put"),
      drop<ConsumedOp>("consumed", happens),
      repeat<PutOp>("put"),
      repeat<GetOp>("get"),
      repeat<ConsumedOp>("consumed", happens),
      at<DotWaitOp>(
          "wait for one dot less", [](DotWaitOp op) { op.setPendings(op.getPendings() + 1); }, hasInFlight),
      at<DotWaitOp>(
          "drop wait for dots",
          [](DotWaitOp op) {
            op.getResult().replaceAllUsesWith(op.getAccumulator());
            op->erase();
          },
          [=](DotWaitOp op) { return isa<InflightType>(op.getResult().getType()) && hasInFlight(op); }),
      at<ConsumedOp>(
          "drop condition of consumed", [](ConsumedOp op) { op.getConditionMutable().clear(); }, mayBeMissing),
      at<ConsumedOp>(
          "invert condition of consumed", [](ConsumedOp op) { invert(op, 2); }, isConditional),
      hastenWithOperands<DotWaitOp, ConsumedOp>("consumed before the wait for its dot", happens),
      hastenWithOperands<DotIssueOp, ConsumedOp>("consumed before its dot", happens),
      at<arith::AddIOp>(
          "count two", [](arith::AddIOp op) { replace(op, 1, 2); }, advancesCounter),
      at<arith::AddIOp>(
          "count none", [](arith::AddIOp op) { replace(op, 1, 0); }, advancesCounter),
      oneRoundMore(true),
      oneRoundMore(false),
      fewerSlots(),
      passEarly(),
      at<WarpGroupOp>(
          "24 registers more", [](WarpGroupOp op) { op.setRegisters(op.getRegisters() + 24); },
          [](WarpGroupOp op) { return op.getRegisters() != 0; }),
  };
  addTurns<AwaitTurnOp>(all, "await_turn");
  addTurns<PassTurnOp>(all, "pass_turn");
  auto depthOf = [](Operation *op) { return cast<ArefType>(op->getOperand(0).getType()).getDepth(); };
  auto shiftIndex = [&]<typename Op>(std::string name, std::type_identity<Op>) {
    auto wanted = [](Op op) { return !neverHappens(op); };
    auto shiftBy = [&](std::string amount, std::function<int64_t(Op)> by) {
      all.push_back(at<Op>("index of " + name + amount, [=](Op op) { shift(op, 1, by(op)); }, wanted));
    };
    shiftBy(" + 1", [](Op) { return 1; });
    shiftBy(" - 1", [](Op) { return -1; });
    shiftBy(" + D", [=](Op op) { return depthOf(op); });
    shiftBy(" + 2 D", [=](Op op) { return 2 * depthOf(op); });
    all.push_back(at<Op>(
        "index of " + name + " = 0", [](Op op) { replace(op, 1, 0); },
        [=](Op op) { return wanted(op) && inLoop(op); }));
  };
  shiftIndex("put", std::type_identity<PutOp>());
  shiftIndex("get", std::type_identity<GetOp>());
  shiftIndex("consumed", std::type_identity<ConsumedOp>());
  return all;
}

} // namespace tawa::test
