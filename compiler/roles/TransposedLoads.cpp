// Compares the innermost dimension of a tile with the one that its dots need.
#include "compiler/roles/TransposedLoads.h"

#include "compiler/analysis/DotKind.h"

using namespace mlir;

namespace tawa {

static constexpr unsigned kBitsOfAnyOrder = 16; // wgmma reads elements of this width in both orders

/// Once its operands travel, a product whose sums do not fit is one of wgmma, too: its kernel is refused (DotKind.cpp).
static bool isForWgmma(tt::DotOp dot, uint32_t warps) {
  DotPlan plan = planDot(dot, warps);
  return plan.unit == DotUnit::Wgmma || plan.notWgmma == DotObstacle::TooManyRegisters;
}

/// Whether all dots that read the tile need the other dimension innermost; `exchanged` by transpositions on the way.
static bool allNeedTranspose(Value tile, bool exchanged, uint32_t warps) {
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    if (auto view = dyn_cast<tt::TransOp>(use.getOwner()))
      return allNeedTranspose(view.getResult(), !exchanged, warps);
    auto dot = dyn_cast<tt::DotOp>(use.getOwner());
    if (!dot || use.getOperandNumber() > 1 || !isForWgmma(dot, warps))
      return false;
    bool rowsAreK = use.getOperandNumber() == 1; // of B; columns are innermost as loaded
    return rowsAreK != exchanged;
  });
}

bool mustTranspose(Value tile, uint32_t warps) {
  auto type = cast<RankedTensorType>(tile.getType());
  return tile.getDefiningOp<tt::DescriptorLoadOp>() && type.getRank() == 2 && !tile.use_empty() &&
         type.getElementTypeBitWidth() != kBitsOfAnyOrder && allNeedTranspose(tile, /*exchanged=*/false, warps);
}

} // namespace tawa
