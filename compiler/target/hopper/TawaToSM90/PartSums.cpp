// PartSums.cpp: sums of tiles that several CTAs compute parts of (tawa-stream-reduction).
//
// - The role's threads have written their registers before its barrier, and one of them counts the part after it, with
//   release and acquire at the scope of the GPU: it publishes what the others wrote (PTX ISA, memory consistency model:
//   causality order goes through the barrier), and what CTAs that counted before it have published is visible to it,
//   and, after another barrier of the role, to all its threads.
// - The last CTA sets the count back to 0; nothing else uses it before the next launch.
// - Of two parts, a CTA that finds the other's counted neither stores nor counts its own: it adds the other to it.
// - Many parts are added up by all CTAs of the tile that are there (PartSlices.cpp).
// - Nothing relies on another CTA, so CTAs need not be resident together.
// - All accesses come after sm90.grid_dependency_wait, so launches on one stream find the workspace unused.
#include "compiler/target/hopper/TawaToSM90/PartSums.h"

#include "runtime/artifact/StreamParts.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kWordBits = 32;

uint32_t PartSumEmitter::mostOfOneReader(Block *block) const {
  uint64_t bytes = 0;
  for (auto part : block->getOps<ws::StorePartOp>())
    bytes += slots.access(part).bytes();
  return mostPartsOfOneReader(bytes);
}

/// Of this thread's first access of a part.
Value PartSumEmitter::ownPlace(Location loc, Value slot, const PartSlots::Access &access) {
  return slots.placeOf(loc, slot, access, slots.threadNumber(loc));
}

LogicalResult PartSumEmitter::lower(ws::StorePartOp op) {
  Location loc = op.getLoc();
  const PartSlots::Access &access = slots.access(op);
  Values part = values[op.getPart()];
  if (part.size() * storageBits(part.front().getType()) % kWordBits != 0)
    return op.emitOpError() << "each thread has " << part.size() << " elements of " << part.front().getType()
                            << ", no whole words; use fewer warps or stream=0";
  auto branch = builder.create<scf::IfOp>(loc, one(op.getNeeded()), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value place = ownPlace(loc, one(op.getSlot()), access);
  Values words = builder.packWords(loc, part);
  for (uint32_t vector = 0; vector < access.vectors; ++vector)
    builder.create<sm90::StoreGlobalOp>(loc, slots.vectorsAfter(loc, place, access, vector),
                                        ValueRange(words).slice(size_t{vector} * access.words, access.words));
  values[op.getKept()] = std::move(part);
  return success();
}

/// Barriers in a branch that may not be taken order nothing after it.
Values PartSumEmitter::select(Location loc, Value condition, TypeRange types, llvm::function_ref<Values()> yes,
                              llvm::function_ref<Values()> no) {
  auto branch = builder.create<scf::IfOp>(loc, types, condition, /*withElseRegion=*/true);
  PendingAccesses pending = order.pendingAccesses();
  bool mayBeRead = scratch.mayBeRead();
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, made] : {std::pair(branch.thenBlock(), yes), std::pair(branch.elseBlock(), no)}) {
    builder.setInsertionPointToEnd(block);
    scratch.setMayBeRead(mayBeRead);
    Values chosen = made();
    builder.create<scf::YieldOp>(loc, chosen);
  }
  order.setPendingAccesses(std::move(pending));
  scratch.assumeRead();
  return Values(branch.getResults());
}

LogicalResult PartSumEmitter::lower(ws::NeedsPartOp op) {
  Location loc = op.getLoc();
  Value tile = one(op.getTile()), parts = one(op.getParts());
  auto compare = [&](arith::CmpIPredicate how, Value value, uint32_t number) -> Value {
    return builder.create<arith::CmpIOp>(loc, how, value, builder.constant(loc, number));
  };
  values[op.getNeeded()] = select(
      loc, compare(arith::CmpIPredicate::eq, parts, 2), builder.getI1Type(),
      [&] {
        Value there = slots.addToCount(loc, tile, PartSlots::Parts, builder.constant(loc, 0), sm90::Semantics::Acquire);
        return Values{compare(arith::CmpIPredicate::eq, there, 0)};
      },
      [&] { return Values{compare(arith::CmpIPredicate::ne, parts, 1)}; });
  return success();
}

