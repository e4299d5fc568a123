// PartSlices.cpp: adds up many parts of a tile by all of its CTAs that are there when the last part is.
//
// A CTA that has counted its part waits a while for the others. No CTA may rely on another, as they need not be
// resident together: one that has waited for too long leaves, and those that stay do its work. They take slices of the
// sum one by one, and each adds up all parts of its slice, in their order, to the place of the first part. So the sum
// is the same whoever computes it. The CTA that finishes the last slice goes on with it; the one that leaves last sets
// the counts back to 0.
//
// Four counts of up to 64 CTAs are in one word, so that one access tells a CTA all that it has to know:
//
//   taken      slices that were taken, and attempts to take one when there were none left, one by each CTA that stayed
//   done       slices that are finished
//   entered    CTAs that have stayed or left; once all have, and each that stayed has found no slice any more, no CTA
//              uses the counts again
//   late       CTAs that left without waiting any longer
//
// The last part is always counted by a CTA that stays: so all slices are taken, and all of them are finished.
#include "compiler/target/hopper/TawaToSM90/PartSlices.h"

#include "runtime/artifact/StreamParts.h"

using namespace mlir;

namespace tawa {

/// Some 30 microseconds. CTAs begin their parts at the same time, and these are equally long.
static constexpr uint32_t kPolls = 32;
/// Parts whose loads are waited for together, of four words each: they take the registers of the CTA's own part, and no
/// more, as the kernel of a small tile may have others beside it.
static uint32_t partsTogether(uint32_t wordsOfThread) { return wordsOfThread <= 64 ? 8 : 16; }

static constexpr uint32_t kFieldBits = 8, kFieldMask = (1u << kFieldBits) - 1;
static_assert(2 * kMostParts <= kFieldMask, "a CTA for each part takes a slice, and then finds none");

enum Field : uint32_t { Taken, Done, Entered, Late };

static constexpr uint32_t oneOf(Field field) { return 1u << (field * kFieldBits); }

Value PartSlices::field(Location loc, Value counts, uint32_t which) {
  Value shifted = builder.create<arith::ShRUIOp>(loc, counts, builder.constant(loc, which * kFieldBits));
  return builder.create<arith::AndIOp>(loc, shifted, builder.constant(loc, kFieldMask));
}

/// Whether all parts are there, after a while: a loop that ends by itself, in which those that know it ask no more.
Value PartSlices::awaitOthers(Location loc, const SharedTile &tile, Value isLast) {
  auto loop = builder.create<scf::ForOp>(loc, builder.constant(loc, 0), builder.constant(loc, kPolls),
                                         builder.constant(loc, 1), isLast);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  Value isKnown = loop.getRegionIterArg(0);
  auto branch = builder.create<scf::IfOp>(loc, TypeRange{builder.getI1Type()}, isKnown, /*withElseRegion=*/true);
  builder.create<scf::YieldOp>(loc, branch.getResult(0));
  builder.setInsertionPointToEnd(branch.thenBlock());
  builder.create<scf::YieldOp>(loc, isKnown);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scratch.assumeRead(); // by the poll before
  Value there =
      slots.addToCount(loc, tile.number, PartSlots::Parts, builder.constant(loc, 0), sm90::Semantics::Acquire);
  Value areAll = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, there, tile.parts);
  builder.create<scf::YieldOp>(loc, areAll);
  return loop.getResult(0);
}

/// The sum of all parts, of the access of that number.
Values PartSlices::sumParts(Location loc, const SharedTile &tile, Value number, const PartSlots::Access &access) {
  Value last = builder.create<arith::SubIOp>(loc, tile.parts, builder.constant(loc, 1));
  uint32_t count = access.elementsOf(access.words);
  Values zeros(count, builder.zero(loc, access.element));
  uint32_t together = partsTogether(access.wordsOfThread());
  auto loop =
      builder.create<scf::ForOp>(loc, builder.constant(loc, 0), tile.parts, builder.constant(loc, together), zeros);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  SmallVector<Values> loaded;
  Values isThere;
  for (uint32_t i = 0; i < together; ++i) {
    Value part = i == 0 ? loop.getInductionVar() : builder.add(loc, loop.getInductionVar(), i);
    isThere.push_back(builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, part, tile.parts));
    Value slot = builder.create<arith::MulIOp>(loc, builder.create<arith::MinUIOp>(loc, part, last), tile.stride);
    slot = builder.create<arith::AddIOp>(loc, slot, tile.number);
    loaded.push_back(slots.load(loc, slots.placeOf(loc, slot, access, number), access));
  }
  Values sums(loop.getRegionIterArgs());
  for (auto [i, words] : llvm::enumerate(loaded))
    for (auto [sum, term] : llvm::zip_equal(sums, builder.unpackWords(loc, words, access.element, count)))
      sum = builder.select(loc, isThere[i], slots.sum(loc, sum, term), sum);
  builder.create<scf::YieldOp>(loc, sums);
  return Values(loop.getResults());
}

