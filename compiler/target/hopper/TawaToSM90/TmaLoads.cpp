// TmaLoads.cpp: one copy for each box of a tile, or of tiles that follow each other. In a cluster, each CTA loads its
// rows of a box and multicasts them.
#include "compiler/target/hopper/TawaToSM90/TmaLoads.h"
#include "compiler/analysis/AdjacentTiles.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

/// A part of a box is a range of its rows. Rows are consecutive in memory, and swizzle patterns repeat every eight
/// rows.
static constexpr uint32_t kSwizzleRows = 8;
static constexpr uint32_t kMaxBoxRows = 256; // PTX ISA, cuTensorMapEncodeTiled: of every dimension of a box

static uint32_t bytesOf(ArrayRef<uint32_t> extents, unsigned elementBits) {
  uint32_t bits = elementBits;
  for (uint32_t extent : extents)
    bits *= extent;
  return bits / 8;
}

/// One or more tiles of a put that the same copies fill.
struct TmaLoadEmitter::Tiles {
  mutable tt::DescriptorLoadOp load; ///< Of the first; accessors of operations are not const.
  std::vector<TmaBox> boxes;
  Swizzle swizzle;
  uint32_t offset; ///< In the slot.
  Value shared;    ///< Whether CTAs of a cluster load parts of them for each other; null: never.

  unsigned elementBits() const { return load.getType().getElementTypeBitWidth(); }

  /// Where they begin in the tensor, in the outermost dimension of the boxes.
  unsigned rowIndex() const { return load.getIndices().size() - boxes.front().shape.size(); }

  /// Copies cost more by their number than by their rows, and tiles of 112 rows come in seven parts
  /// (tawa-split-tiles): takes `next` in where its rows follow in the tensor and in the slot.
  bool append(const Tiles &next) {
    if (boxes.size() != 1 || next.boxes.size() != 1 || !isAlike(next) || !followsInTensor(next))
      return false;
    uint32_t &rows = boxes.front().shape.front();
    uint32_t more = next.boxes.front().shape.front();
    if (next.offset != offset + bytesOf(boxes.front().shape, elementBits()) || rows % kSwizzleRows != 0 ||
        rows + more > kMaxBoxRows)
      return false;
    rows += more;
    return true;
  }

private:
  bool isAlike(const Tiles &next) const {
    const TmaBox &box = boxes.front(), &other = next.boxes.front();
    return load.getDesc() == next.load.getDesc() && shared == next.shared && swizzle == next.swizzle &&
           ArrayRef(box.shape).drop_front() == ArrayRef(other.shape).drop_front();
  }

  bool followsInTensor(const Tiles &next) const {
    SmallVector<int64_t> extents(boxes.front().shape.begin(), boxes.front().shape.end());
    return adjacentAlong(load.getIndices(), next.load.getIndices(), extents) == rowIndex();
  }
};

LogicalResult TmaLoadEmitter::start(ws::PutOp put, const RingSlot &slot, ArrayRef<uint32_t> offsets) {
  SmallVector<Tiles> all;
  for (auto [position, value] : llvm::enumerate(put.getValues())) {
    if (value.getDefiningOp<ws::CopyTileOp>())
      continue;
    FailureOr<Tiles> tiles = tilesOf(put, position, offsets[position]);
    if (failed(tiles))
      return failure();
    if (all.empty() || !all.back().append(*tiles))
      all.push_back(std::move(*tiles));
  }
  for (const Tiles &tiles : all)
    if (failed(load(tiles, slot)))
      return failure();
  return success();
}

FailureOr<TmaLoadEmitter::Tiles> TmaLoadEmitter::tilesOf(ws::PutOp put, unsigned position, uint32_t offset) {
  auto load = put.getValues()[position].getDefiningOp<tt::DescriptorLoadOp>();
  if (!load)
    return put.emitOpError() << "only tiles loaded through a tensor descriptor can be put";
  LinearLayout layout = ws::layoutOf(load.getType()).getLayout();
  unsigned bits = load.getType().getElementTypeBitWidth();
  TmaFailure why = TmaFailure::None;
  auto swizzle = findTmaSwizzle(layout, bits);
  auto boxes = swizzle ? deriveTmaBoxes(layout, bits, *swizzle, &why) : std::nullopt;
  if (!boxes)
    return load.emitOpError() << "no TMA box fills this tile: " << describe(why);
  Value shared = put.getMulticast().empty() ? Value() : put.getMulticast()[position];
  return Tiles{load, std::move(*boxes), *swizzle, offset, shared};
}

LogicalResult TmaLoadEmitter::load(const Tiles &tiles, const RingSlot &slot) {
  Value shared = tiles.shared;
  if (!shared || matchPattern(shared, m_Zero()))
    return loadBoxes(tiles, slot, /*part=*/false);
  if (matchPattern(shared, m_One()))
    return loadBoxes(tiles, slot, /*part=*/true);
  auto branch = builder.create<scf::IfOp>(tiles.load.getLoc(), one(shared), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(loadBoxes(tiles, slot, /*part=*/true)))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  return loadBoxes(tiles, slot, /*part=*/false);
}

/// The CTAs that load the same tiles, by the bits of their ranks: those with the same part of a sum.
Value TmaLoadEmitter::sharingCtas(Location loc) {
  int32_t firsts = 0;
  for (uint32_t program = 0; program < cluster.programs; ++program)
    firsts |= 1 << program * cluster.split;
  if (cluster.split == 1)
    return builder.create<arith::ConstantOp>(loc, builder.getI16IntegerAttr(static_cast<int16_t>(firsts)));
  Value mine = builder.create<arith::ShLIOp>(loc, builder.constant(loc, firsts), cluster.ofSum);
  return builder.create<arith::TruncIOp>(loc, builder.getI16Type(), mine);
}

LogicalResult TmaLoadEmitter::loadBoxes(const Tiles &tiles, const RingSlot &slot, bool part) {
  tt::DescriptorLoadOp load = tiles.load;
  Location loc = load.getLoc();
  if (part && tiles.boxes.front().shape.front() % (kSwizzleRows * cluster.programs) != 0)
    return load.emitOpError() << "a box of " << tiles.boxes.front().shape.front() << " rows cannot be shared by "
                              << cluster.programs << " CTAs";
  Value tile = builder.add(loc, slot.address, tiles.offset), everyCta;
  if (part)
    everyCta = sharingCtas(loc);
  for (TmaBox box : tiles.boxes) {
    if (part)
      box.shape.front() /= cluster.programs;
    auto [map, coordinates] = maps.boxOf(loc, load.getDesc(), load.getIndices(), box.shape, box.origin, tiles.swizzle);
    Value destination = builder.add(loc, tile, box.byteOffset);
    if (part) {
      auto mine = [&](Value base, uint32_t step) -> Value {
        Value moved = builder.create<arith::MulIOp>(loc, cluster.ofProgram, builder.constant(loc, step));
        return builder.create<arith::AddIOp>(loc, base, moved);
      };
      Value &row = coordinates[box.shape.size() - 1]; // innermost first
      row = mine(row, box.shape.front());
      destination = mine(destination, bytesOf(box.shape, tiles.elementBits()));
    }
    builder.create<sm90::TmaLoadOp>(loc, destination, map, coordinates, slot.full, everyCta, thread.leader);
  }
  return success();
}

} // namespace tawa
