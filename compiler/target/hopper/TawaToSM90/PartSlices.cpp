// PartSlices.cpp: adds up many parts of a tile by all of its CTAs that are there when the last part is.
//
// A CTA that has counted its part has a slice of the sum: that of the number of parts counted before. It waits a while
// for the others, and adds up all parts of its slice, in their order, to the place of the first part. No CTA may rely
// on another, as they need not be resident together: one that has waited for too long marks its slice as left. The CTA
// that is counted last, whether it has a slice finished or left, adds up those that were left, sets the counts back to
// 0, and goes on with the sum, which is the same whoever computes it.
//
// Two counts of up to 64 CTAs are in one word, so that one access tells a CTA all that it has to know: of slices that
// are finished, and of those that were left. No CTA uses the counts after the last one.
#include "compiler/target/hopper/TawaToSM90/PartSlices.h"

#include "runtime/artifact/StreamParts.h"

using namespace mlir;

namespace tawa {

/// Some 30 microseconds: CTAs begin their parts at the same time, and these are equally long, but an H200's differed by
/// eight of 45 microseconds. Whatever is left costs the last CTA more than waiting costs the others.
static constexpr uint32_t kPolls = 128;
/// Loads of four words that are waited for together: they take the registers of the CTA's own part, and no more, as the
/// kernel of a small tile may have others beside it. In tiles above 96 KiB, two of each part spill.
static PartSlices::Batch batchOf(const PartSlots::Access &region) {
  if (region.wordsOfThread() <= 64)
    return {8, 1};
  return {16, region.bytes() <= 96 << 10 ? 2u : 1u};
}

static constexpr uint32_t kFieldBits = 16, kFieldMask = (1u << kFieldBits) - 1;
static constexpr uint32_t kFinished = 1, kLeft = 1u << kFieldBits; ///< One slice of each count.
static_assert(kMostParts <= kFieldMask);

Value PartSlices::compare(Location loc, arith::CmpIPredicate how, Value a, Value b) {
  return builder.create<arith::CmpIOp>(loc, how, a, b);
}

Value PartSlices::slotOf(Location loc, const SharedTile &tile, Value part) {
  Value distance = builder.create<arith::MulIOp>(loc, part, tile.stride);
  return builder.create<arith::AddIOp>(loc, distance, tile.number);
}

/// Whether all parts are there, after a while: one thread asks, in a loop that ends by itself.
Value PartSlices::awaitOthers(Location loc, const SharedTile &tile, Value isLast) {
  Type word = builder.getI32Type();
  Value known = builder.create<arith::ExtUIOp>(loc, word, isLast), zero = builder.constant(loc, 0);
  auto asks = builder.create<scf::IfOp>(loc, TypeRange{word}, thread.actsForRole(loc), /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(asks.elseBlock());
    builder.create<scf::YieldOp>(loc, known);
    builder.setInsertionPointToEnd(asks.thenBlock());
    auto loop = builder.create<scf::ForOp>(loc, zero, builder.constant(loc, kPolls), builder.constant(loc, 1), known);
    builder.create<scf::YieldOp>(loc, loop.getResults());
    builder.setInsertionPointToEnd(loop.getBody());
    Value isKnown = compare(loc, arith::CmpIPredicate::ne, loop.getRegionIterArg(0), zero);
    auto branch = builder.create<scf::IfOp>(loc, TypeRange{word}, isKnown, /*withElseRegion=*/true);
    builder.create<scf::YieldOp>(loc, branch.getResults());
    builder.setInsertionPointToEnd(branch.thenBlock());
    builder.create<scf::YieldOp>(loc, loop.getRegionIterArg(0));
    builder.setInsertionPointToEnd(branch.elseBlock());
    Value there = slots.ask(loc, tile.number, PartSlots::Parts);
    Value areAll = compare(loc, arith::CmpIPredicate::eq, there, tile.parts);
    builder.create<scf::YieldOp>(loc, builder.create<arith::ExtUIOp>(loc, word, areAll).getResult());
  }
  return compare(loc, arith::CmpIPredicate::ne, slots.tellRole(loc, asks.getResult(0)), zero);
}

/// The sums of all parts, of the accesses of those numbers, one after the other.
Values PartSlices::sumParts(Location loc, const SharedTile &tile, ValueRange numbers, const PartSlots::Access &access,
                            uint32_t together) {
  Value last = builder.create<arith::SubIOp>(loc, tile.parts, builder.constant(loc, 1));
  uint32_t count = access.elementsOf(access.words);
  Values zeros(count * numbers.size(), builder.zero(loc, access.element));
  auto loop =
      builder.create<scf::ForOp>(loc, builder.constant(loc, 0), tile.parts, builder.constant(loc, together), zeros);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  // The first one that is added comes last: with few registers left, ptxas would load each when it is added.
  SmallVector<Values> parts(together);
  Values isThere(together);
  for (uint32_t i = together; i-- > 0;) {
    Value part = i == 0 ? loop.getInductionVar() : builder.add(loc, loop.getInductionVar(), i);
    isThere[i] = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, part, tile.parts);
    Value slot = slotOf(loc, tile, builder.create<arith::MinUIOp>(loc, part, last));
    for (Value number : numbers) {
      Values words = slots.load(loc, slots.placeOf(loc, slot, access, number), access);
      llvm::append_range(parts[i], builder.unpackWords(loc, words, access.element, count));
    }
  }
  Values sums(loop.getRegionIterArgs());
  for (auto [i, part] : llvm::enumerate(parts))
    for (auto [sum, term] : llvm::zip_equal(sums, part))
      sum = builder.select(loc, isThere[i], slots.sum(loc, sum, term), sum);
  builder.create<scf::YieldOp>(loc, sums);
  return Values(loop.getResults());
}

