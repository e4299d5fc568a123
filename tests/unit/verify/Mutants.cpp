// See Mutants.h. Each kind finds its places by walking; what is changed is one operation, operand or attribute.
#include "Mutants.h"

#include "compiler/dialect/SM90/SM90.h"
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

template <typename Op>
Mutation at(std::string name, Change<Op> change, std::function<bool(Op)> wanted = nullptr, std::string harmless = "") {
  auto apply = [=](ModuleOp module, unsigned place) {
    Op op = nth<Op>(module, place, wanted ? llvm::function_ref<bool(Op)>(wanted) : nullptr);
    if (op)
      change(op);
    return static_cast<bool>(op);
  };
  return {std::move(name), apply, std::move(harmless)};
}

template <typename Op> Mutation drop(std::string name, std::function<bool(Op)> wanted = nullptr) {
  return at<Op>("drop " + name, [](Op op) { op->erase(); }, wanted);
}

template <typename Op> Mutation repeat(std::string name, std::string harmless = "") {
  return at<Op>("repeat " + name, [](Op op) { OpBuilder(op).clone(*op); }, nullptr, harmless);
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
         llvm::any_of(add->getUsers(), [](Operation *user) { return isa<scf::YieldOp>(user); });
}

/// The operation moves in front of the one before it that has to do with the protocol.
template <typename Before, typename Op> Mutation hasten(std::string name) {
  auto target = [](Op op) -> Operation * {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<Before>(before))
        return before;
    return nullptr;
  };
  auto movable = [=](Op op) {
    Operation *before = target(op);
    return before && llvm::all_of(op->getOperands(), [&](Value value) {
             Operation *maker = value.getDefiningOp();
             return !maker || maker->getBlock() != op->getBlock() || maker->isBeforeInBlock(before);
           });
  };
  return at<Op>("hasten " + name, [=](Op op) { op->moveBefore(target(op)); }, movable);
}

/// Where the values that the operation needs are made later than `Before`, they move as well.
template <typename Before, typename Op> Mutation hastenWithOperands(std::string name) {
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
  auto wanted = [](Op op) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<Before>(before))
        return true;
    return false;
  };
  return at<Op>("hasten " + name, change, wanted);
}

bool inLoop(Operation *op) { return op->getParentOfType<scf::ForOp>() != nullptr; }

/// Two panels stage the stores of a warp: what orders their reuse has nothing to order before the third store.
bool reusesStaging(Operation *op) {
  unsigned stores = 0;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    stores += isa<sm90::TmaStoreOp>(before);
  return stores >= 2 || inLoop(op);
}

bool ordersStaging(Operation *op) { return reusesStaging(op) || isa_and_nonnull<sm90::TmaStoreOp>(op->getNextNode()); }

} // namespace

