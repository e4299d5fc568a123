// See MachineModel.h. Who the agents are is in MachineAgents.cpp, what wgmma reads in MachineProducts.cpp.
#include "compiler/verify/MachineModel.h"

#include "compiler/conversion/TawaToSM90/TawaToSM90.h"
#include "compiler/verify/MachineProducts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::verify {

//===--- What matters
//---------------------------------------------------------------------------------------------------===//

static bool isRead(Operation *op) { return isa<sm90::LoadSharedOp, sm90::LdmatrixOp>(op); }
static bool isWrite(Operation *op) { return isa<sm90::StoreSharedOp, sm90::StmatrixOp>(op); }
static bool isProduct(Operation *op) { return isa<sm90::WgmmaOp, sm90::WgmmaRsOp>(op); }

static bool isClusterOp(Operation *op) {
  return isa<sm90::MBarrierArriveClusterOp, sm90::ClusterArriveOp, sm90::ClusterWaitOp>(op);
}

bool MachineModel::joinsRoles(Operation *op) const {
  return isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveExpectTxOp, sm90::MBarrierWaitParityOp, sm90::CpAsyncArriveOp,
             sm90::TmaLoadOp>(op) ||
         isClusterOp(op);
}

bool MachineModel::isEvent(Operation *op) const {
  return joinsRoles(op) || isRead(op) || isWrite(op) || isProduct(op) ||
         isa<sm90::MBarrierInitOp, sm90::MBarrierInvalOp, sm90::FenceMBarrierInitOp, sm90::FenceProxyAsyncOp,
             sm90::BarrierSyncOp, sm90::BarrierArriveOp, sm90::WarpSyncOp, sm90::SetMaxRegistersOp, sm90::TmaStoreOp,
             sm90::BulkCommitOp, sm90::BulkWaitOp, sm90::AccUndefOp, sm90::ResumeOp, sm90::WgmmaFenceOp,
             sm90::WgmmaCommitOp, sm90::WgmmaWaitOp, sm90::CpAsyncOp, sm90::CpAsyncCommitOp, sm90::CpAsyncWaitOp>(op);
}

void MachineModel::follow(Operation *event, SmallVectorImpl<Value> &values) const {
  llvm::TypeSwitch<Operation *>(event)
      .Case<sm90::TmaLoadOp>([&](auto load) { values.append({load.getDestination(), load.getMbarrier()}); })
      .Case<sm90::TmaStoreOp>([&](auto store) { values.push_back(store.getSource()); })
      .Case<sm90::MBarrierWaitParityOp, sm90::MBarrierArriveExpectTxOp>(
          [&](auto op) { values.append({op->getOperand(0), op->getOperand(1)}); })
      .Case<sm90::WgmmaOp>([&](auto op) { values.append({op.getAccumulator(), op.getDescA(), op.getDescB()}); })
      .Case<sm90::WgmmaRsOp>([&](auto op) { values.append({op.getAccumulator(), op.getDescB()}); })
      .Case<sm90::WgmmaWaitOp>([&](auto op) { llvm::append_range(values, op.getAccumulators()); })
      .Default([&](Operation *op) {
        bool hasAddress = op->getNumOperands() != 0 && op->getOperand(0).getType().isInteger(32);
        if (hasAddress)
          values.push_back(op->getOperand(0));
      });
  if (auto predicated = dyn_cast<sm90::PredicatedOpInterface>(event))
    if (Value predicate = predicated.getPredicateValue())
      values.push_back(predicate);
  for (Value result : event->getResults())
    if (isa<sm90::InflightType>(result.getType()))
      values.push_back(result);
}

bool MachineModel::isSpecial(Operation *op) const {
  return isa<sm90::SharedBaseOp, sm90::SpecialRegisterOp, sm90::ElectSyncOp, sm90::ShuffleOp>(op);
}

MachineModel::MachineModel(func::FuncOp kernel) : kernel(kernel) {
  auto alike = [](Operation *a, Operation *b) {
    return (isRead(a) && isRead(b)) || (isWrite(a) && isWrite(b)) || (isProduct(a) && isProduct(b)) ||
           (isa<sm90::CpAsyncOp>(a) && isa<sm90::CpAsyncOp>(b));
  };
  kernel.walk([&](Block *block) {
    Operation *last = nullptr;
    for (Operation &op : *block) {
      if (op.getNumRegions() != 0)
        last = nullptr;
      if (!isEvent(&op))
        continue;
      if (last && alike(last, &op))
        continued.insert(last);
      last = &op;
      for (Value result : op.getResults())
        if (isa<sm90::InflightType>(result.getType()))
          accumulators.push_back(result);
    }
    for (BlockArgument argument : block->getArguments())
      if (isa<sm90::InflightType>(argument.getType()))
        accumulators.push_back(argument);
  });
}

