// Stores.cpp: stores a tile from registers to global memory through swizzled staging and TMA.
//
// Each warp stores its own rows: it writes a panel (its rows by at most 128 bytes of columns,
// layouts/algebra/StorePanels.h) with stmatrix or vector stores, fences the writes towards the async proxy, and one
// lane starts a TMA store of the panel. Warps do not wait for each other: a panel buffer is reused once the store that
// read it is done, which the lane that started it can tell.
//
// Where there is no room for panels, they are in the slot of a tile that the role has read for the last time
// (SharedPlan.h). All its warps meet before they write there, and the slot is released once the stores have read it.
#include "compiler/target/hopper/TawaToSM90/Stores.h"
#include "compiler/analysis/StoreSubtiles.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/target/hopper/TawaToSM90/SharedAccess.h"

using namespace mlir;

namespace tawa {

/// Spreads the bits of `value` to the given positions.
static uint32_t deposit(uint32_t value, ArrayRef<unsigned> positions) {
  uint32_t result = 0;
  for (auto [bit, position] : llvm::enumerate(positions))
    result |= ((value >> bit) & 1) << position;
  return result;
}

/// Row and column at which this warp's part of a tile begins.
Values TileStoreEmitter::warpCorner(Location loc, const LinearLayout &layout) {
  Values corner;
  for (unsigned dim = 0; dim < 2; ++dim) {
    SmallVector<uint32_t> bases;
    for (unsigned bit = 0; bit < layout.inBits("warp"); ++bit)
      bases.push_back(layout.basis("warp", bit, dimName(dim)));
    corner.push_back(builder.applyBases(loc, thread.warp, bases));
  }
  return corner;
}

/// Writes one panel of a tile in registers to its buffer; `outside` is what its register indices have in common.
void TileStoreEmitter::stagePanel(Location loc, Value buffer, const PanelPlan &plan, ArrayRef<Value> registers,
                                  uint32_t outside) {
  const StorePanels &panels = plan.panels;
  Values inside;
  for (uint32_t index = 0; index < 1u << panels.insideBits.size(); ++index)
    inside.push_back(registers[outside | deposit(index, panels.insideBits)]);
  inside = conversions.convert(loc, inside, panels.registers, panels.staged);
  writeShared(builder, thread, loc, buffer, plan.write, inside, /*predicate=*/Value());
}

/// The first of `count` panels that a store writes, and the one after the last.
static std::pair<uint32_t, uint32_t> panelsOf(tt::DescriptorStoreOp store, uint32_t count) {
  ws::SubtileAttr piece = ws::kSubtileAttr.get(store);
  if (!piece)
    return {0, count};
  uint32_t index = piece.getIndex(), pieces = piece.getCount();
  return {index * count / pieces, (index + 1) * count / pieces};
}

/// Buffers rotate from one panel to the next, of all stores of a block; and from one block to the next, where each has
/// a multiple of `stages` panels. Otherwise the first panel of a block waits for all that came before it. So does that
/// of a subtile: only its condition tells which subtiles were stored, and the previous one has been in flight for some
/// time.
TileStoreEmitter::Rotation TileStoreEmitter::rotationOf(tt::DescriptorStoreOp store) const {
  const StagingPlan &staging = shared.staging(role());
  llvm::MapVector<Block *, uint32_t> panels;
  Rotation rotation;
  for (const StoreGroup &group : staging.groups) {
    tt::DescriptorStoreOp last = group.stores.back();
    if (last == store)
      rotation.first = panels[store->getBlock()];
    auto [first, end] = panelsOf(last, group.panelCount());
    panels[last->getBlock()] += end - first;
    rotation.waitsForAll |= ws::kSubtileAttr.on(last);
  }
  for (auto [block, count] : panels)
    rotation.waitsForAll |= count % staging.stages != 0;
  bool isSubtile = ws::kSubtileAttr.on(store);
  rotation.waitsForAll &= rotation.first == 0 || isSubtile;
  return rotation;
}

/// Starts the TMA store of a staged panel.
void TileStoreEmitter::storePanel(const StoreGroup &group, Value buffer, uint32_t outside, ArrayRef<Value> corner) {
  tt::DescriptorStoreOp store = group.stores.front();
  Location loc = store.getLoc();
  const StorePanels &panels = group.plan.panels;
  builder.create<sm90::FenceProxyAsyncOp>(loc);
  builder.create<sm90::WarpSyncOp>(loc);
  auto [map, coordinates] = maps.boxOf(loc, store.getDesc(), store.getIndices(), {panels.rows, panels.cols},
                                       group.layout.apply({outside, 0, 0}), panels.swizzle);
  for (auto [coordinate, first] : llvm::zip(MutableArrayRef(coordinates).take_front(2), llvm::reverse(corner)))
    coordinate = builder.create<arith::AddIOp>(loc, coordinate, first);
  auto copy = builder.create<sm90::TmaStoreOp>(loc, map, coordinates, buffer, thread.laneIsZero);
  if (ws::kAddsAttr.on(store))
    ws::kAddsAttr.set(copy);
  builder.create<sm90::BulkCommitOp>(loc, thread.laneIsZero);
}

Values TileStoreEmitter::registersOf(const StoreGroup &group) {
  Values all;
  for (tt::DescriptorStoreOp store : group.stores)
    llvm::append_range(all, values[store.getSrc()]);
  return all;
}

LogicalResult TileStoreEmitter::lower(tt::DescriptorStoreOp store) {
  Location loc = store.getLoc();
  const StagingPlan &staging = shared.staging(role());
  const auto *group =
      llvm::find_if(staging.groups, [&](const StoreGroup &each) { return each.stores.back() == store; });
  if (group == staging.groups.end()) // another one is the last of its group
    return success();
  Values registers = registersOf(*group), corner = warpCorner(loc, group->layout);
  Value perWarp = builder.constant(loc, staging.panelBytes * staging.stages);
  Value buffers = builder.create<arith::AddIOp>(loc, builder.add(loc, thread.sharedBase, staging.base),
                                                builder.create<arith::MulIOp>(loc, thread.warp, perWarp));
  if (staging.slotOf) // other warps may still read the tile
    barrier.emit(loc);
  Rotation rotation = rotationOf(store);
  auto [firstPanel, endPanel] = panelsOf(store, group->panelCount());
  for (uint32_t panel = firstPanel; panel < endPanel; ++panel) {
    bool waitsForAll = rotation.waitsForAll && panel == firstPanel;
    builder.create<sm90::BulkWaitOp>(loc, waitsForAll ? 0 : staging.stages - 1, /*read=*/true);
    builder.create<sm90::WarpSyncOp>(loc);
    uint32_t place = (rotation.first + panel - firstPanel) % staging.stages;
    Value buffer = builder.add(loc, buffers, place * staging.panelBytes);
    uint32_t outside = deposit(panel, group->plan.panels.outsideBits);
    stagePanel(loc, buffer, group->plan, registers, outside);
    storePanel(*group, buffer, outside, corner);
  }
  return success();
}

} // namespace tawa