std::vector<Mutation> roleMutations() {
  using namespace ws;
  auto depthOf = [](Operation *op) { return cast<ArefType>(op->getOperand(0).getType()).getDepth(); };
  std::vector<Mutation> all = {
      drop<PutOp>("put"),
      drop<ConsumedOp>("consumed"),
      repeat<PutOp>("put"),
      repeat<ConsumedOp>("consumed"),
      at<DotWaitOp>(
          "wait for one dot less", [](DotWaitOp op) { op.setPendings(op.getPendings() + 1); },
          [](DotWaitOp op) { return isa<InflightType>(op.getResult().getType()); }),
      at<DotWaitOp>(
          "drop wait for dots",
          [](DotWaitOp op) {
            op.getResult().replaceAllUsesWith(op.getAccumulator());
            op->erase();
          },
          [](DotWaitOp op) { return isa<InflightType>(op.getResult().getType()); }),
      at<ConsumedOp>(
          "drop condition of consumed", [](ConsumedOp op) { op.getConditionMutable().clear(); },
          [](ConsumedOp op) { return static_cast<bool>(op.getCondition()); }),
      at<ConsumedOp>(
          "invert condition of consumed", [](ConsumedOp op) { invert(op, 2); },
          [](ConsumedOp op) { return static_cast<bool>(op.getCondition()); }),
      hastenWithOperands<DotWaitOp, ConsumedOp>("consumed before the wait for its dot"),
      hastenWithOperands<DotIssueOp, ConsumedOp>("consumed before its dot"),
      at<arith::AddIOp>(
          "count two", [](arith::AddIOp op) { replace(op, 1, 2); }, advancesCounter),
      at<arith::AddIOp>(
          "count none", [](arith::AddIOp op) { replace(op, 1, 0); }, advancesCounter),
  };
  auto shiftIndex = [&]<typename Op>(std::string name, std::type_identity<Op>, std::string harmlessPhase = "") {
    for (int64_t amount : {1, -1})
      all.push_back(at<Op>(
          "index of " + name + (amount > 0 ? " + 1" : " - 1"), [=](Op op) { shift(op, 1, amount); },
          [=](Op op) { return depthOf(op) > 1; }));
    all.push_back(
        at<Op>("index of " + name + " + D", [=](Op op) { shift(op, 1, depthOf(op)); }, nullptr, harmlessPhase));
    all.push_back(at<Op>("index of " + name + " = 0", [](Op op) { replace(op, 1, 0); }, inLoop));
    all.push_back(at<Op>(
        "index of " + name + " + 2 D", [=](Op op) { shift(op, 1, 2 * depthOf(op)); }, nullptr,
        "slot and parity are those of two rounds earlier"));
  };
  shiftIndex("put", std::type_identity<PutOp>());
  shiftIndex("get", std::type_identity<GetOp>());
  shiftIndex("consumed", std::type_identity<ConsumedOp>(), "a release has a slot but no phase");
  return all;
}