Number MachineModel::evaluate(const Context &context) const {
  constexpr int32_t kLastLane = 31;
  Operation *op = context.instruction.op;
  Number number = Number::exact(0);
  if (isa<sm90::SharedBaseOp>(op)) {
    number.shared = true;
    return number;
  }
  if (isa<sm90::ElectSyncOp>(op))
    return Number::inLanes(kElectedLane);
  if (auto shuffle = dyn_cast<sm90::ShuffleOp>(op)) {
    Number value = context.value(shuffle.getValue());
    return value.isInteger() && value.spread == 0 ? value : Number();
  }
  auto which = cast<sm90::SpecialRegisterOp>(op).getWhich();
  if (which != sm90::SpecialRegister::TidX && which != sm90::SpecialRegister::LaneId)
    return {};
  number.isLane = true;
  number.spread = kLastLane;
  if (which == sm90::SpecialRegister::TidX)
    number.offset = int64_t(context.protocol.info(context.agent).firstWarp) * (kLastLane + 1);
  return number;
}

//===--- Operands
//-------------------------------------------------------------------------------------------------------===//

/// Byte of shared memory; none when it is not known.
static std::optional<Number> placeOf(const Context &context, Value address) {
  Number number = context.arithmetic().resolve(context.value(address));
  if (!number.isInteger() || !number.shared || number.shift != 0 || number.step != 0)
    return std::nullopt;
  return number;
}

std::optional<unsigned> MachineModel::barrierAt(Context &context, Value address) const {
  auto place = placeOf(context, address);
  auto barrier = place && place->spread == 0 ? context.protocol.barrierAt(place->offset) : std::nullopt;
  if (!barrier)
    context.fail(place ? "no barrier is known to be at byte " + std::to_string(place->offset)
                       : "which barrier this is does not follow from the counters");
  return barrier;
}

/// Narrows the lanes to those of the predicate. None: nobody executes the operation.
static bool applyPredicate(Context &context) {
  auto predicated = dyn_cast<sm90::PredicatedOpInterface>(context.instruction.op);
  Value predicate = predicated ? predicated.getPredicateValue() : Value();
  if (!predicate)
    return true;
  Number number = context.value(predicate);
  if (auto value = number.constant())
    return *value != 0;
  if (number.kind == Number::Kind::InLanes)
    context.lanes &= number.lanes;
  else
    context.someLanes = true;
  return context.lanes != 0;
}

Step MachineModel::execute(Context context) {
  Operation *op = context.instruction.op;
  if (!applyPredicate(context))
    return Step::Done;
  if (isRead(op) || isWrite(op) || isa<sm90::CpAsyncOp>(op))
    return executeAccess(context);
  if (context.someLanes)
    return context.fail("whether this is executed is not known");
  if (isClusterOp(op))
    return context.fail("barriers between the CTAs of a cluster are not followed yet");
  if (joinsRoles(op) || isa<sm90::MBarrierInitOp, sm90::MBarrierInvalOp, sm90::FenceMBarrierInitOp>(op))
    return executeBarrier(context);
  if (isa<sm90::TmaStoreOp, sm90::BulkCommitOp, sm90::BulkWaitOp>(op))
    return executeBulk(context);
  if (isProduct(op) ||
      isa<sm90::AccUndefOp, sm90::ResumeOp, sm90::WgmmaFenceOp, sm90::WgmmaCommitOp, sm90::WgmmaWaitOp>(op))
    return executeProduct(context);
  return executeWarp(context);
}

//===--- Barriers
//-------------------------------------------------------------------------------------------------------===//

