// SharedPlan: the one place that hands out shared memory. Rings first (their slots want 1024-byte alignment), then the
// panels through which roles stage tile stores, then the tiles that roles write for themselves, then what descriptors
// need, then the parts of sums that come from other CTAs, then the barriers.
//
// Roles run at the same time and share nothing. Inside of a role, a tile lives from its to_shared to its last reader
// (to the end of the loop around that one, where the tile was made before the loop), and tiles whose lives do not meet
// share bytes.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes
static constexpr uint32_t kSumAlignment = 16;    // of the widest access
static constexpr uint32_t kDescriptorAlignment = 128;
static constexpr uint32_t kDescriptorBytes = 128 + 8 * 10; // a map; base, five sizes, four strides (Descriptors.cpp)

uint32_t SharedPlan::reserve(uint32_t bytes, uint32_t alignment) {
  uint32_t offset = llvm::alignTo(total, alignment);
  total = offset + bytes;
  return offset;
}

static RingPlan sizeRing(ws::ArefType type) {
  RingPlan ring;
  ring.depth = type.getDepth();
  for (Type payload : type.getPayload()) {
    auto tensor = cast<RankedTensorType>(payload);
    uint32_t bytes = tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
    ring.valueOffset.push_back(ring.slotBytes);
    ring.valueBytes.push_back(bytes);
    ring.slotBytes += llvm::alignTo(bytes, kSlotAlignment);
  }
  return ring;
}

//===--- Tiles
//----------------------------------------------------------------------------------------------------------===//

namespace {

/// A tile's place in time, as numbers of operations in program order, and in memory.
struct TileLife {
  ws::ToSharedOp op;
  unsigned begin = 0, end = 0;
  uint32_t bytes = 0, offset = 0;
  bool meets(const TileLife &other) const { return begin <= other.end && other.begin <= end; }
};

} // namespace

/// The last operation during which a tile must stay: what reads it, the wait of an asynchronous reader, and any loop
/// around them in which the tile was not made.
static void extendTo(TileLife &life, Operation *reader, const llvm::DenseMap<Operation *, unsigned> &lastOf) {
  SmallVector<Operation *> ends{reader};
  if (auto issue = dyn_cast<ws::DotIssueOp>(reader))
    llvm::append_range(ends, issue.getResult().getUsers());
  for (Operation *end : ends) {
    Operation *here = life.op->getBlock()->findAncestorOpInBlock(*end);
    life.end = std::max(life.end, lastOf.lookup(here ? here : end));
  }
}

/// The lowest aligned offset at which the tile meets none of those placed before it.
static uint32_t placeTile(const TileLife &life, ArrayRef<TileLife> placed) {
  uint32_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const TileLife &other : placed) {
      bool apart = offset + life.bytes <= other.offset || other.offset + other.bytes <= offset;
      if (apart || !life.meets(other))
        continue;
      offset = llvm::alignTo(other.offset + other.bytes, kSlotAlignment);
      moved = true;
    }
  }
  return offset;
}

uint32_t SharedPlan::planTiles(ws::WarpGroupOp role) {
  llvm::DenseMap<Operation *, unsigned> lastOf; // number of the last operation inside, or of itself
  SmallVector<TileLife> lives;
  unsigned number = 0;
  role.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++number;
    for (Operation *around = op; around != role; around = around->getParentOp())
      lastOf[around] = number;
    if (auto write = dyn_cast<ws::ToSharedOp>(op)) {
      auto type = cast<RankedTensorType>(write.getResult().getType());
      uint32_t bytes = type.getNumElements() * storageBits(type.getElementType()) / 8;
      lives.push_back({write, number, number, bytes, 0});
    }
  });
  uint32_t bytes = 0;
  for (size_t index = 0; index < lives.size(); ++index) {
    TileLife &life = lives[index];
    for (Operation *reader : readersOfTile(life.op.getResult())) {
      extendTo(life, reader, lastOf);
      if (auto issue = dyn_cast<ws::DotIssueOp>(reader); issue && !finishesInBlock(issue))
        lateReaders.insert(role);
    }
    life.offset = placeTile(life, ArrayRef(lives).take_front(index));
    tiles[life.op] = life.offset;
    bytes = std::max(bytes, life.offset + life.bytes);
  }
  return bytes;
}

