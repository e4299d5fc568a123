// AssignLayouts, copies: the slot layout of pointer tiles, and which thread copies which elements.
//
// The dimension along which addresses count up is the fastest in the slot and in the threads: neighbouring lanes copy
// neighbouring groups of `vector` elements, so that a warp reads whole cache lines and writes whole swizzle rows.
#include "compiler/analysis/PointerTiles.h"
#include "compiler/layouts/AssignLayouts.h"

#include <algorithm>

using namespace mlir;

namespace tawa::layouts {

std::optional<LinearLayout> copiedSlot(ws::CreateArefOp create, unsigned index) {
  for (Operation *user : create.getAref().getUsers())
    if (auto put = dyn_cast<ws::PutOp>(user))
      if (auto copy = put.getValues()[index].getDefiningOp<ws::CopyTileOp>())
        return slotLayout(cast<RankedTensorType>(copy.getTile().getType()), copy.getContiguous());
  return std::nullopt;
}

LinearAttr copyingThreads(ws::CopyTileOp copy, LayoutTable &table) {
  unsigned along = copy.getContiguous();
  auto type = cast<RankedTensorType>(copy.getTile().getType());
  // What goes through registers is stored to the slot by words.
  uint32_t word = kLeastCopyBytes * 8 / type.getElementTypeBitWidth();
  return table.get(blocked(shapeOf(type), std::max(copy.getVector(), word), table.warpCount(), {along, 1 - along}));
}

uint32_t copyVector(ws::CopyTileOp copy, const AxisInfoAnalysis &axes) {
  int64_t known = axes.access(copy.getPointers(), copy.getMask()).vector[copy.getContiguous()];
  return static_cast<uint32_t>(std::min<int64_t>(known, copy.getVector()));
}

} // namespace tawa::layouts
