// TmaLoads.cpp: one copy for each box of a tile. In a cluster, each CTA loads its rows of a box and multicasts them.
#include "compiler/target/hopper/TawaToSM90/TmaLoads.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

LogicalResult TmaLoadEmitter::start(ws::PutOp put, unsigned position, const RingSlot &slot, uint32_t offset) {
  Location loc = put.getLoc();
  auto load = put.getValues()[position].getDefiningOp<tt::DescriptorLoadOp>();
  if (!load)
    return put.emitOpError() << "only tiles loaded through a tensor descriptor can be put";
  Value tile = builder.add(loc, slot.address, offset), shared;
  if (!put.getMulticast().empty())
    shared = put.getMulticast()[position];
  if (!shared || matchPattern(shared, m_Zero()))
    return loadBoxes(load, tile, slot.full, /*part=*/false);
  if (matchPattern(shared, m_One()))
    return loadBoxes(load, tile, slot.full, /*part=*/true);
  auto branch = builder.create<scf::IfOp>(loc, one(shared), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(loadBoxes(load, tile, slot.full, /*part=*/true)))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  return loadBoxes(load, tile, slot.full, /*part=*/false);
}

/// A part of a box is a range of its rows. Rows are consecutive in memory, and swizzle patterns repeat every eight
/// rows.
static constexpr uint32_t kSwizzleRows = 8;

static uint32_t bytesOf(ArrayRef<uint32_t> extents, unsigned elementBits) {
  uint32_t bits = elementBits;
  for (uint32_t extent : extents)
    bits *= extent;
  return bits / 8;
}

LogicalResult TmaLoadEmitter::loadBoxes(tt::DescriptorLoadOp load, Value tile, Value full, bool part) {
  Location loc = load.getLoc();
  LinearLayout layout = ws::layoutOf(load.getType()).getLayout();
  unsigned bits = load.getType().getElementTypeBitWidth();
  TmaFailure why = TmaFailure::None;
  auto swizzle = findTmaSwizzle(layout, bits);
  auto boxes = swizzle ? deriveTmaBoxes(layout, bits, *swizzle, &why) : std::nullopt;
  if (!boxes)
    return load.emitOpError() << "no TMA box fills this tile: " << describe(why);
  if (part && boxes->front().shape.front() % (kSwizzleRows * cluster.size) != 0)
    return load.emitOpError() << "a box of " << boxes->front().shape.front() << " rows cannot be shared by "
                              << cluster.size << " CTAs";
  Value everyCta;
  if (part)
    everyCta = builder.create<arith::ConstantOp>(loc, builder.getI16IntegerAttr((1 << cluster.size) - 1));
  for (TmaBox &box : *boxes) {
    if (part)
      box.shape.front() /= cluster.size;
    auto [map, coordinates] = maps.boxOf(loc, load.getDesc(), load.getIndices(), box.shape, box.origin, *swizzle);
    Value destination = builder.add(loc, tile, box.byteOffset);
    if (part) {
      auto mine = [&](Value base, uint32_t step) -> Value {
        Value moved = builder.create<arith::MulIOp>(loc, cluster.rank, builder.constant(loc, step));
        return builder.create<arith::AddIOp>(loc, base, moved);
      };
      Value &row = coordinates[box.shape.size() - 1]; // innermost first
      row = mine(row, box.shape.front());
      destination = mine(destination, bytesOf(box.shape, bits));
    }
    builder.create<sm90::TmaLoadOp>(loc, destination, map, coordinates, full, everyCta, thread.leader);
  }
  return success();
}

} // namespace tawa