/// Of many parts that are added up together, the CTA that goes on has the sum in place of its own part, which is not
/// needed any more: so its registers are free for loads until then.
LogicalResult PartSumEmitter::lower(ws::CountPartOp op) {
  Location loc = op.getLoc();
  Value tile = one(op.getTile()), parts = one(op.getParts()), single = builder.constant(loc, 1);
  uint32_t most = mostOfOneReader(op->getBlock());
  auto stored = llvm::to_vector(op->getBlock()->getOps<ws::StorePartOp>());
  Values kept;
  for (ws::StorePartOp part : stored)
    if (most < kMostParts)
      llvm::append_range(kept, values[part.getKept()]);
  auto with = [&](Value isComplete, const Values &own) {
    Values all{isComplete};
    llvm::append_range(all, own);
    return all;
  };
  SmallVector<Type> types{builder.getI1Type()};
  llvm::append_range(types, ValueRange(kept).getTypes());
  auto ofOneReader = [&](Value isLast) {
    slots.set(loc, tile, PartSlots::Parts, 0, isLast);
    return with(isLast, kept);
  };
  auto together = [&](Value before) {
    SharedTile shared{op->getBlock(), tile, parts, one(op.getStride())};
    Value isComplete = slices.addUp(loc, shared, before);
    return with(isComplete,
                select(
                    loc, isComplete, ValueRange(kept).getTypes(),
                    [&] {
                      Values sum; // in the place of the first part
                      for (ws::StorePartOp part : stored)
                        llvm::append_range(sum, loadPart(loc, tile, slots.access(part)));
                      return sum;
                    },
                    [&] {
                      return Values(llvm::map_range(kept, [&](Value own) { return builder.zero(loc, own.getType()); }));
                    }));
  };
  auto count = [&] {
    barrier.emit(loc); // all threads have written
    Value before = slots.addToCount(loc, tile, PartSlots::Parts, single, sm90::Semantics::AcqRel);
    Value others = builder.create<arith::SubIOp>(loc, parts, single);
    Value isLast = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, before, others);
    if (most >= kMostParts)
      return ofOneReader(isLast);
    Value areMany = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ugt, parts, builder.constant(loc, most));
    return select(loc, areMany, types, [&] { return together(before); }, [&] { return ofOneReader(isLast); });
  };
  Values result = select(loc, one(op.getNeeded()), types, count, [&] {
    slots.set(loc, tile, PartSlots::Parts, 0,
              builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, parts, single));
    return with(builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true)), kept);
  });
  values[op.getComplete()] = {result.front()};
  ValueRange left = ValueRange(result).drop_front();
  for (ws::StorePartOp part : stored)
    if (!left.empty()) {
      size_t own = values[part.getKept()].size();
      values[part.getKept()] = Values(left.take_front(own));
      left = left.drop_front(own);
    }
  return success();
}

/// The elements of a part that are this thread's.
Values PartSumEmitter::loadPart(Location loc, Value slot, const PartSlots::Access &access) {
  Value place = ownPlace(loc, slot, access);
  Values words;
  for (uint32_t vector = 0; vector < access.vectors; ++vector)
    llvm::append_range(words, slots.load(loc, slots.vectorsAfter(loc, place, access, vector), access));
  return builder.unpackWords(loc, words, access.element, access.elementsOf(access.wordsOfThread()));
}

static uint32_t wordsOf(ArrayRef<const PartSlots::Access *> tensors) {
  uint32_t words = 0;
  for (const PartSlots::Access *access : tensors)
    words += access->wordsOfThread();
  return words;
}

