// PartSums.cpp: sums of tiles that several CTAs compute parts of (tawa-stream-reduction).
//
// A launch's workspace is an array of slots, two for each CTA. A slot holds one part of a sum, as the registers of the
// threads that wrote it, and the count of a tile's parts: tile q has that of slot q.
//
//   0          count of the parts of a tile that are there
//   128        16 * (v * threads + thread): registers 4 * v .. 4 * v + 3 of a thread
//
// The CTAs that share a tile run the same code, so a thread reads elements that are its own in the sum's layout.
// - The role's threads have written their registers before its barrier, and one of them counts the part after it, with
//   release and acquire at the scope of the GPU: it publishes what the others wrote (PTX ISA, memory consistency model:
//   causality order goes through the barrier), and what CTAs that counted before it have published is visible to it,
//   and, after another barrier of the role, to all its threads.
// - The last CTA sets the count back to 0; nothing else uses it before the next launch.
// - Of two parts, a CTA that finds the other's counted neither stores nor counts its own: it adds the other to it.
// - Nothing waits for another CTA, so CTAs need not be resident together.
// - All accesses come after sm90.grid_dependency_wait, so launches on one stream find the workspace unused.
#include "compiler/target/hopper/TawaToSM90/PartSums.h"

#include "runtime/artifact/StreamParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kCountBytes = 128; // the parts begin with a cache line of their own
static constexpr uint32_t kVectorWords = 4, kWordBytes = 4, kWordBits = 32;

PartSumEmitter::PartSumEmitter(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, GlobalOrder &order,
                               Workspace &workspace)
    : Emitter(context), barrier(barrier), scratch(scratch), order(order), workspace(workspace), slotBytes(kCountBytes) {
  context.source.walk([&](ws::StorePartOp op) {
    Access access = planAccess(op);
    accesses[op] = access;
    slotBytes += llvm::alignTo(access.vectors * access.vectorBytes, kCountBytes);
  });
}

PartSumEmitter::Access PartSumEmitter::planAccess(ws::StorePartOp op) const {
  RankedTensorType type = op.getPart().getType();
  uint32_t bits = ws::layoutOf(type).getLayout().inSize("register") * type.getElementTypeBitWidth();
  uint32_t words = llvm::divideCeil(bits, kWordBits);
  Access access;
  access.offset = slotBytes;
  access.words = std::min(words, kVectorWords);
  access.vectors = words / access.words;
  access.vectorBytes = access.words * kWordBytes * kLanes * op->getParentOfType<ws::WarpGroupOp>().getWarps();
  return access;
}

Value PartSumEmitter::slotAt(Location loc, Value slot) {
  return workspace.slotAt(loc, slot, ws::StorePartOp::kSlots, slotBytes);
}

Value PartSumEmitter::placeOf(Location loc, Value base, uint32_t offset) {
  return builder.create<LLVM::GEPOp>(loc, base.getType(), builder.getI8Type(), base,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

/// Of this thread's first access of a part.
Value PartSumEmitter::ownPlace(Location loc, Value slot, const Access &access) {
  Value first = builder.create<arith::MulIOp>(loc, thread.warp, builder.constant(loc, kLanes));
  Value number = builder.create<arith::AddIOp>(loc, first, thread.lane);
  Value bytes = builder.create<arith::MulIOp>(loc, number, builder.constant(loc, access.words * kWordBytes));
  Value own = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), bytes);
  Value base = slotAt(loc, slot);
  base = builder.create<LLVM::GEPOp>(loc, base.getType(), builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{own});
  return placeOf(loc, base, access.offset);
}

LogicalResult PartSumEmitter::lower(ws::StorePartOp op) {
  Location loc = op.getLoc();
  const Access &access = accesses.find(op)->second;
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
    builder.create<sm90::StoreGlobalOp>(loc, placeOf(loc, place, vector * access.vectorBytes),
                                        ValueRange(words).slice(size_t{vector} * access.words, access.words));
  values[op.getKept()] = std::move(part);
  return success();
}