Step MachineModel::executeBarrier(Context &context) {
  Operation *op = context.instruction.op;
  Protocol &protocol = context.protocol;
  if (isa<sm90::FenceMBarrierInitOp>(op))
    return protocol.fenceInit(context.actor());
  if (auto init = dyn_cast<sm90::MBarrierInitOp>(op)) {
    auto place = placeOf(context, init.getAddress());
    if (!place || place->spread != 0)
      return context.fail("the address of this barrier is not known");
    if (place->offset % 8 != 0)
      return context.fail("a barrier has to be aligned to 8 bytes");
    unsigned barrier = protocol.addBarrier(place->offset, "at byte " + std::to_string(place->offset));
    return protocol.initialize(context.actor(), barrier, init.getCount());
  }
  if (auto load = dyn_cast<sm90::TmaLoadOp>(op))
    return this->load(context, load);
  if (isa<sm90::MBarrierInvalOp>(op))
    return context.fail("the end of a barrier's life is not followed");
  auto barrier = barrierAt(context, op->getOperand(0));
  if (!barrier)
    return Step::Failed;
  if (auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op)) {
    auto parity = context.value(wait.getParity()).constant();
    if (!parity || (*parity & ~int64_t(1)) != 0)
      return context.fail("the parity does not follow from the counters");
    return protocol.wait(context.actor(), *barrier, *parity);
  }
  if (isa<sm90::CpAsyncArriveOp>(op))
    return protocol.arriveAfterCopies(context.actor(), *barrier);
  auto expect = dyn_cast<sm90::MBarrierArriveExpectTxOp>(op);
  auto bytes = expect ? context.value(expect.getBytes()).constant() : std::optional<int64_t>(0);
  if (!bytes)
    return context.fail("the number of bytes is not known");
  return protocol.arrive(context.actor(), *barrier, *bytes);
}

/// Bytes of the box of a tensor map; 0 when its recipe is not there.
static int64_t boxBytes(func::FuncOp kernel, Value map) {
  auto argument = dyn_cast<BlockArgument>(map);
  auto recipe =
      argument ? kernel.getArgAttrOfType<DictionaryAttr>(argument.getArgNumber(), kTensorMapAttr) : DictionaryAttr();
  auto box = recipe ? recipe.getAs<ArrayAttr>("box") : ArrayAttr();
  auto element = recipe ? recipe.getAs<TypeAttr>("element") : TypeAttr();
  if (!box || !element)
    return 0;
  int64_t bytes = element.getValue().getIntOrFloatBitWidth() / 8;
  for (APInt size : box.getAsValueRange<IntegerAttr>())
    bytes *= size.getZExtValue();
  return bytes;
}

Step MachineModel::load(Context &context, sm90::TmaLoadOp op) {
  if (op.getMulticastMask())
    return context.fail("copies to several CTAs of a cluster are not followed yet");
  auto to = placeOf(context, op.getDestination());
  auto barrier = barrierAt(context, op.getMbarrier());
  int64_t bytes = boxBytes(kernel, op.getMap());
  if (!barrier)
    return Step::Failed;
  if (!to || to->spread != 0 || bytes == 0)
    return context.fail("where this tile goes to is not known");
  return context.protocol.asyncLoad(context.actor(), *barrier, Range{to->offset, to->offset + bytes}, bytes);
}

//===--- Shared memory
//--------------------------------------------------------------------------------------------------===//

static int64_t accessBytes(Operation *op) {
  if (auto copy = dyn_cast<sm90::CpAsyncOp>(op))
    return copy.getBytes();
  if (isa<sm90::StmatrixOp, sm90::LdmatrixOp>(op))
    return 16; // each lane a row
  int64_t bytes = 0;
  auto types = isRead(op) ? TypeRange(op->getResultTypes()) : TypeRange(cast<sm90::StoreSharedOp>(op).getValues());
  for (Type type : types)
    bytes += (type.getIntOrFloatBitWidth() + 7) / 8;
  return bytes;
}

Step MachineModel::executeAccess(Context &context) {
  Operation *op = context.instruction.op;
  auto place = placeOf(context, op->getOperand(0));
  if (!place)
    return context.fail("the address is not known");
  Ranges &gathered = context.world.cursors[context.agent].gathered;
  gathered.push_back({place->offset, place->offset + place->spread + accessBytes(op)});
  if (!endsRun(op))
    return Step::Done;
  Ranges all = normalize(std::exchange(gathered, {}));
  if (isa<sm90::CpAsyncOp>(op))
    return context.protocol.copy(context.actor(), all);
  return context.protocol.access(context.actor(), isRead(op) ? AccessKind::Read : AccessKind::Write, all);
}

Step MachineModel::executeBulk(Context &context) {
  Operation *op = context.instruction.op;
  Protocol &protocol = context.protocol;
  if (isa<sm90::BulkCommitOp>(op))
    return protocol.commitStores(context.actor());
  if (auto wait = dyn_cast<sm90::BulkWaitOp>(op))
    return protocol.waitStores(context.actor(), wait.getPendings());
  auto store = cast<sm90::TmaStoreOp>(op);
  auto from = placeOf(context, store.getSource());
  int64_t bytes = boxBytes(kernel, store.getMap());
  if (!from || from->spread != 0 || bytes == 0)
    return context.fail("where this tile comes from is not known");
  return protocol.store(context.actor(), Range{from->offset, from->offset + bytes});
}

