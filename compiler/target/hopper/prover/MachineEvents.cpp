// Translates waits, arrivals and commits of machine code to the events of the protocol prover.
#include "compiler/target/hopper/prover/MachineEvents.h"

#include "compiler/target/hopper/prover/MachineAccesses.h"
#include "compiler/target/hopper/prover/MachineProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <utility>

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

MachineEvents::MachineEvents(MachineKernel &kernel, MachineRole &role, const MachineRings &rings,
                             const llvm::DenseMap<uint32_t, unsigned> &pingPongs)
    : kernel(kernel), role(role), rings(rings), pingPongs(pingPongs) {
  role.body->getParentOp()->walk([&](Block *block) {
    if (block == role.body || role.body->findAncestorOpInBlock(*block->getParentOp()))
      readBlock(*block);
  });
}

//===--- What operations are --------------------------------------------------------------------------------------===//

/// A group is committed in the block where it begins, before any other protocol event.
void MachineEvents::readBlock(Block &block) {
  isFenced = false;
  open.clear();
  size_t before = events.size();
  for (Operation &op : block) {
    if (op.getNumRegions() != 0 && !open.empty())
      fail(&op, "control flow comes before products are committed");
    readOperation(&op);
  }
  if (!open.empty())
    fail(open.front(), "products are not committed");
  auto around = dyn_cast<scf::IfOp>(block.getParentOp());
  bool isOfRest = &block != role.body && around && around.elseBlock() == &block &&
                  kernel.choosesThreads(role, around.getCondition());
  if (isOfRest && events.size() != before)
    fail(around, "threads of " + role.name + " take part in different events");
}

void MachineEvents::readOperation(Operation *op) {
  if (isa<sm90::WgmmaOp, sm90::WgmmaRsOp>(op))
    return readProduct(op);
  if (isa<sm90::LoadSharedOp, sm90::LdmatrixOp, sm90::StoreSharedOp, sm90::StmatrixOp, sm90::TmaStoreOp>(op))
    return readAccess(op);
  if (auto write = dyn_cast<sm90::TensormapWriteOp>(op))
    return readMap(write);
  bool isSync = isa<sm90::MBarrierWaitParityOp, sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp,
                    sm90::BarrierSyncOp, sm90::BarrierArriveOp, sm90::WgmmaWaitOp>(op);
  if (isSync && !open.empty())
    fail(op, "this comes between products and their commit");
  if (isSync)
    return readSync(op);
  if (isa<sm90::WgmmaFenceOp>(op))
    isFenced = true;
  if (isa<sm90::WgmmaCommitOp>(op))
    return closeGroup(op);
  if (!isa<sm90::AccUndefOp, sm90::ResumeOp>(op))
    return;
  events[op] = {Kind::Begin, {}, {}};
  isFenced = false;
}

/// Operations that block, or unblock another role.
void MachineEvents::readSync(Operation *op) {
  auto add = [&](Kind kind) { events[op] = {kind, {}, {}}; };
  if (auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(op)) {
    auto channel = rings.channelOf(wait);
    if (!channel)
      return;
    bool isTail = rings.awaitsFreeSlot(wait);
    add(rings.awaitsOwnPut(wait) ? Kind::AwaitPut : isTail ? Kind::AwaitFree : channel->puts ? Kind::Put : Kind::Get);
    if (channel->puts)
      return;
    checkByAll(op);
    checkFenceAfter(wait, channel->ring);
  } else if (isa<sm90::MBarrierArriveOp, sm90::MBarrierArriveClusterOp>(op)) {
    if (!rings.isOfPut(op) && !rings.isOfSum(op) && !kernel.performersOf(role, op).threads.empty())
      add(Kind::Release);
  } else if (auto sync = dyn_cast<sm90::BarrierSyncOp>(op)) {
    if (pingPongs.contains(sync.getId()))
      add(Kind::PingPongWait);
  } else if (auto arrive = dyn_cast<sm90::BarrierArriveOp>(op)) {
    if (pingPongs.contains(arrive.getId()))
      add(Kind::PingPongPass);
  } else {
    add(Kind::Wait);
    checkByAll(op);
  }
}

