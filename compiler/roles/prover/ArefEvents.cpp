// Translates puts, gets, releases and dots of the tawa dialect to the events of the protocol prover.
#include "compiler/roles/prover/ArefEvents.h"

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

/// Operations that forward a value: the operand or yield lies where the result does.
static bool handsOn(Operation *op) {
  return isa<tt::TransOp>(op) || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>();
}

/// Propagates from each get through views, branches and loops. Numbers are read by the get itself.
static llvm::DenseSet<Value> findTiles(ws::WarpGroupOp role) {
  llvm::DenseSet<Value> tiles;
  SmallVector<Value> pending;
  role->walk([&](ws::GetOp get) {
    if (!get.getAref().getType().holdsNumber())
      llvm::append_range(pending, get.getValues());
  });
  while (!pending.empty()) {
    Value tile = pending.pop_back_val();
    if (!tiles.insert(tile).second)
      continue;
    for (OpOperand &use : tile.getUses()) {
      Operation *user = use.getOwner();
      if (isa<tt::TransOp>(user)) {
        pending.push_back(user->getResult(0));
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        pending.push_back(loop.getTiedLoopRegionIterArg(&use));
        pending.push_back(loop.getTiedLoopResult(&use));
      } else if (isa<scf::YieldOp>(user)) {
        Operation *around = user->getParentOp();
        pending.push_back(around->getResult(use.getOperandNumber()));
        if (auto loop = dyn_cast<scf::ForOp>(around))
          pending.push_back(loop.getRegionIterArg(use.getOperandNumber()));
      }
    }
  }
  return tiles;
}

ArefEvents::ArefEvents(ws::WarpGroupOp role, const llvm::DenseMap<Value, unsigned> &rings)
    : rings(rings), tiles(findTiles(role)) {}

bool ArefEvents::isEvent(Operation *op) const {
  if (isa<ws::PutOp, ws::GetOp, ws::ConsumedOp, ws::ProducerTailOp, ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp,
          ws::PingPongWaitOp, ws::PingPongPassOp>(op))
    return true;
  return !handsOn(op) && llvm::any_of(op->getOperands(), [&](Value operand) { return tiles.contains(operand); });
}

/// The ring and the number are its first operands.
static bool namesSlots(Operation *event) {
  return isa<ws::PutOp, ws::GetOp, ws::ConsumedOp, ws::ProducerTailOp>(event);
}

/// The condition of a release or ping-pong operation that may be skipped.
static Value conditionOf(Operation *event) {
  return llvm::TypeSwitch<Operation *, Value>(event)
      .Case<ws::ConsumedOp, ws::PingPongWaitOp, ws::PingPongPassOp>([](auto op) { return op.getCondition(); })
      .Default([](Operation *) { return Value(); });
}

void ArefEvents::follow(Operation *event, Follow follow) const {
  auto isFollowed = [&](Value value) { return isa<ws::InflightType>(value.getType()) || tiles.contains(value); };
  for (Value operand : event->getOperands())
    if (isFollowed(operand))
      follow(operand, std::nullopt);
  if (Value condition = conditionOf(event))
    follow(condition, std::nullopt);
  for (Value result : event->getResults())
    if (isFollowed(result))
      follow(result, std::nullopt);
  if (namesSlots(event))
    follow(event->getOperand(1), Channel{rings.at(event->getOperand(0)), isa<ws::PutOp, ws::ProducerTailOp>(event)});
}

void ArefEvents::translate(Operation *event, RoleInstruction &out, OperandOf operandOf) const {
  out.kind = llvm::TypeSwitch<Operation *, Kind>(event)
                 .Case<ws::PutOp>([](auto) { return Kind::Put; })
                 .Case<ws::GetOp>([](auto) { return Kind::Get; })
                 .Case<ws::ConsumedOp>([](auto) { return Kind::Release; })
                 .Case<ws::ProducerTailOp>([](auto) { return Kind::AwaitFree; })
                 .Case<ws::DotBeginOp>([](auto) { return Kind::Begin; })
                 .Case<ws::DotIssueOp>([](auto) { return Kind::Issue; })
                 .Case<ws::DotWaitOp>([](auto) { return Kind::Wait; })
                 .Case<ws::PingPongWaitOp>([&](auto op) { return out.ring = op.getGroup(), Kind::PingPongWait; })
                 .Case<ws::PingPongPassOp>([&](auto op) { return out.ring = op.getGroup(), Kind::PingPongPass; })
                 .Default([](Operation *) { return Kind::Read; });
  if (namesSlots(event)) {
    out.ring = rings.at(event->getOperand(0));
    out.number = {operandOf(event->getOperand(1))};
  }
  if (auto tail = dyn_cast<ws::ProducerTailOp>(event))
    out.slots = tail.getAref().getType().getDepth();
  if (Value condition = conditionOf(event))
    out.condition = operandOf(condition);
  if (auto wait = dyn_cast<ws::DotWaitOp>(event)) {
    out.pendings = wait.getPendings();
    out.readable = !isa<ws::InflightType>(wait.getResult().getType());
  }
}

} // namespace tawa::verify
