// See RoleModel.h.
#include "compiler/verify/RoleModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

static constexpr int64_t kTileBytes = 16; // any number: what counts is which tile it is
static constexpr int64_t kSettled = 17;   // groups ago: more than may be in flight

RoleModel::RoleModel(tt::FuncOp func) {
  for (auto role : func.getOps<ws::WarpGroupOp>())
    roles.push_back(role);
  int64_t bytes = 0;
  unsigned barriers = 0;
  for (auto create : func.getOps<ws::CreateArefOp>()) {
    ws::ArefType type = create.getAref().getType();
    Ring ring;
    ring.firstByte = bytes;
    ring.depth = type.getDepth();
    ring.tiles = type.getPayload().size();
    ring.firstBarrier = barriers;
    bytes += ring.depth * ring.tiles * kTileBytes;
    barriers += 2 * ring.depth;
    rings[create.getAref()] = ring;
  }
  func.walk([&](Operation *op) {
    if (isa<ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp>(op))
      accumulators.push_back(op->getResult(0));
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (BlockArgument argument : loop.getRegionIterArgs())
        if (isa<ws::InflightType>(argument.getType()))
          accumulators.push_back(argument);
  });
}

std::vector<AgentInfo> RoleModel::agents() const {
  std::vector<AgentInfo> agents;
  for (Operation *role : roles)
    agents.push_back({"the " + cast<ws::WarpGroupOp>(role).getRole().str(), 0, 1});
  return agents;
}

llvm::SmallVector<int64_t> RoleModel::depths() const {
  llvm::SmallVector<int64_t> depths;
  for (const auto &[aref, ring] : rings)
    depths.push_back(ring.depth);
  return depths;
}

//===--- What matters
//---------------------------------------------------------------------------------------------------===//

ws::GetOp RoleModel::sourceOf(Value tile) {
  while (auto view = tile.getDefiningOp<tt::TransOp>())
    tile = view.getSrc();
  return tile.getDefiningOp<ws::GetOp>();
}

bool RoleModel::joinsRoles(Operation *op) const { return isa<ws::PutOp, ws::GetOp, ws::ConsumedOp>(op); }

bool RoleModel::isSpecial(Operation *op) const { return isa<tt::TransOp>(op) && sourceOf(op->getOperand(0)); }

bool RoleModel::isEvent(Operation *op) const {
  if (joinsRoles(op) || isa<ws::CreateArefOp, ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp>(op))
    return true;
  bool handsOn = isSpecial(op) || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>();
  return !handsOn && llvm::any_of(op->getOperands(), [](Value operand) { return sourceOf(operand) != nullptr; });
}

void RoleModel::follow(Operation *event, SmallVectorImpl<Value> &values) const {
  for (Value operand : event->getOperands())
    if (isa<IntegerType, ws::InflightType>(operand.getType()) || sourceOf(operand))
      values.push_back(operand);
  if (isa<ws::GetOp, ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp>(event))
    values.append(event->result_begin(), event->result_end());
}

Number RoleModel::evaluate(const Context &context) const {
  return context.value(context.instruction.op->getOperand(0)); // a view lies where its source does
}

//===--- Rings
//----------------------------------------------------------------------------------------------------------===//

std::optional<RoleModel::Slot> RoleModel::slotOf(const Context &context, Value aref, Value index) const {
  const Ring &ring = rings.find(aref)->second;
  Arithmetic arithmetic = context.arithmetic();
  Number number = context.value(index), depth = Number::exact(ring.depth);
  auto slot = arithmetic.remainder(number, depth).constant();
  auto round = arithmetic.bitAnd(arithmetic.divide(number, depth), Number::exact(1)).constant();
  if (!slot || !round)
    return std::nullopt;
  unsigned full = ring.firstBarrier + 2 * *slot;
  return Slot{full, full + 1, *round != 0, ring.firstByte + *slot * ring.tiles * kTileBytes};
}

static Step failIndex(Context &context) {
  return context.fail("this index does not follow from a counter of the ring");
}

Step RoleModel::create(Context &context, ws::CreateArefOp op) {
  if (context.agent != 0) // once
    return Step::Done;
  const Ring &ring = rings.find(op.getAref())->second;
  for (unsigned slot = 0; slot < ring.depth; ++slot)
    for (bool isEmpty : {false, true}) {
      unsigned barrier = ring.firstBarrier + 2 * slot + isEmpty;
      std::string name = (isEmpty ? "empty[" : "full[") + std::to_string(slot) + "]";
      int64_t address = -kTileBytes * (barrier + 1); // beside all tiles
      unsigned added = context.protocol.addBarrier(address, name);
      assert(added == barrier && "rings are created in order");
      (void)added;
      if (context.protocol.initializeForAll(context.actor(), barrier, 1) == Step::Failed)
        return Step::Failed;
    }
  return Step::Done;
}

static Range tileAt(int64_t firstByte) { return {firstByte, firstByte + kTileBytes}; }