/// By one thread; all threads of the role get the count before, and see what that of other CTAs published.
Value PartSumEmitter::addToCount(Location loc, Value tile, uint32_t more, sm90::Semantics semantics) {
  MLIRContext *context = builder.getContext();
  auto change = builder.create<sm90::AtomicRmwOp>(
      loc, builder.getI32Type(), sm90::AtomicKindAttr::get(context, sm90::AtomicKind::Add),
      sm90::SemanticsAttr::get(context, semantics), sm90::ScopeAttr::get(context, sm90::Scope::Gpu), slotAt(loc, tile),
      builder.constant(loc, more), thread.actsForRole(loc));
  Value before = scratch.broadcastFromActor(loc, change.getResult());
  if (thread.warps == 1) // whose lanes exchanged it without memory
    barrier.emit(loc);
  return before;
}

void PartSumEmitter::resetCount(Location loc, Value tile, Value condition) {
  builder.create<sm90::StoreGlobalOp>(loc, slotAt(loc, tile), builder.constant(loc, 0),
                                      builder.both(loc, condition, thread.actsForRole(loc)));
}

/// One of two i1; barriers in a branch that may not be taken order nothing after it.
Value PartSumEmitter::select(Location loc, Value condition, llvm::function_ref<Value()> yes,
                             llvm::function_ref<Value()> no) {
  auto branch = builder.create<scf::IfOp>(loc, TypeRange{builder.getI1Type()}, condition, /*withElseRegion=*/true);
  PendingAccesses pending = order.pendingAccesses();
  bool mayBeRead = scratch.mayBeRead();
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, made] : {std::pair(branch.thenBlock(), yes), std::pair(branch.elseBlock(), no)}) {
    builder.setInsertionPointToEnd(block);
    scratch.setMayBeRead(mayBeRead);
    Value value = made();
    builder.create<scf::YieldOp>(loc, value);
  }
  order.setPendingAccesses(std::move(pending));
  scratch.assumeRead();
  return branch.getResult(0);
}

LogicalResult PartSumEmitter::lower(ws::NeedsPartOp op) {
  Location loc = op.getLoc();
  Value tile = one(op.getTile()), parts = one(op.getParts());
  auto compare = [&](arith::CmpIPredicate how, Value value, uint32_t number) -> Value {
    return builder.create<arith::CmpIOp>(loc, how, value, builder.constant(loc, number));
  };
  values[op.getNeeded()] = {select(
      loc, compare(arith::CmpIPredicate::eq, parts, 2),
      [&] {
        Value there = addToCount(loc, tile, 0, sm90::Semantics::Acquire);
        return compare(arith::CmpIPredicate::eq, there, 0);
      },
      [&] { return compare(arith::CmpIPredicate::ne, parts, 1); })};
  return success();
}

LogicalResult PartSumEmitter::lower(ws::CountPartOp op) {
  Location loc = op.getLoc();
  Value tile = one(op.getTile()), parts = one(op.getParts()), single = builder.constant(loc, 1);
  values[op.getComplete()] = {select(
      loc, one(op.getNeeded()),
      [&]() -> Value {
        barrier.emit(loc); // all threads have written
        Value before = addToCount(loc, tile, 1, sm90::Semantics::AcqRel);
        Value others = builder.create<arith::SubIOp>(loc, parts, single);
        Value isLast = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, before, others);
        resetCount(loc, tile, isLast);
        return isLast;
      },
      [&]() -> Value {
        resetCount(loc, tile, builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, parts, single));
        return builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
      })};
  return success();
}