LogicalResult SharedPlan::plan(tt::FuncOp func, uint32_t epilogueStages) {
  for (auto create : func.getOps<ws::CreateArefOp>()) {
    RingPlan ring = sizeRing(create.getAref().getType());
    ring.slots = reserve(ring.slotBytes * ring.depth, kSlotAlignment);
    rings[create.getAref()] = ring;
  }
  for (auto role : func.getOps<ws::WarpGroupOp>()) {
    StagingPlan staging;
    staging.stages = epilogueStages;
    WalkResult result = role.walk([&](tt::DescriptorStoreOp store) {
      auto panels = planPanels(store, cast<RankedTensorType>(store.getSrc().getType()));
      if (failed(panels))
        return WalkResult::interrupt();
      staging.panelBytes = std::max(staging.panelBytes, panels->panels.bytes());
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    staging.panelBytes = llvm::alignTo(staging.panelBytes, kSlotAlignment);
    staging.base = reserve(staging.panelBytes * staging.stages * role.getWarps(), kSlotAlignment);
    stagings[role] = staging;
    uint32_t base = reserve(0, kSlotAlignment), bytes = planTiles(role);
    role.walk([&](ws::ToSharedOp op) { tiles[op] += base; });
    total = base + bytes;
  }
  func.walk([&](ws::MakeDescriptorOp make) { descriptors[make] = reserve(kDescriptorBytes, kDescriptorAlignment); });
  if (auto split = func->getAttrOfType<IntegerAttr>(ws::kSplitAttr))
    func.walk([&](ws::ClusterSumOp op) {
      SumPlan sum = planSum(op, split.getInt());
      sum.buffers = reserve(sum.roundBytes() * sum.rounds, kSumAlignment);
      sums[op] = sum;
    });
  for (auto &[op, sum] : sums)
    sum.barriers = reserve(sum.rounds * kBarrierBytes, kBarrierBytes);
  for (auto &[aref, ring] : rings) {
    ring.full = reserve(ring.depth * kBarrierBytes, kBarrierBytes);
    ring.empty = reserve(ring.depth * kBarrierBytes, kBarrierBytes);
  }
  if (total <= kMaxSharedBytes)
    return success();
  noteFittingDepth(func, total - kMaxSharedBytes);
  InFlightDiagnostic error = func.emitOpError()
                             << "needs " << total << " bytes of shared memory, a CTA has " << kMaxSharedBytes;
  for (auto &[aref, ring] : rings)
    error.attachNote(aref.getLoc()) << ring.depth << " slots of " << ring.slotBytes
                                    << " bytes; a smaller D or tile helps";
  for (auto &[op, sum] : sums)
    error.attachNote(op->getLoc()) << sum.rounds << " buffers of " << sum.roundBytes() << " bytes for parts of a sum";
  for (auto [op, offset] : tiles)
    error.attachNote(op->getLoc()) << "tile of type " << op->getResult(0).getType();
  return failure();
}

/// Rings that are put into once have one slot whatever the others have; those lose slots together.
void SharedPlan::noteFittingDepth(tt::FuncOp func, uint32_t excess) const {
  uint32_t depth = 0, round = 0;
  for (auto &[aref, ring] : rings)
    depth = std::max(depth, ring.depth);
  if (depth <= 1)
    return;
  for (auto &[aref, ring] : rings)
    if (ring.depth == depth)
      round += ring.slotBytes;
  uint32_t fitting = depth - std::min(depth, llvm::divideCeil(excess, round));
  func->getParentOp()->setAttr(ws::kFittingDepthAttr, Builder(func.getContext()).getI32IntegerAttr(fitting));
}

} // namespace tawa