/// The rings filled through a map.
uint32_t MachineEvents::ringsBy(sm90::TensormapWriteOp write) const {
  uint32_t filled = 0;
  for (auto [number, ring] : llvm::enumerate(rings.rings()))
    filled |= uint32_t(llvm::is_contained(ring.maps, *rings.maps().numberOf(write.getMap()))) << number;
  return filled;
}

/// The thread that writes a map must be among those that waited for the loads through it.
void MachineEvents::readMap(sm90::TensormapWriteOp write) {
  uint32_t filled = ringsBy(write);
  if (filled == 0)
    return;
  std::vector<unsigned> writing = kernel.performersOf(role, write).threads;
  role.body->walk([&](sm90::MBarrierWaitParityOp wait) {
    if (rings.awaitsOwnPut(wait) && !std::ranges::includes(kernel.performersOf(role, wait).threads, writing))
      fail(wait, "a tensor map is written by a thread that does not wait for the loads through it");
  });
  events[write] = {Kind::WriteMap, {}, {}};
}

/// The products since the last commit form one dot.
void MachineEvents::closeGroup(Operation *commit) {
  checkByAll(commit);
  Event event{Kind::Issue, {}, std::exchange(open, {})};
  isFenced = false;
  for (Operation *product : event.group) {
    llvm::append_range(event.parts, events[product].parts);
    events.erase(product);
  }
  events[commit] = std::move(event);
}

/// All threads of the role must take part; otherwise only some of them would know what the wait established.
void MachineEvents::checkByAll(Operation *op) {
  if (kernel.performersOf(role, op).threads.size() != role.threads)
    fail(op, "not all threads of " + role.name + " reach this");
}

void MachineEvents::addPart(Operation *op, const Place &place, int64_t bytes, SlotParts &parts) {
  if (!place.shared)
    return fail(op, "the bytes that this touches are not known");
  auto part = rings.partOf(place, bytes, op, found);
  if (!part)
    return;
  const ByteIntervals &filled = rings.rings()[part->ring].filled;
  bool isFilled = llvm::any_of(
      filled, [&](const Range &range) { return range.begin <= part->bytes.begin && part->bytes.end <= range.end; });
  if (!isFilled)
    return fail(op, "this reads bytes of a slot that no put fills");
  bool isKnown = llvm::any_of(parts, [&](const MachineRings::SlotPart &other) {
    return other.ring == part->ring && other.number == part->number && other.slot == part->slot;
  });
  if (!isKnown)
    parts.push_back(*part);
}

/// Puts write slots, the role that has borrowed the only slot of a ring, and a lone role that needs slots no more
/// (MachineMemory.h orders what they do there).
void MachineEvents::readAccess(Operation *op) {
  bool isOfFreeSlot = rings.areSlotsFree(op) && !isa<sm90::TmaStoreOp>(op);
  if (rings.isOfPut(op) || rings.readsSum(op) || isOfFreeSlot)
    return;
  SlotParts parts;
  auto store = dyn_cast<sm90::TmaStoreOp>(op);
  Place place = role.places.of(store ? store.getSource() : op->getOperand(0));
  addPart(op, place, store ? rings.maps().boxBytes(store.getMap()) : accessBytes(op), parts);
  if (parts.empty())
    return;
  if (!isa<sm90::LoadSharedOp, sm90::LdmatrixOp>(op) && rings.rings()[parts.front().ring].depth != 1)
    return fail(op, "something other than a put or a read uses a slot of ring " + llvm::Twine(parts.front().ring));
  events[op] = {Kind::Read, std::move(parts), {}};
}

void MachineEvents::readProduct(Operation *op) {
  checkByAll(op);
  if (!isFenced)
    fail(op, "no wgmma.fence stands between the last write of registers and this product");
  if (!fencedOperands(op))
    fail(op, "no wgmma.fence stands between the operand in registers and this product");
  SlotParts parts;
  for (const ProductOperand &operand : sharedOperandsOf(op)) {
    Place place = role.places.of(operand.descriptor);
    if (!place.isDescriptor)
      return fail(op, "the bytes that this product reads are not known");
    Range first = extentOf(operand, place.fields, place.low), last = extentOf(operand, place.fields, place.high);
    place.isDescriptor = false;
    place.low = place.high = first.begin;
    addPart(op, place, last.end - first.begin, parts);
  }
  events[op] = {Kind::Read, std::move(parts), {}};
  open.push_back(op);
}

