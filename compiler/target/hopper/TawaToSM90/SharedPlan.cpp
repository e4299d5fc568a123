// SharedPlan: allocates all shared memory of a kernel. Rings first (slots of tiles need 1024-byte alignment), then the
// panels in which roles stage tile stores, where no slot is lent to them, then the tiles that roles write themselves,
// then memory of descriptors, then partial sums of other CTAs where these do not lie in the slots of rings, then the
// barriers.
//
// Roles run concurrently and share nothing. Within a role, a tile lives from its to_shared to its last reader (to the
// end of the enclosing loop, where the tile was made before the loop), and tiles with disjoint lifetimes share bytes.
// Slots live until their last use; a lone role then has them for scratch (Scratch.h).
#include "compiler/target/hopper/TawaToSM90/SharedPlan.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/TawaToSM90/MachineBuilder.h"
#include "compiler/target/hopper/TawaToSM90/TilePlacement.h"
#include "compiler/target/hopper/TawaToSM90/TileReaders.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes
static constexpr uint32_t kNumberAlignment = 4;  // of a slot that holds no tile
static constexpr uint32_t kSumAlignment = 16;    // of the widest access
static constexpr uint32_t kDescriptorAlignment = 128;
static constexpr uint32_t kDescriptorBytes = 128 + 8 * 10; // a map; base, five sizes, four strides (Descriptors.cpp)

uint32_t SharedPlan::reserve(uint32_t bytes, uint32_t alignment) {
  uint32_t offset = llvm::alignTo(total, alignment);
  total = offset + bytes;
  return offset;
}

static bool holdsNumber(Value aref) { return cast<ws::ArefType>(aref.getType()).holdsNumber(); }

static RingPlan sizeRing(ws::ArefType type) {
  RingPlan ring;
  ring.depth = type.getDepth();
  for (Type payload : type.getPayload()) {
    uint32_t bytes = ws::payloadBytes(payload);
    ring.valueOffset.push_back(ring.slotBytes);
    ring.valueBytes.push_back(bytes);
    ring.slotBytes += llvm::alignTo(bytes, type.holdsNumber() ? kNumberAlignment : kSlotAlignment);
  }
  return ring;
}

//===--- Tiles --------------------------------------------------------------------------------------------------===//

/// The last operation during which a tile must stay: what reads it, the wait of an asynchronous reader, and any loop
/// around them in which the tile was not made.
static void extendTo(TileLifetime &life, ws::ToSharedOp write, Operation *reader,
                     const llvm::DenseMap<Operation *, unsigned> &lastOf) {
  SmallVector<Operation *> ends{reader};
  if (auto issue = dyn_cast<ws::DotIssueOp>(reader))
    llvm::append_range(ends, issue.getResult().getUsers());
  for (Operation *end : ends) {
    Operation *here = write->getBlock()->findAncestorOpInBlock(*end);
    life.end = std::max(life.end, lastOf.lookup(here ? here : end));
  }
}

void SharedPlan::planTiles(ws::WarpGroupOp role) {
  llvm::DenseMap<Operation *, unsigned> lastOf; // number of the last operation inside, or of itself
  SmallVector<ws::ToSharedOp> writes;
  SmallVector<TileLifetime> lives;
  unsigned number = 0;
  role.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++number;
    for (Operation *around = op; around != role; around = around->getParentOp())
      lastOf[around] = number;
    if (auto write = dyn_cast<ws::ToSharedOp>(op)) {
      auto type = cast<RankedTensorType>(write.getResult().getType());
      uint32_t bytes = type.getNumElements() * storageBits(type.getElementType()) / 8;
      writes.push_back(write);
      lives.push_back({number, number, bytes, 0});
    }
  });
  for (auto [write, life] : llvm::zip_equal(writes, lives))
    for (Operation *reader : readersOfTile(write.getResult())) {
      extendTo(life, write, reader, lastOf);
      if (auto issue = dyn_cast<ws::DotIssueOp>(reader); issue && !finishesInBlock(issue))
        lateReaders.insert(role);
    }
  uint32_t base = reserve(0, kSlotAlignment);
  total = base + placeTiles(lives, kSlotAlignment);
  for (auto [write, life] : llvm::zip_equal(writes, lives))
    tiles[write] = base + life.offset;
}

//===--- The whole kernel ---===//

