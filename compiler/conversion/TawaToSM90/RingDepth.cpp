// See RingDepth.h. The function says how deep its rings are and how shallow they may become (transforms/SlotPlan.h).
// What an operation needs to move tensors between threads is known when it has been lowered, so slots may go as late as
// that: the kernel is lowered once more then.
#include "compiler/conversion/TawaToSM90/RingDepth.h"

#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/SlotPlan.h"

using namespace mlir;

namespace tawa {

static constexpr uint64_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes

static uint64_t slotBytes(ws::ArefType type) {
  uint64_t bytes = 0;
  for (Type payload : type.getPayload()) {
    auto tensor = cast<RankedTensorType>(payload);
    bytes += llvm::alignTo(tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8, kSlotAlignment);
  }
  return bytes;
}

bool takeSlots(tt::FuncOp func, uint32_t excess) {
  auto planned = func->getAttrOfType<IntegerAttr>(ws::kRingDepthAttr);
  auto fewest = func->getAttrOfType<IntegerAttr>(kLeastDepthAttr);
  if (!planned || !fewest)
    return false;
  unsigned depth = planned.getInt(), least = fewest.getInt();
  SmallVector<ws::CreateArefOp> rings; // one that is put into once has a slot, whatever the others have
  uint64_t round = 0;                  // bytes of a slot of each
  for (auto create : func.getOps<ws::CreateArefOp>())
    if (create.getAref().getType().getDepth() == depth) {
      rings.push_back(create);
      round += slotBytes(create.getAref().getType());
    }
  unsigned taken = round == 0 ? 0 : llvm::divideCeil(excess, round);
  if (taken == 0 || depth < least + taken)
    return false;
  for (ws::CreateArefOp create : rings)
    create.getAref().setType(
        ws::ArefType::get(func.getContext(), depth - taken, create.getAref().getType().getPayload()));
  func->setAttr(ws::kRingDepthAttr, Builder(func.getContext()).getI32IntegerAttr(static_cast<int32_t>(depth - taken)));
  return true;
}

} // namespace tawa