/// Threads take a batch of a slice each, until there are no more; what is beyond its end repeats the last access, and
/// is not stored.
void PartSlices::sumSlice(Location loc, const SharedTile &tile, Value slice, const PartSlots::Access &access,
                          Batch batch) {
  uint32_t threads = thread.warps * kLanes;
  Value all = builder.constant(loc, access.vectors * threads);
  Value rounded = builder.create<arith::AddIOp>(loc, builder.constant(loc, access.vectors * threads - 1), tile.parts);
  Value each = builder.create<arith::DivUIOp>(loc, rounded, tile.parts);
  Value begin = builder.create<arith::MulIOp>(loc, slice, each);
  Value end = builder.create<arith::MinUIOp>(loc, all, builder.create<arith::AddIOp>(loc, begin, each));
  auto loop = builder.create<scf::ForOp>(loc, begin, end, builder.constant(loc, batch.accesses * threads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  Value own = builder.create<arith::AddIOp>(loc, loop.getInductionVar(), slots.threadNumber(loc));
  Value last = builder.create<arith::SubIOp>(loc, end, builder.constant(loc, 1));
  Values numbers, areInside;
  for (uint32_t i = 0; i < batch.accesses; ++i) {
    Value number = i == 0 ? own : builder.add(loc, own, i * threads);
    areInside.push_back(compare(loc, arith::CmpIPredicate::ult, number, end));
    numbers.push_back(builder.create<arith::MinUIOp>(loc, number, last));
  }
  Values sums = sumParts(loc, tile, numbers, access, batch.parts);
  size_t count = sums.size() / numbers.size();
  for (auto [i, number] : llvm::enumerate(numbers))
    builder.create<sm90::StoreGlobalOp>(loc, slots.placeOf(loc, tile.number, access, number),
                                        builder.packWords(loc, ArrayRef(sums).slice(i * count, count)), areInside[i]);
}

/// Those that CTAs have left, and what they marked.
void PartSlices::sumSlicesLeft(Location loc, const SharedTile &tile) {
  auto forEach = [&](llvm::function_ref<void(Value slice)> body) {
    Value first = builder.constant(loc, 0), step = builder.constant(loc, 1);
    auto loop = builder.create<scf::ForOp>(loc, first, tile.parts, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar());
  };
  forEach([&](Value slice) {
    Value mark = slots.read(loc, slotOf(loc, tile, slice), PartSlots::Left), zero = builder.constant(loc, 0);
    Value isLeft = compare(loc, arith::CmpIPredicate::ne, mark, zero);
    builder.create<scf::IfOp>(loc, isLeft, [&](OpBuilder &, Location) {
      for (const PartSlots::Access &region : slots.regions(*tile.block))
        sumSlice(loc, tile, slice, region, {4, 1}); // seldom: little code
      builder.create<scf::YieldOp>(loc);
    });
  });
  barrier.emit(loc); // all threads have read the marks
  forEach([&](Value slice) { slots.set(loc, slotOf(loc, tile, slice), PartSlots::Left, 0); });
}

Value PartSlices::addUp(Location loc, const SharedTile &tile, Value slice) {
  scratch.assumeRead();
  Value one = builder.constant(loc, 1);
  Value isLast = compare(loc, arith::CmpIPredicate::eq, slice, builder.create<arith::SubIOp>(loc, tile.parts, one));
  Value stays = awaitOthers(loc, tile, isLast);
  auto branch = builder.create<scf::IfOp>(loc, stays, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (const PartSlots::Access &region : slots.regions(*tile.block))
      sumSlice(loc, tile, slice, region, batchOf(region));
    builder.setInsertionPointToStart(branch.elseBlock());
    slots.set(loc, slotOf(loc, tile, slice), PartSlots::Left, 1);
  }
  barrier.emit(loc); // all threads have written
  scratch.assumeRead();
  Value how = builder.select(loc, stays, builder.constant(loc, kFinished), builder.constant(loc, kLeft));
  Value counts = slots.addToCount(loc, tile.number, PartSlots::Slices, how, sm90::Semantics::AcqRel);
  counts = builder.create<arith::AddIOp>(loc, counts, how);
  Value left = builder.create<arith::ShRUIOp>(loc, counts, builder.constant(loc, kFieldBits));
  Value finished = builder.create<arith::AndIOp>(loc, counts, builder.constant(loc, kFieldMask));
  Value counted = builder.create<arith::AddIOp>(loc, finished, left);
  Value isEnd = compare(loc, arith::CmpIPredicate::eq, counted, tile.parts);
  Value someLeft = compare(loc, arith::CmpIPredicate::ne, left, builder.constant(loc, 0));
  builder.create<scf::IfOp>(loc, builder.both(loc, isEnd, someLeft), [&](OpBuilder &, Location) {
    sumSlicesLeft(loc, tile);
    builder.create<scf::YieldOp>(loc);
  });
  slots.set(loc, tile.number, PartSlots::Parts, 0, isEnd);
  slots.set(loc, tile.number, PartSlots::Slices, 0, isEnd);
  return isEnd;
}

} // namespace tawa