/// Threads take one access of a slice each, until there are no more; those beyond its end repeat the last one, and
/// store nothing.
void PartSlices::sumSlice(Location loc, const SharedTile &tile, Value slice, const PartSlots::Access &access) {
  uint32_t threads = thread.warps * kLanes;
  Value all = builder.constant(loc, access.vectors * threads);
  Value rounded = builder.create<arith::AddIOp>(loc, builder.constant(loc, access.vectors * threads - 1), tile.parts);
  Value each = builder.create<arith::DivUIOp>(loc, rounded, tile.parts);
  Value begin = builder.create<arith::MulIOp>(loc, slice, each);
  Value end = builder.create<arith::MinUIOp>(loc, all, builder.create<arith::AddIOp>(loc, begin, each));
  auto loop = builder.create<scf::ForOp>(loc, begin, end, builder.constant(loc, threads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  Value own = builder.create<arith::AddIOp>(loc, loop.getInductionVar(), slots.threadNumber(loc));
  Value isInside = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, own, end);
  Value last = builder.create<arith::SubIOp>(loc, end, builder.constant(loc, 1));
  Value number = builder.create<arith::MinUIOp>(loc, own, last);
  Values sums = sumParts(loc, tile, number, access);
  builder.create<sm90::StoreGlobalOp>(loc, slots.placeOf(loc, tile.number, access, number),
                                      builder.packWords(loc, sums), isInside);
}

void PartSlices::sumSlice(Location loc, const SharedTile &tile, Value slice) {
  for (const PartSlots::Access &region : slots.regions(*tile.block))
    sumSlice(loc, tile, slice, region);
}

Value PartSlices::addUp(Location loc, const SharedTile &tile, Value isLast) {
  auto compare = [&](arith::CmpIPredicate how, Value a, Value b) -> Value {
    return builder.create<arith::CmpIOp>(loc, how, a, b);
  };
  auto count = [&](Value more) {
    return slots.addToCount(loc, tile.number, PartSlots::Slices, more, sm90::Semantics::AcqRel);
  };
  auto plus = [&](Value a, Value b) -> Value { return builder.create<arith::AddIOp>(loc, a, b); };
  scratch.assumeRead();
  Value stays = awaitOthers(loc, tile, isLast);
  scratch.assumeRead();
  Value how = builder.select(loc, stays, builder.constant(loc, oneOf(Entered) + oneOf(Taken)),
                             builder.constant(loc, oneOf(Entered) + oneOf(Late)));
  Value before = count(how);
  Type word = how.getType(), flag = builder.getI1Type();
  Value isFalse = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(false));
  // The slice that was taken, the counts after that, and whether this CTA has finished the last one.
  SmallVector<Type> types{word, word, flag};
  SmallVector<Location> places(types.size(), loc);
  auto loop =
      builder.create<scf::WhileOp>(loc, types, ValueRange{field(loc, before, Taken), plus(before, how), isFalse});
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *asks = builder.createBlock(&loop.getBefore(), {}, types, places);
    Value isSlice = compare(arith::CmpIPredicate::ult, asks->getArgument(0), tile.parts);
    builder.create<scf::ConditionOp>(loc, builder.create<arith::AndIOp>(loc, isSlice, stays), asks->getArguments());
    Block *sums = builder.createBlock(&loop.getAfter(), {}, types, places);
    scratch.assumeRead();
    sumSlice(loc, tile, sums->getArgument(0));
    barrier.emit(loc); // all threads have written
    Value more = builder.constant(loc, oneOf(Done) + oneOf(Taken));
    Value counts = count(more), then = plus(counts, more);
    Value isEnd = compare(arith::CmpIPredicate::eq, field(loc, then, Done), tile.parts);
    Value finishes = builder.create<arith::OrIOp>(loc, sums->getArgument(2), isEnd);
    builder.create<scf::YieldOp>(loc, ValueRange{field(loc, counts, Taken), then, finishes});
  }
  scratch.assumeRead();
  Value counts = loop.getResult(1);
  Value haveEntered = compare(arith::CmpIPredicate::eq, field(loc, counts, Entered), tile.parts);
  Value leaving = plus(field(loc, counts, Taken), field(loc, counts, Late));
  Value haveLeft = compare(arith::CmpIPredicate::eq, leaving, plus(tile.parts, tile.parts));
  Value isLastOne = builder.create<arith::AndIOp>(loc, haveEntered, haveLeft);
  slots.reset(loc, tile.number, PartSlots::Parts, isLastOne);
  slots.reset(loc, tile.number, PartSlots::Slices, isLastOne);
  return loop.getResult(2);
}

} // namespace tawa