Step RoleModel::put(Context &context, ws::PutOp op) {
  auto slot = slotOf(context, op.getAref(), op.getIndex());
  if (!slot)
    return failIndex(context);
  Protocol &protocol = context.protocol;
  Step waited = protocol.wait(context.actor(), slot->empty, !slot->round);
  if (waited != Step::Done)
    return waited;
  Protocol::Actor one = context.actor();
  one.lanes = kLaneZero;
  int64_t bytes = kTileBytes * op.getValues().size();
  Step step = protocol.arrive(one, slot->full, bytes);
  for (unsigned tile = 0; tile < op.getValues().size() && step == Step::Done; ++tile)
    step = protocol.asyncLoad(one, slot->full, tileAt(slot->firstByte + tile * kTileBytes), kTileBytes);
  return step;
}

Step RoleModel::get(Context &context, ws::GetOp op) {
  auto slot = slotOf(context, op.getAref(), op.getIndex());
  if (!slot)
    return failIndex(context);
  Step waited = context.protocol.wait(context.actor(), slot->full, slot->round);
  if (waited == Step::Done)
    for (auto [tile, value] : llvm::enumerate(op.getValues()))
      context.define(value, Number::exact(slot->firstByte + static_cast<int64_t>(tile) * kTileBytes));
  return waited;
}

Step RoleModel::release(Context &context, ws::ConsumedOp op) {
  if (Value condition = op.getCondition()) {
    auto holds = context.value(condition).constant();
    if (!holds)
      return context.fail("whether this slot is given back is not known");
    if (!*holds)
      return Step::Done;
  }
  auto slot = slotOf(context, op.getAref(), op.getIndex());
  if (!slot)
    return failIndex(context);
  Protocol::Actor one = context.actor();
  if (context.protocol.syncWarp(one) == Step::Failed)
    return Step::Failed;
  one.lanes = kLaneZero;
  return context.protocol.arrive(one, slot->empty);
}

//===--- Readers
//--------------------------------------------------------------------------------------------------------===//

std::optional<Ranges> RoleModel::tilesReadBy(const Context &context) const {
  Ranges ranges;
  for (Value operand : context.instruction.op->getOperands()) {
    if (!sourceOf(operand))
      continue;
    auto tile = context.value(operand).constant();
    if (!tile)
      return std::nullopt;
    ranges.push_back(tileAt(*tile));
  }
  return normalize(std::move(ranges));
}

Step RoleModel::read(Context &context) {
  auto tiles = tilesReadBy(context);
  if (!tiles)
    return context.fail("which slot this reads is not known");
  return context.protocol.access(context.actor(), AccessKind::Read, *tiles);
}

Step RoleModel::issue(Context &context, ws::DotIssueOp op) {
  auto tiles = tilesReadBy(context);
  if (!tiles)
    return context.fail("which slot this reads is not known");
  AgentCursor &cursor = context.world.cursors[context.agent];
  context.world.protocol.agents[context.agent].needsProductFence = false; // the lowering's business
  if (context.protocol.multiply(context.actor(), *tiles) == Step::Failed ||
      context.protocol.commitProducts(context.actor()) == Step::Failed)
    return Step::Failed;
  for (Value value : accumulators)
    if (int slot = context.program.slotOf(value); slot >= 0)
      if (Number &number = cursor.values[slot]; number.kind == Number::Kind::Accumulator)
        number.offset = std::min(number.offset + 1, kSettled);
  context.define(op.getResult(), Number::accumulator(1));
  return Step::Done;
}

Step RoleModel::waitForDots(Context &context, ws::DotWaitOp op) {
  if (context.protocol.waitProducts(context.actor(), op.getPendings()) == Step::Failed)
    return Step::Failed;
  Number number = context.value(op.getAccumulator());
  bool isReadable = isa<RankedTensorType>(op.getResult().getType());
  if (isReadable && (number.kind != Number::Kind::Accumulator || number.offset <= op.getPendings()))
    return context.fail("the accumulator is read while a dot may still write it");
  context.define(op.getResult(), number);
  return Step::Done;
}

Step RoleModel::execute(Context context) {
  if (context.lanes != kAllLanes || context.someLanes)
    return context.fail("whether this is executed is not known");
  return llvm::TypeSwitch<Operation *, Step>(context.instruction.op)
      .Case<ws::CreateArefOp>([&](auto op) { return create(context, op); })
      .Case<ws::PutOp>([&](auto op) { return put(context, op); })
      .Case<ws::GetOp>([&](auto op) { return get(context, op); })
      .Case<ws::ConsumedOp>([&](auto op) { return release(context, op); })
      .Case<ws::DotBeginOp>([&](auto op) {
        context.define(op.getResult(), Number::accumulator(kSettled));
        return Step::Done;
      })
      .Case<ws::DotIssueOp>([&](auto op) { return issue(context, op); })
      .Case<ws::DotWaitOp>([&](auto op) { return waitForDots(context, op); })
      .Default([&](Operation *) { return read(context); });
}

std::string RoleModel::describe(Context context) const {
  Operation *op = context.instruction.op;
  bool isPut = isa<ws::PutOp>(op);
  auto slot = isPut || isa<ws::GetOp>(op) ? slotOf(context, op->getOperand(0), op->getOperand(1)) : std::nullopt;
  if (!slot)
    return context.protocol.info(context.agent).name + " waits";
  return context.protocol.describeWait(context.world.protocol, context.agent, isPut ? slot->empty : slot->full);
}

} // namespace tawa::verify
