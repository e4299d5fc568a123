// Tiles that a role stores by TMA: which go together, and through which panels.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/algebra/SharedAccessPlan.h"
#include "compiler/layouts/algebra/StorePanels.h"
#include "compiler/roles/Tawa/Tawa.h"

namespace tawa {

/// How a role stages a tile on its way to global memory.
struct PanelPlan {
  StorePanels panels;
  SharedAccessPlan write; ///< Of one panel, to an aligned buffer.
};
/// Tiles beside each other that are stored as one: the parts of a tile whose extents are no powers of two (16 columns
/// each, of 144) would be panels of few bytes, one by one.
struct StoreGroup {
  llvm::SmallVector<tt::DescriptorStoreOp, 4> stores;
  LinearLayout layout; ///< Of all of it; the registers of later tiles have the higher numbers.
  PanelPlan plan;
  uint32_t panelCount() const { return 1u << plan.panels.outsideBits.size(); }
};
using StoreGroups = llvm::SmallVector<StoreGroup, 0>;
/// All stores of a role in their order, in panels of no more than `mostBytes` unless a group is a single one. Fails
/// with a diagnostic when registers of a layout cannot be staged.
mlir::FailureOr<StoreGroups> groupsOf(ws::WarpGroupOp role, uint32_t mostBytes);

} // namespace tawa