//===--- Products
//-------------------------------------------------------------------------------------------------------===//

static constexpr int64_t kSettled = 17; // groups ago: more than may be in flight

Step MachineModel::executeProduct(Context &context) {
  Operation *op = context.instruction.op;
  Protocol &protocol = context.protocol;
  AgentState &agent = context.world.protocol.agents[context.agent];
  AgentCursor &cursor = context.world.cursors[context.agent];
  if (isa<sm90::AccUndefOp, sm90::ResumeOp>(op)) {
    agent.needsProductFence = true;
    context.define(op->getResult(0), Number::accumulator(kSettled));
    return Step::Done;
  }
  if (isa<sm90::WgmmaFenceOp>(op)) {
    agent.needsProductFence = false;
    return Step::Done;
  }
  if (isa<sm90::WgmmaCommitOp>(op)) {
    for (Value value : accumulators)
      if (int slot = context.program.slotOf(value); slot >= 0)
        if (Number &number = cursor.values[slot]; number.kind == Number::Kind::Accumulator)
          number.offset = std::min(number.offset + 1, kSettled);
    return protocol.commitProducts(context.actor());
  }
  if (auto wait = dyn_cast<sm90::WgmmaWaitOp>(op))
    return this->wait(context, wait);
  context.define(op->getResult(0), Number::accumulator(0));
  auto from = readByProduct(context);
  if (!from)
    return context.fail("what this product reads is not known");
  if (!fencedOperands(op))
    return context.fail("no wgmma.fence stands between the operand in registers and this product");
  llvm::append_range(cursor.gathered, *from);
  if (!endsRun(op))
    return Step::Done;
  return protocol.multiply(context.actor(), normalize(std::exchange(cursor.gathered, {})));
}

Step MachineModel::wait(Context &context, sm90::WgmmaWaitOp op) {
  if (context.protocol.waitProducts(context.actor(), op.getPendings()) == Step::Failed)
    return Step::Failed;
  for (auto [accumulator, result] : llvm::zip(op.getAccumulators(), op.getResults())) {
    Number number = context.value(accumulator);
    bool isReadable = isa<sm90::AccumulatorType>(result.getType());
    if (isReadable && (number.kind != Number::Kind::Accumulator || number.offset <= op.getPendings()))
      return context.fail("an accumulator is read while a product may still write it");
    context.define(result, number);
  }
  return Step::Done;
}

//===--- Warps
//----------------------------------------------------------------------------------------------------------===//

Step MachineModel::executeWarp(Context &context) {
  Protocol &protocol = context.protocol;
  return llvm::TypeSwitch<Operation *, Step>(context.instruction.op)
      .Case<sm90::FenceProxyAsyncOp>([&](auto) { return protocol.fenceProxy(context.actor()); })
      .Case<sm90::WarpSyncOp>([&](auto) { return protocol.syncWarp(context.actor()); })
      .Case<sm90::BarrierSyncOp>(
          [&](auto op) { return protocol.syncNamed(context.actor(), op.getId(), op.getThreads(), /*waits=*/true); })
      .Case<sm90::BarrierArriveOp>(
          [&](auto op) { return protocol.syncNamed(context.actor(), op.getId(), op.getThreads(), /*waits=*/false); })
      .Case<sm90::SetMaxRegistersOp>([&](auto op) {
        return protocol.changeRegisters(context.actor(), op.getChange() == sm90::RegisterChange::Inc, op.getCount());
      })
      .Default([&](Operation *) { return context.fail("is not followed"); });
}

std::string MachineModel::describe(Context context) const {
  Operation *op = context.instruction.op;
  const std::string &name = context.protocol.info(context.agent).name;
  if (isa<sm90::SetMaxRegistersOp>(op))
    return name + " waits for registers that nobody gives back";
  if (auto sync = dyn_cast<sm90::BarrierSyncOp>(op))
    return name + " waits at named barrier " + std::to_string(sync.getId()) + " for the rest of " +
           std::to_string(sync.getThreads()) + " threads";
  if (auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op))
    if (auto barrier = barrierAt(context, wait.getAddress()))
      return context.protocol.describeWait(context.world.protocol, context.agent, *barrier);
  return name + " waits";
}

} // namespace tawa::verify
