// SharedPlan: the one place that hands out shared memory. Rings first (their slots want 1024-byte alignment), then the
// panels through which roles stage tile stores, then the barriers.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes

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
      staging.panelBytes = std::max(staging.panelBytes, panels->bytes());
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    staging.panelBytes = llvm::alignTo(staging.panelBytes, kSlotAlignment);
    staging.base = reserve(staging.panelBytes * staging.stages * role.getWarps(), kSlotAlignment);
    stagings[role] = staging;
  }
  for (auto &[aref, ring] : rings) {
    ring.full = reserve(ring.depth * kBarrierBytes, kBarrierBytes);
    ring.empty = reserve(ring.depth * kBarrierBytes, kBarrierBytes);
  }
  if (total <= kMaxSharedBytes)
    return success();
  InFlightDiagnostic error = func.emitOpError()
                             << "needs " << total << " bytes of shared memory, a CTA has " << kMaxSharedBytes;
  for (auto &[aref, ring] : rings)
    error.attachNote(aref.getLoc()) << ring.depth << " slots of " << ring.slotBytes
                                    << " bytes; a smaller D or tile helps";
  return failure();
}

} // namespace tawa
