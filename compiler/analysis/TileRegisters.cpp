// Counts the registers of tiles by their layouts, and those a role owns by its warp group.
#include "compiler/analysis/TileRegisters.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Target.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tawa {

int64_t tileRegisters(Type type) {
  constexpr int64_t wordBits = 32;
  if (auto inflight = dyn_cast<ws::InflightType>(type))
    type = inflight.getTensor();
  ws::LinearAttr layout = ws::layoutOf(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !layout || layout.isShared() || !tensor.getElementType().isIntOrFloat())
    return 0;
  int64_t bits = tensor.getElementTypeBitWidth();
  return llvm::divideCeil(layout.getLayout().inSize("register") * bits, wordBits);
}

bool isView(Operation *op) { return isa<tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp>(op); }

int64_t ownedRegisters(ws::WarpGroupOp role) {
  return role.getRegisters() != 0 ? role.getRegisters() : moduleTarget(role).registersPerThread;
}

} // namespace tawa