/// The elements of a part that are this thread's.
Values PartSumEmitter::loadPart(Location loc, Value slot, const Access &access, ValueRange like) {
  Type element = like.front().getType();
  SmallVector<Type> types(access.words, builder.wordTypes(element, like.size()).front());
  auto fromL2 = sm90::CacheModifierAttr::get(builder.getContext(), sm90::CacheModifier::CG); // read once
  Value place = ownPlace(loc, slot, access);
  Values words;
  for (uint32_t vector = 0; vector < access.vectors; ++vector) {
    auto load = builder.create<sm90::LoadGlobalOp>(loc, types, placeOf(loc, place, vector * access.vectorBytes),
                                                   Value(), fromL2, sm90::EvictionAttr(), /*isVolatile=*/false);
    llvm::append_range(words, load.getResults());
  }
  return builder.unpackWords(loc, words, element, like.size());
}

Value PartSumEmitter::added(Location loc, Value a, Value b) {
  return isa<FloatType>(a.getType()) ? builder.create<arith::AddFOp>(loc, a, b).getResult()
                                     : builder.create<arith::AddIOp>(loc, a, b).getResult();
}

/// The sums and the parts from `first` on, in their order; of `end` parts there may be none after the first one.
Values PartSumEmitter::addParts(Location loc, ws::SumPartsOp op, Value first, Value end, const Access &access,
                                Values sums) {
  Value last = builder.create<arith::SubIOp>(loc, end, builder.constant(loc, 1));
  SmallVector<Values> parts; // all are loaded before the first is waited for
  Values isThere;
  for (uint32_t i = 0; i < partsAtOnce(access.words * access.vectors); ++i) {
    Value number = i == 0 ? first : builder.add(loc, first, i);
    isThere.push_back(builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, number, end));
    if (i != 0)
      number = builder.create<arith::MinUIOp>(loc, number, last);
    Value slot = builder.create<arith::MulIOp>(loc, number, one(op.getStride()));
    slot = builder.create<arith::AddIOp>(loc, slot, one(op.getSlot()));
    parts.push_back(loadPart(loc, slot, access, sums));
  }
  for (auto [i, part] : llvm::enumerate(parts))
    for (auto [before, term] : llvm::zip_equal(sums, part)) {
      Value after = added(loc, before, term);
      before = i == 0 ? after : builder.select(loc, isThere[i], after, before);
    }
  return sums;
}

/// Of more than two parts, the CTA's own is read back like the others: there is no room for it beside the sum of those
/// before it.
LogicalResult PartSumEmitter::lower(ws::SumPartsOp op) {
  Location loc = op.getLoc();
  const Access &access = accesses.find(op.getPart().getDefiningOp())->second;
  const Values &part = values[op.getPart()];
  Value own = one(op.getOwn()), parts = one(op.getParts());
  auto complete = builder.create<scf::IfOp>(loc, ValueRange(part).getTypes(), one(op.getComplete()),
                                            /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(complete.elseBlock());
  builder.create<scf::YieldOp>(loc, part);
  builder.setInsertionPointToEnd(complete.thenBlock());
  Value isPair = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, parts, builder.constant(loc, 2));
  Value other = builder.create<arith::SubIOp>(loc, builder.constant(loc, 1), own);
  Value zero = builder.zero(loc, part.front().getType());
  Values begin;
  for (Value mine : part)
    begin.push_back(builder.select(loc, isPair, mine, zero));
  Value end = builder.select(loc, isPair, builder.add(loc, other, 1), parts);
  auto loop = builder.create<scf::ForOp>(loc, builder.select(loc, isPair, other, builder.constant(loc, 0)), end,
                                         builder.constant(loc, partsAtOnce(access.words * access.vectors)), begin);
  builder.create<scf::YieldOp>(loc, loop.getResults());
  builder.setInsertionPointToEnd(loop.getBody());
  builder.create<scf::YieldOp>(
      loc, addParts(loc, op, loop.getInductionVar(), end, access, Values(loop.getRegionIterArgs())));
  values[op.getSum()] = Values(complete.getResults());
  return success();
}

} // namespace tawa