/// In the slot that was lent to the role, where it is large enough.
void SharedPlan::placeStaging(ws::WarpGroupOp role, StagingPlan &staging, uint32_t bytes) {
  for (auto &[aref, ring] : rings) {
    bool isLent = ws::kStagesStoresAttr.on(aref.getDefiningOp()) && ring.depth == 1 && ring.slotBytes >= bytes &&
                  llvm::any_of(aref.getUsers(), [&](Operation *user) {
                    return isa<ws::GetOp>(user) && user->getParentOfType<ws::WarpGroupOp>() == role;
                  });
    if (bytes == 0 || !isLent)
      continue;
    staging.base = ring.slots;
    staging.slotOf = aref;
    return;
  }
  staging.base = reserve(bytes, kSlotAlignment);
}

static uint32_t largestPanel(const StoreGroups &groups) {
  uint32_t largest = 0;
  for (const StoreGroup &group : groups)
    largest = std::max(largest, group.plan.panels.bytes());
  return largest;
}

/// Bytes of a stage of each warp for stores that go one by one, as they were planned (analysis/SharedBudget.h): of a
/// transposed accumulator, it has all rows.
static uint32_t stageBytes(const StoreGroups &alone) {
  uint32_t room = largestPanel(alone);
  for (const StoreGroup &group : alone) {
    tt::DescriptorStoreOp store = group.stores.front();
    auto type = cast<RankedTensorType>(store.getSrc().getType());
    auto rowBytes = static_cast<uint32_t>(type.getDimSize(1) * type.getElementTypeBitWidth() / 8);
    if (type.getDimSize(0) == group.plan.panels.rows)
      room = std::max(room, kPanelRows * std::min(rowBytes, kPanelRowBytes));
  }
  return llvm::alignTo(room, kSlotAlignment);
}

LogicalResult SharedPlan::planStaging(ws::WarpGroupOp role, uint32_t epilogueStages) {
  StagingPlan staging;
  FailureOr<StoreGroups> alone = groupsOf(role, 0);
  if (failed(alone))
    return failure();
  uint32_t room = stageBytes(*alone);
  staging.groups = std::move(*groupsOf(role, room));
  staging.panelBytes = largestPanel(staging.groups);
  uint32_t each = staging.panelBytes == 0 ? 1 : room / staging.panelBytes; // small panels share a stage's room
  staging.panelBytes = room / each;
  staging.stages = epilogueStages * each;
  placeStaging(role, staging, room * epilogueStages * role.getWarps());
  stagings[role] = std::move(staging);
  return success();
}

/// Whether the slots of a ring are read for the last time before the parts of sums come: by roles that take part in all
/// of them, and tell the sender so. Then they are also filled for the last time, if by another role.
static bool isReadBeforeSums(Value aref) {
  return llvm::all_of(aref.getUsers(), [](Operation *user) {
    auto role = user->getParentOfType<ws::WarpGroupOp>();
    auto sums = role.getBody().front().getOps<ws::ClusterSumOp>();
    if (isa<ws::PutOp, ws::ProducerTailOp>(user))
      return sums.empty();
    Operation *around = role.getBody().front().findAncestorOpInBlock(*user);
    return !sums.empty() && around->isBeforeInBlock(*sums.begin());
  });
}

/// Rings lie one after the other: in the first of them, side by side, that have room.
bool SharedPlan::placeSumsInRings() {
  uint32_t needed = 0, begin = 0, end = 0;
  for (auto &[op, sum] : sums)
    needed += sum.roundBytes();
  for (auto &[aref, ring] : rings) {
    if (end - begin >= needed)
      break;
    if (begin == end)
      begin = ring.slots;
    end = isReadBeforeSums(aref) ? ring.slots + ring.slotBytes * ring.depth : begin;
  }
  if (end - begin < needed)
    return false;
  uint32_t offset = begin;
  for (auto &[op, sum] : sums) {
    sum.usesRings = true;
    sum.buffers = std::exchange(offset, offset + sum.roundBytes());
  }
  return true;
}