/// wgmma reads what threads have written through another proxy.
void MachineEvents::checkFenceAfter(sm90::MBarrierWaitParityOp wait, unsigned ring) {
  bool multiplies =
      role.body
          ->walk([](Operation *op) {
            return isa<sm90::WgmmaOp, sm90::WgmmaRsOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (!rings.rings()[ring].byThreads || !multiplies)
    return;
  for (Operation *op = wait->getNextNode(); op && !isa<sm90::WgmmaOp, sm90::WgmmaRsOp>(op); op = op->getNextNode())
    if (isa<sm90::FenceProxyAsyncOp>(op))
      return;
  fail(wait, "no fence makes the data that threads have copied visible to wgmma");
}

//===--- As instructions ------------------------------------------------------------------------------------------===//

void MachineEvents::follow(Operation *event, Follow follow) const {
  const Event &known = events.at(event);
  auto followInflight = [&](ValueRange values) {
    for (Value value : values)
      if (isa<sm90::InflightType>(value.getType()))
        follow(value, std::nullopt);
  };
  followInflight(event->getOperands());
  followInflight(event->getResults());
  for (Operation *product : known.group)
    followInflight(product->getResults());
  for (const MachineRings::SlotPart &part : known.parts)
    if (part.number)
      follow(part.number, Channel{part.ring, false});
  if (isa<sm90::MBarrierWaitParityOp>(event) || known.kind == Kind::Release) {
    auto channel = known.kind == Kind::Release ? Channel{*rings.releasedBy(event), false}
                                               : *rings.channelOf(cast<sm90::MBarrierWaitParityOp>(event));
    if (Value number = rings.useOf(event).number)
      follow(number, channel);
  }
  if (known.kind == Kind::Release)
    for (Value condition : kernel.performersOf(role, event).conditions)
      follow(condition, std::nullopt);
}

TileNumber MachineEvents::numberOf(Operation *op, bool isWait, bool puts, OperandOf operandOf) const {
  const BarrierUse &use = rings.useOf(op);
  auto depth = static_cast<unsigned>(use.depth);
  if (use.number)
    return {operandOf(use.number)};
  if (!isWait)
    return {-1, depth, use.slot};
  unsigned parity = SharedAddresses::parityOf(cast<sm90::MBarrierWaitParityOp>(op).getParity())->constant;
  return {-1, 2 * depth, use.slot + depth * (parity ^ unsigned(puts))};
}

void MachineEvents::translate(Operation *event, RoleInstruction &out, OperandOf operandOf) const {
  const Event &known = events.at(event);
  out.kind = known.kind;
  for (const MachineRings::SlotPart &part : known.parts) {
    auto depth = static_cast<unsigned>(rings.rings()[part.ring].depth);
    out.tiles.push_back(
        {part.ring, part.number ? TileNumber{operandOf(part.number)} : TileNumber{-1, depth, part.slot}});
  }
  for (Operation *product : known.group)
    for (Value result : product->getResults())
      out.results.push_back(operandOf(result));
  if (auto wait = dyn_cast<sm90::MBarrierWaitParityOp>(event)) {
    Channel channel = *rings.channelOf(wait);
    out.ring = channel.ring;
    out.number = numberOf(event, /*isWait=*/true, channel.puts, operandOf);
  }
  if (known.kind == Kind::Release) {
    out.ring = *rings.releasedBy(event);
    out.number = numberOf(event, /*isWait=*/false, /*puts=*/false, operandOf);
    for (Value condition : kernel.performersOf(role, event).conditions)
      out.condition = operandOf(condition);
  }
  if (auto write = dyn_cast<sm90::TensormapWriteOp>(event))
    out.rings = ringsBy(write);
  if (known.kind == Kind::PingPongWait)
    out.ring = pingPongs.at(cast<sm90::BarrierSyncOp>(event).getId());
  if (known.kind == Kind::PingPongPass)
    out.ring = pingPongs.at(cast<sm90::BarrierArriveOp>(event).getId());
  if (auto wait = dyn_cast<sm90::WgmmaWaitOp>(event)) {
    out.pendings = wait.getPendings();
    for (auto [index, type] : llvm::enumerate(wait.getResultTypes()))
      out.readable |= uint32_t(isa<sm90::AccumulatorType>(type)) << index;
  }
}

} // namespace tawa::verify