std::vector<Mutation> machineMutations() {
  using namespace sm90;
  auto isReadable = [](WgmmaWaitOp op) {
    return llvm::any_of(op.getResultTypes(), [](Type type) { return isa<AccumulatorType>(type); });
  };
  auto gives = [](SetMaxRegistersOp op) { return op.getChange() == RegisterChange::Dec; };
  auto takes = [=](SetMaxRegistersOp op) { return !gives(op); };
  const char *idempotent = "doing it twice is doing it once";
  return {
      // Left out
      drop<MBarrierInitOp>("init"),
      drop<FenceMBarrierInitOp>("fence behind init"),
      drop<MBarrierWaitParityOp>("wait"),
      drop<MBarrierArriveOp>("arrive"),
      drop<MBarrierArriveExpectTxOp>("expect"),
      drop<TmaLoadOp>("load"),
      drop<BarrierSyncOp>("barrier"),
      drop<FenceProxyAsyncOp>("proxy fence"),
      drop<WarpSyncOp>("warp barrier", ordersStaging),
      drop<WgmmaFenceOp>("fence of registers"),
      drop<WgmmaCommitOp>("commit of dots"),
      drop<BulkCommitOp>("commit of stores"),
      drop<BulkWaitOp>("wait for stores", reusesStaging),
      drop<CpAsyncArriveOp>("arrival of copies"),
      drop<SetMaxRegistersOp>("giving registers", gives),
      // Once more
      repeat<MBarrierInitOp>("init"),
      repeat<MBarrierArriveOp>("arrive"),
      repeat<MBarrierArriveExpectTxOp>("expect"),
      repeat<TmaLoadOp>("load"),
      repeat<CpAsyncArriveOp>("arrival of copies"),
      repeat<MBarrierWaitParityOp>("wait", idempotent),
      repeat<FenceProxyAsyncOp>("proxy fence", idempotent),
      repeat<WarpSyncOp>("warp barrier", idempotent),
      repeat<BarrierSyncOp>("barrier", idempotent),
      repeat<WgmmaCommitOp>("commit of dots", "an empty group makes waits wait for more"),
      // Counted wrong
      at<MBarrierInitOp>("init with one more", [](MBarrierInitOp op) { op.setCount(op.getCount() + 1); }),
      at<MBarrierInitOp>(
          "init with one less", [](MBarrierInitOp op) { op.setCount(op.getCount() - 1); },
          [](MBarrierInitOp op) { return op.getCount() > 1; }),
      at<MBarrierArriveExpectTxOp>("16 bytes more", [](auto op) { shift(op, 1, 16); }),
      at<MBarrierArriveExpectTxOp>("16 bytes less", [](auto op) { shift(op, 1, -16); }),
      at<WgmmaWaitOp>(
          "wait for one group less", [](WgmmaWaitOp op) { op.setPendings(op.getPendings() + 1); }, inLoop),
      at<WgmmaWaitOp>(
          "accumulator read too early", [](WgmmaWaitOp op) { op.setPendings(op.getPendings() + 1); }, isReadable),
      at<BulkWaitOp>(
          "wait for one store less", [](BulkWaitOp op) { op.setPendings(op.getPendings() + 1); }, reusesStaging),
      at<BarrierSyncOp>("a warp more", [](BarrierSyncOp op) { op.setThreads(op.getThreads() + 32); }),
      at<BarrierSyncOp>("a warp less", [](BarrierSyncOp op) { op.setThreads(op.getThreads() - 32); }),
      at<SetMaxRegistersOp>(
          "24 registers more", [](auto op) { op.setCount(op.getCount() + 24); }, takes),
      at<SetMaxRegistersOp>(
          "24 registers kept", [](auto op) { op.setCount(op.getCount() + 24); }, gives),
      at<arith::AddIOp>(
          "count two", [](arith::AddIOp op) { replace(op, 1, 2); }, advancesCounter),
      at<arith::AddIOp>(
          "count none", [](arith::AddIOp op) { replace(op, 1, 0); }, advancesCounter),
      // Wrong phase
      at<MBarrierWaitParityOp>("invert parity", [](auto op) { invert(op, 1); }),
      at<MBarrierWaitParityOp>(
          "parity 0", [](auto op) { replace(op, 1, 0); }, inLoop),
      at<MBarrierWaitParityOp>(
          "parity 1", [](auto op) { replace(op, 1, 1); }, inLoop),
      // Wrong place
      at<MBarrierWaitParityOp>("wait at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<MBarrierArriveOp>("arrive at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<MBarrierArriveExpectTxOp>("expect at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<TmaLoadOp>("load that counts on the next barrier",
                    [](TmaLoadOp op) {
                      OpBuilder builder(op);
                      Value eight = constant(builder, op.getLoc(), builder.getI32Type(), 8);
                      op.getMbarrierMutable().assign(
                          builder.create<arith::AddIOp>(op.getLoc(), op.getMbarrier(), eight));
                    }),
      at<CpAsyncArriveOp>("copies that arrive at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<TmaLoadOp>("load behind its place", [](auto op) { shift(op, 0, 1024); }),
      at<MBarrierInitOp>("init beside its place", [](auto op) { shift(op, 0, 4); }),
      // Wrong threads
      at<MBarrierArriveOp>(
          "arrival of all lanes", [](auto op) { op.getPredicateMutable().clear(); },
          [](MBarrierArriveOp op) { return static_cast<bool>(op.getPredicate()); }),
      at<TmaStoreOp>(
          "store by all lanes", [](auto op) { op.getPredicateMutable().clear(); },
          [](TmaStoreOp op) { return static_cast<bool>(op.getPredicate()); }),
      // Too early
      hastenWithOperands<WgmmaWaitOp, MBarrierArriveOp>("arrive before the wait for its dot"),
      hasten<MBarrierWaitParityOp, MBarrierArriveExpectTxOp>("expect before its slot is empty"),
      hasten<MBarrierWaitParityOp, TmaLoadOp>("load before its slot is empty"),
      hasten<CpAsyncOp, CpAsyncArriveOp>("arrival before the last copy"),
      hasten<StmatrixOp, FenceProxyAsyncOp>("proxy fence before the last write"),
      hasten<FenceProxyAsyncOp, TmaStoreOp>("store before the fence"),
      hasten<WarpSyncOp, TmaStoreOp>("store before the warp barrier"),
  };
}

} // namespace tawa::test