void SharedPlan::planSums(tt::FuncOp func) {
  auto split = ws::kSplitAttr.get(func);
  if (!split)
    return;
  llvm::SmallPtrSet<Operation *, 4> roles;
  func.walk([&](ws::ClusterSumOp op) {
    auto type = cast<RankedTensorType>(op.getTensor().getType());
    auto role = op->getParentOfType<ws::WarpGroupOp>();
    sumWarps += roles.insert(role).second ? role.getWarps() : 0;
    sums[op] = planClusterSum(ws::layoutOf(type).getLayout().inSize("register"), type.getElementTypeBitWidth(),
                              role.getWarps() * kLanes, *split);
  });
  if (ws::kSumsInRingsAttr.on(func) && placeSumsInRings())
    return;
  for (auto &[op, sum] : sums)
    sum.buffers = reserve(sum.rounds * sum.roundBytes(), kSumAlignment);
}

void SharedPlan::planBarriers() {
  for (auto &[op, sum] : sums)
    sum.barriers = reserve(sum.barrierCount() * kBarrierBytes, kBarrierBytes);
  for (auto &[aref, ring] : rings) {
    ring.full = reserve(ring.depth * kBarrierBytes, kBarrierBytes);
    ring.empty = reserve(ring.depth * kBarrierBytes, kBarrierBytes);
  }
}

/// The slots of a lone role that shares no sums: it alone fills and reads them.
void SharedPlan::findFreeSlots(tt::FuncOp func) {
  auto roles = func.getOps<ws::WarpGroupOp>();
  if (slots == 0 || !llvm::hasSingleElement(roles) || !sums.empty())
    return;
  slotsFree = AfterLastUse((*roles.begin()).getBody().front(),
                           [](Operation *op) { return isa<ws::PutOp, ws::GetOp, ws::ConsumedOp>(op); });
}

LogicalResult SharedPlan::plan(tt::FuncOp func, uint32_t epilogueStages) {
  limit = static_cast<uint32_t>(moduleTarget(func).sharedPerBlock);
  for (auto create : func.getOps<ws::CreateArefOp>()) {
    RingPlan ring = sizeRing(create.getAref().getType());
    ring.slots =
        reserve(ring.slotBytes * ring.depth, holdsNumber(create.getAref()) ? kNumberAlignment : kSlotAlignment);
    rings[create.getAref()] = ring;
  }
  slots = total;
  for (auto role : func.getOps<ws::WarpGroupOp>()) {
    if (failed(planStaging(role, epilogueStages)))
      return failure();
    planTiles(role);
  }
  func.walk([&](ws::MakeDescriptorOp make) { descriptors[make] = reserve(kDescriptorBytes, kDescriptorAlignment); });
  planSums(func);
  findFreeSlots(func);
  planBarriers();
  if (total <= limit)
    return success();
  explainExcess(func);
  return failure();
}

void SharedPlan::explainExcess(tt::FuncOp func) const {
  noteFittingDepth(func, total - limit);
  bool hasSlots = llvm::any_of(rings, [](const auto &ring) { return ring.second.depth > 1; });
  InFlightDiagnostic error = func.emitOpError()
                             << "needs " << total << " bytes of shared memory, a CTA has " << limit
                             << "; use smaller tiles, such as half the rows in twice as many programs"
                             << (hasSlots ? ", or a smaller D" : "");
  if (auto declined = ws::kDeclinedAttr.get(func->getParentOp()))
    error.attachNote() << "the kernel is one role: " << declined.getValue();
  for (auto &[aref, ring] : rings)
    if (!holdsNumber(aref))
      error.attachNote(aref.getLoc()) << ring.depth << " slots of " << ring.slotBytes
                                      << " bytes; a smaller D or tile helps";
  for (auto &[op, sum] : sums)
    if (!sum.usesRings)
      error.attachNote(op->getLoc()) << sum.rounds << " buffers of " << sum.roundBytes() << " bytes for parts of a sum";
  for (auto [op, offset] : tiles) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    error.attachNote(op->getLoc()) << "a tile of " << type.getNumElements() * storageBits(type.getElementType()) / 8
                                   << " bytes: " << RankedTensorType::get(type.getShape(), type.getElementType());
  }
}

void SharedPlan::noteFittingDepth(tt::FuncOp func, uint32_t excess) const {
  SmallVector<RingPlan> plans;
  for (auto &[aref, ring] : rings)
    if (!holdsNumber(aref))
      plans.push_back(ring);
  if (std::optional<uint32_t> depth = fittingDepth(plans, excess))
    ws::kFittingDepthAttr.set(func->getParentOp(), *depth);
}

} // namespace tawa
