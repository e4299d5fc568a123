// TmaLoads.cpp: one copy for each box of a tile, or of tiles that follow each other. In a cluster, each CTA loads its
// part of the rows of a box that others have, too, and multicasts it to those.
#include "compiler/target/hopper/TawaToSM90/TmaLoads.h"
#include "compiler/analysis/AdjacentTiles.h"
#include "runtime/artifact/ClusterSharing.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kSwizzleRows = 8;  // after so many, swizzle patterns repeat
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
  Value shared;    ///< Which programs of a cluster load parts of them for each other (tawa.put); null: never any.

  unsigned elementBits() const { return load.getType().getElementTypeBitWidth(); }

  /// Into how many parts CTAs of a cluster can cut each box.
  uint32_t parts() const {
    const TmaBox &box = boxes.front();
    return partsOfTile(box.shape.front(), bytesOf(ArrayRef(box.shape).drop_front(), elementBits()));
  }

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

/// What a number of sharing may be: chosen among constants, or any that such tiles can be shared by.
static SmallVector<uint32_t> choicesOf(Value bits, ArrayRef<uint32_t> all) {
  llvm::SmallSetVector<uint32_t, 8> found;
  SmallVector<Value> ways = {bits};
  while (!ways.empty()) {
    Value way = ways.pop_back_val();
    llvm::APInt known;
    if (auto choice = way.getDefiningOp<arith::SelectOp>())
      ways.append({choice.getTrueValue(), choice.getFalseValue()});
    else if (auto wide = way.getDefiningOp<arith::ExtUIOp>(); wide && wide.getIn().getType().isInteger(1))
      found.insert(0), found.insert(1);
    else if (matchPattern(way, m_ConstantInt(&known)))
      found.insert(static_cast<uint32_t>(known.getZExtValue()));
    else
      return SmallVector<uint32_t>(all);
  }
  return llvm::to_vector(llvm::make_filter_range(all, [&](uint32_t choice) { return found.contains(choice); }));
}

LogicalResult TmaLoadEmitter::load(const Tiles &tiles, const RingSlot &slot) {
  llvm::APInt known;
  if (!tiles.shared)
    return loadBoxes(tiles, slot, /*bits=*/0);
  if (matchPattern(tiles.shared, m_ConstantInt(&known)))
    return loadBoxes(tiles, slot, static_cast<uint32_t>(known.getZExtValue()));
  SmallVector<uint32_t> choices = choicesOf(tiles.shared, sharedBits(cluster.programs, tiles.parts()));
  if (choices.size() > 2) // those that share are beside each other, as tawa-select-copies needs them
    std::rotate(choices.begin(), choices.end() - 1, choices.end());
  return loadShared(tiles, slot, choices);
}

/// One of the choices, as the put says.
LogicalResult TmaLoadEmitter::loadShared(const Tiles &tiles, const RingSlot &slot, ArrayRef<uint32_t> choices) {
  if (choices.size() == 1)
    return loadBoxes(tiles, slot, choices.front());
  Location loc = tiles.load.getLoc();
  Value bits = builder.constant(loc, static_cast<int32_t>(choices.front()));
  Value isChosen = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, one(tiles.shared), bits);
  auto branch = builder.create<scf::IfOp>(loc, isChosen, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(loadBoxes(tiles, slot, choices.front())))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  return loadShared(tiles, slot, choices.drop_front());
}

/// This CTA's number among the programs that share by these bits, which are the lowest or the highest ones.
Value TmaLoadEmitter::numberAmong(Location loc, const Sharers &sharers) {
  if (sharers.count == cluster.programs)
    return cluster.ofProgram;
  if ((sharers.bits & 1) != 0)
    return builder.create<arith::AndIOp>(loc, cluster.ofProgram, builder.constant(loc, sharers.bits));
  return builder.create<arith::DivUIOp>(loc, cluster.ofProgram,
                                        builder.constant(loc, cluster.programs / sharers.count));
}

/// The CTAs of these programs with the same part of a sum, by the bits of their ranks.
Value TmaLoadEmitter::ranksOf(Location loc, const Sharers &sharers) {
  int32_t ranks = 0; // of those with the other bits 0
  for (uint32_t program = 0; program < cluster.programs; ++program)
    if ((program & ~sharers.bits) == 0)
      ranks |= 1 << program * cluster.split;
  uint32_t others = (cluster.programs - 1) & ~sharers.bits;
  if (others == 0 && cluster.split == 1)
    return builder.create<arith::ConstantOp>(loc, builder.getI16IntegerAttr(static_cast<int16_t>(ranks)));
  Value first = cluster.ofSum;
  if (others != 0) {
    first = builder.create<arith::AndIOp>(loc, cluster.ofProgram, builder.constant(loc, others));
    if (cluster.split != 1) {
      first = builder.create<arith::MulIOp>(loc, first, builder.constant(loc, cluster.split));
      first = builder.create<arith::AddIOp>(loc, first, cluster.ofSum);
    }
  }
  Value moved = builder.create<arith::ShLIOp>(loc, builder.constant(loc, ranks), first);
  return builder.create<arith::TruncIOp>(loc, builder.getI16Type(), moved);
}

LogicalResult TmaLoadEmitter::loadBoxes(const Tiles &tiles, const RingSlot &slot, uint32_t bits) {
  tt::DescriptorLoadOp load = tiles.load;
  Location loc = load.getLoc();
  Sharers sharers{bits, uint32_t{1} << llvm::popcount(bits)};
  Value number, ranks;
  if (bits != 0) {
    number = numberAmong(loc, sharers);
    ranks = ranksOf(loc, sharers);
  }
  if (tiles.parts() % sharers.count != 0)
    return load.emitOpError() << "a box of " << tiles.boxes.front().shape.front() << " rows cannot be shared by "
                              << sharers.count << " CTAs";
  Value tile = builder.add(loc, slot.address, tiles.offset);
  for (TmaBox box : tiles.boxes) {
    box.shape.front() /= sharers.count;
    auto [map, coordinates] = maps.boxOf(loc, load.getDesc(), load.getIndices(), box.shape, box.origin, tiles.swizzle);
    Value destination = builder.add(loc, tile, box.byteOffset);
    if (bits != 0) {
      auto mine = [&](Value base, uint32_t step) -> Value {
        Value moved = builder.create<arith::MulIOp>(loc, number, builder.constant(loc, step));
        return builder.create<arith::AddIOp>(loc, base, moved);
      };
      Value &row = coordinates[box.shape.size() - 1]; // innermost first
      row = mine(row, box.shape.front());
      destination = mine(destination, bytesOf(box.shape, tiles.elementBits()));
    }
    builder.create<sm90::TmaLoadOp>(loc, destination, map, coordinates, slot.full, ranks, thread.leader);
  }
  return success();
}

} // namespace tawa
