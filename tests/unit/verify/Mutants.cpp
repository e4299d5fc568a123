// Mutations of kernels with roles, each one protocol mistake. Changes equivalent to the kernel are not mistakes and are
// not made: see the conditions.
#include "MutantKinds.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

namespace tawa::test {

namespace {

/// A release in a first iteration that stands before its loop: n - n is not at least one.
bool neverHappens(Operation *op) {
  auto release = dyn_cast<ws::ConsumedOp>(op);
  auto compare =
      release && release.getCondition() ? release.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto distance = compare ? compare.getLhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return distance && distance.getLhs() == distance.getRhs();
}

/// Ping-pong operations, which only some kernels have.
template <typename Op> void addPingPong(std::vector<Mutation> &all, const std::string &name) {
  auto hasCondition = [](Op op) { return static_cast<bool>(op.getCondition()); };
  all.push_back(drop<Op>(name));
  all.push_back(repeat<Op>(name));
  all.push_back(at<Op>("invert condition of " + name, [](Op op) { invert(op, 0); }, hasCondition));
  all.push_back(at<Op>("drop condition of " + name, [](Op op) { op.getConditionMutable().clear(); }, hasCondition));
  all.push_back(at<Op>("next number of " + name, [](Op op) { op.setGroup((op.getGroup() + 1) % 2); }));
}

/// A pass to the next group before what it protects.
Mutation passEarly() {
  auto loopBefore = [](ws::PingPongPassOp op) -> Operation * {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<scf::ForOp>(before))
        return before;
    return nullptr;
  };
  return at<ws::PingPongPassOp>(
      "pingpong_pass before the loop", [=](ws::PingPongPassOp op) { op->moveBefore(loopBefore(op)); },
      [=](ws::PingPongPassOp op) { return loopBefore(op) != nullptr; });
}

bool hasRings(Operation *loop) {
  bool has = false;
  loop->walk([&](Operation *op) { has |= isa<ws::PutOp, ws::GetOp>(op); });
  return has;
}

/// One role's loop that ends on a condition begins, goes on or hands on its counters otherwise than the others'.
void addWhile(std::vector<Mutation> &all) {
  all.push_back(invertWhile(hasRings));
  auto shiftFirst = [](Operation *op) {
    auto *counter =
        llvm::find_if(op->getOpOperands(), [](OpOperand &use) { return use.get().getType().isInteger(32); });
    shift(op, counter->getOperandNumber(), 1);
  };
  all.push_back(at<scf::WhileOp>("first value of scf.while + 1", shiftFirst, hasRings));
  all.push_back(at<scf::WhileOp>(
      "next value of scf.while + 1", [=](scf::WhileOp loop) { shiftFirst(loop.getYieldOp()); }, hasRings));
  all.push_back(at<scf::WhileOp>(
      "counter of scf.while handed on as 0",
      [](scf::WhileOp loop) {
        scf::ConditionOp condition = loop.getConditionOp();
        replace(condition, condition->getNumOperands() - 1, 0);
      },
      hasRings));
}

/// One role runs one more iteration of a loop than the others assume.
Mutation oneRoundMore(bool atBegin) {
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

/// Whether a value says which programs of a cluster share a tile.
bool decidesSharing(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    if (auto put = dyn_cast<ws::PutOp>(use.getOwner()))
      return llvm::is_contained(put.getMulticast(), use.get());
    return isa<arith::AndIOp, arith::SelectOp, arith::ExtUIOp>(use.getOwner()) &&
           decidesSharing(use.getOwner()->getResult(0));
  });
}

OpOperand *sharingOf(ws::PutOp put) {
  for (OpOperand &bits : put.getMulticastMutable())
    if (!matchPattern(bits.get(), m_Constant()))
      return &bits;
  return nullptr;
}

int64_t allPrograms(Operation *op) { return ws::kClusterAttr.get(op->getParentOfType<tt::FuncOp>()).value_or(1) - 1; }

/// Programs of a cluster load a tile for others that need another one, or that do not expect it.
void addSharing(std::vector<Mutation> &all) {
  auto isShared = [](tt::DescriptorLoadOp load) {
    auto put = dyn_cast<ws::PutOp>(*load->user_begin());
    return put && sharingOf(put);
  };
  auto decides = [](auto op) { return decidesSharing(op.getResult()); };
  auto findsNeighbour = [](arith::XOrIOp op) { return op.getLhs().getDefiningOp<tt::GetProgramIdOp>() != nullptr; };
  auto bitsOf = [](arith::SelectOp op) {
    APInt bits;
    return matchPattern(op.getTrueValue(), m_ConstantInt(&bits)) ? bits.getSExtValue() : int64_t{-1};
  };
  all.push_back(at<ws::PutOp>(
      "tile shared unasked", [](ws::PutOp op) { replace(op, sharingOf(op)->getOperandNumber(), allPrograms(op)); },
      sharingOf));
  all.push_back(at<tt::DescriptorLoadOp>(
      "shared tile of one's own",
      [](tt::DescriptorLoadOp op) {
        OpBuilder builder(op);
        Value program = builder.create<tt::GetProgramIdOp>(op.getLoc(), builder.getI32Type(), tt::ProgramDim::X);
        OpOperand &index = op.getIndicesMutable()[0];
        index.set(builder.create<arith::AddIOp>(op.getLoc(), index.get(), program));
      },
      isShared));
  all.push_back(
      at<arith::XOrIOp>("compared with oneself", [](arith::XOrIOp op) { replace(op, 1, 0); }, findsNeighbour));
  all.push_back(at<arith::XOrIOp>(
      "compared with another cluster", [](arith::XOrIOp op) { shift(op, 1, allPrograms(op) + 1); }, findsNeighbour));
  all.push_back(at<arith::CmpIOp>(
      "shared if tiles differ", [](arith::CmpIOp op) { op.setPredicate(arith::CmpIPredicate::ne); }, decides));
  all.push_back(
      at<arith::AndIOp>("one comparison less", [](arith::AndIOp op) { op.replaceAllUsesWith(op.getLhs()); }, decides));
  all.push_back(at<arith::SelectOp>(
      "shared by more", [](arith::SelectOp op) { replace(op, 1, allPrograms(op)); },
      [=](arith::SelectOp op) { return decides(op) && bitsOf(op) != allPrograms(op); }));
}

} // namespace

std::vector<Mutation> roleMutations() {
  using namespace ws;
  auto isConditional = [](ConsumedOp op) { return static_cast<bool>(op.getCondition()) && !neverHappens(op); };
  auto happens = [](ConsumedOp op) { return !neverHappens(op); };
  // After a loop with an iteration, the last slot is always there to be released.
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
      drop<ProducerTailOp>("producer_tail"),
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
  auto putsNumber = [](PutOp op) { return op.getAref().getType().holdsNumber(); };
  all.push_back(at<PutOp>("another number put", [](PutOp op) { shift(op, 2, 1); }, putsNumber));
  addPingPong<PingPongWaitOp>(all, "pingpong_wait");
  addPingPong<PingPongPassOp>(all, "pingpong_pass");
  addWhile(all);
  addSharing(all);
  auto depthOf = [](Operation *op) { return cast<ArefType>(op->getOperand(0).getType()).getDepth(); };
  auto shiftIndex = [&]<typename Op>(const std::string &name, std::type_identity<Op>) {
    auto wanted = [](Op op) { return !neverHappens(op); };
    auto shiftBy = [&](const std::string &amount, const std::function<int64_t(Op)> &by) {
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
  shiftIndex("producer_tail", std::type_identity<ProducerTailOp>());
  return all;
}

} // namespace tawa::test