/// The sums of all tensors and their parts from `first` on, in their order; of `end` parts there may be none after the
/// first one.
Values PartSumEmitter::addParts(ws::SumPartsOp op, ArrayRef<const PartSlots::Access *> tensors, Value first, Value end,
                                Values sums) {
  Location loc = op.getLoc();
  Value last = builder.create<arith::SubIOp>(loc, end, builder.constant(loc, 1));
  uint32_t together = partsAtOnce(wordsOf(tensors));
  SmallVector<Values> parts(together); // all are loaded before the first is waited for (PartSlices.cpp: in which order)
  Values isThere(together);
  for (uint32_t i = together; i-- > 0;) {
    Value number = i == 0 ? first : builder.add(loc, first, i);
    isThere[i] = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, number, end);
    if (i != 0)
      number = builder.create<arith::MinUIOp>(loc, number, last);
    Value slot = builder.create<arith::MulIOp>(loc, number, one(op.getStride()));
    slot = builder.create<arith::AddIOp>(loc, slot, one(op.getSlot()));
    for (const PartSlots::Access *access : tensors)
      llvm::append_range(parts[i], loadPart(loc, slot, *access));
  }
  for (auto [i, part] : llvm::enumerate(parts))
    for (auto [before, term] : llvm::zip_equal(sums, part)) {
      Value after = slots.sum(loc, before, term);
      before = i == 0 ? after : builder.select(loc, isThere[i], after, before);
    }
  return sums;
}

/// All sums of a tile, in one loop over its parts: a tile of 72 rows has nine. Of more than two parts, the CTA's own is
/// read back like the others: there is no room for it beside the sum of those before it. Of many, it is the sum
/// already.
Values PartSumEmitter::sumParts(ws::SumPartsOp op, ArrayRef<const PartSlots::Access *> tensors, ValueRange kept) {
  Location loc = op.getLoc();
  Value own = one(op.getOwn()), parts = one(op.getParts());
  auto complete = builder.create<scf::IfOp>(loc, kept.getTypes(), one(op.getComplete()), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(complete.elseBlock());
  builder.create<scf::YieldOp>(loc, kept);
  builder.setInsertionPointToEnd(complete.thenBlock());
  Value isPair = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, parts, builder.constant(loc, 2));
  Value other = builder.create<arith::SubIOp>(loc, builder.constant(loc, 1), own), zero = builder.constant(loc, 0);
  Value first = builder.select(loc, isPair, other, zero);
  Value end = builder.select(loc, isPair, builder.add(loc, other, 1), parts), isBegun = isPair;
  if (uint32_t most = mostOfOneReader(op->getBlock()); most < kMostParts) {
    Value areMany = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ugt, parts, builder.constant(loc, most));
    end = builder.select(loc, areMany, zero, end);
    isBegun = builder.create<arith::OrIOp>(loc, isPair, areMany);
  }
  Values begin;
  for (Value mine : kept)
    begin.push_back(builder.select(loc, isBegun, mine, builder.zero(loc, mine.getType())));
  auto loop = builder.create<scf::ForOp>(loc, first, end, builder.constant(loc, partsAtOnce(wordsOf(tensors))), begin);
  builder.create<scf::YieldOp>(loc, loop.getResults());
  builder.setInsertionPointToEnd(loop.getBody());
  builder.create<scf::YieldOp>(loc,
                               addParts(op, tensors, loop.getInductionVar(), end, Values(loop.getRegionIterArgs())));
  return Values(complete.getResults());
}

LogicalResult PartSumEmitter::lower(ws::SumPartsOp op) {
  if (values.contains(op.getSum())) // with the first one of its tile
    return success();
  SmallVector<const PartSlots::Access *> tensors;
  Values kept;
  auto ofTile = llvm::to_vector(op->getBlock()->getOps<ws::SumPartsOp>());
  for (ws::SumPartsOp each : ofTile) {
    auto part = each.getPart().getDefiningOp<ws::StorePartOp>();
    if (!part->isBeforeInBlock(op))
      return each.emitOpError() << "adds parts that are stored after others of its tile are added";
    tensors.push_back(&slots.access(part));
    llvm::append_range(kept, values[each.getPart()]);
  }
  Values sums = sumParts(op, tensors, kept);
  ValueRange left = sums;
  for (ws::SumPartsOp each : ofTile) {
    size_t count = values[each.getPart()].size();
    values[each.getSum()] = Values(left.take_front(count));
    left = left.drop_front(count);
  }
  return success();
}

} // namespace tawa
