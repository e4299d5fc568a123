// PartSlots.cpp: where parts of sums and their counts are.
//
// A launch's workspace is an array of slots, two for each CTA. A slot holds one part of a sum, as the registers of the
// threads that wrote it, and the counts of a tile: tile q has those of slot q.
//
//   0          count of the parts of a tile that are there
//   4          counts of the slices of its sum (PartSlices.cpp)
//   8          of part i of a tile: whether slice i of its sum was left (PartSlices.cpp)
//   128        16 * (v * threads + thread): registers 4 * v .. 4 * v + 3 of a thread
//
// The CTAs that share a tile run the same code, so a thread reads elements that are its own in the sum's layout.
#include "compiler/target/hopper/TawaToSM90/PartSlots.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kCountBytes = 128; // the parts begin with a cache line of their own
static constexpr uint32_t kVectorWords = 4, kWordBytes = 4, kWordBits = 32;

PartSlots::PartSlots(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, Workspace &workspace)
    : Emitter(context), barrier(barrier), scratch(scratch), workspace(workspace), slotBytes(kCountBytes) {
  context.source.walk([&](ws::StorePartOp op) {
    Access access = planAccess(op);
    accesses[op] = access;
    slotBytes += llvm::alignTo(access.bytes(), kCountBytes);
  });
}

PartSlots::Access PartSlots::planAccess(ws::StorePartOp op) const {
  RankedTensorType type = op.getPart().getType();
  uint32_t bits = ws::layoutOf(type).getLayout().inSize("register") * type.getElementTypeBitWidth();
  uint32_t words = llvm::divideCeil(bits, kWordBits);
  Access access;
  access.element = builder.machineType(type.getElementType());
  access.offset = slotBytes;
  access.words = std::min(words, kVectorWords);
  access.vectors = words / access.words;
  access.vectorBytes = access.words * kWordBytes * kLanes * op->getParentOfType<ws::WarpGroupOp>().getWarps();
  return access;
}

uint32_t PartSlots::Access::elementsOf(uint32_t words) const { return words * kWordBits / storageBits(element); }

SmallVector<PartSlots::Access> PartSlots::regions(Block &block) const {
  SmallVector<Access> regions;
  for (auto part : block.getOps<ws::StorePartOp>()) {
    const Access &next = access(part);
    bool isFirst = regions.empty();
    Access *before = isFirst ? nullptr : &regions.back();
    if (!isFirst && before->element == next.element && before->vectorBytes == next.vectorBytes &&
        before->offset + before->bytes() == next.offset)
      before->vectors += next.vectors;
    else
      regions.push_back(next);
  }
  return regions;
}

Value PartSlots::after(Location loc, Value base, uint32_t bytes) {
  return builder.create<LLVM::GEPOp>(loc, base.getType(), builder.getI8Type(), base,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

//===--- Counts ---------------------------------------------------------------------------------------------------===//

Value PartSlots::wordAt(Location loc, Value slot, Word which) {
  Value place = workspace.slotAt(loc, slot, ws::StorePartOp::kSlots, slotBytes);
  return which == 0 ? place : after(loc, place, which);
}

Value PartSlots::change(Location loc, Value tile, Word which, Value more, sm90::Semantics semantics, bool byActor) {
  MLIRContext *context = builder.getContext();
  auto change = builder.create<sm90::AtomicRmwOp>(
      loc, builder.getI32Type(), sm90::AtomicKindAttr::get(context, sm90::AtomicKind::Add),
      sm90::SemanticsAttr::get(context, semantics), sm90::ScopeAttr::get(context, sm90::Scope::Gpu),
      wordAt(loc, tile, which), more, byActor ? thread.actsForRole(loc) : Value());
  return change.getResult();
}

Value PartSlots::tellRole(Location loc, Value ofActor) {
  Value ofAll = scratch.broadcastFromActor(loc, ofActor);
  if (thread.warps == 1) // whose lanes exchanged it without memory
    barrier.emit(loc);
  return ofAll;
}

Value PartSlots::addToCount(Location loc, Value tile, Word which, Value more, sm90::Semantics semantics) {
  return tellRole(loc, change(loc, tile, which, more, semantics, /*byActor=*/true));
}

Value PartSlots::ask(Location loc, Value tile, Word which) {
  return change(loc, tile, which, builder.constant(loc, 0), sm90::Semantics::Acquire, /*byActor=*/false);
}

void PartSlots::set(Location loc, Value slot, Word which, uint32_t number, Value condition) {
  builder.create<sm90::StoreGlobalOp>(loc, wordAt(loc, slot, which), builder.constant(loc, number),
                                      builder.both(loc, condition, thread.actsForRole(loc)));
}

Value PartSlots::read(Location loc, Value slot, Word which) {
  return loadInOrder(loc, wordAt(loc, slot, which), TypeRange{builder.getI32Type()}).front();
}

//===--- Parts ----------------------------------------------------------------------------------------------------===//

Value PartSlots::threadNumber(Location loc) {
  Value first = builder.create<arith::MulIOp>(loc, thread.warp, builder.constant(loc, kLanes));
  return builder.create<arith::AddIOp>(loc, first, thread.lane);
}

Value PartSlots::placeOf(Location loc, Value slot, const Access &access, Value number) {
  Value bytes = builder.create<arith::MulIOp>(loc, number, builder.constant(loc, access.words * kWordBytes));
  Value own = builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), bytes);
  Value base = workspace.slotAt(loc, slot, ws::StorePartOp::kSlots, slotBytes);
  base = builder.create<LLVM::GEPOp>(loc, base.getType(), builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{own});
  return after(loc, base, access.offset);
}

Value PartSlots::vectorsAfter(Location loc, Value place, const Access &access, uint32_t vectors) {
  return after(loc, place, vectors * access.vectorBytes);
}

/// From L2, in the order of these loads: ptxas leaves one that is volatile where it is.
Values PartSlots::loadInOrder(Location loc, Value place, TypeRange types) {
  auto load = builder.create<sm90::LoadGlobalOp>(loc, types, place, Value(), sm90::CacheModifierAttr(),
                                                 sm90::EvictionAttr(), /*isVolatile=*/true);
  return Values(load.getResults());
}

Values PartSlots::load(Location loc, Value place, const Access &access) {
  Type word = builder.wordTypes(access.element, access.elementsOf(access.words)).front();
  return loadInOrder(loc, place, SmallVector<Type>(access.words, word));
}

Value PartSlots::sum(Location loc, Value a, Value b) {
  return isa<FloatType>(a.getType()) ? builder.create<arith::AddFOp>(loc, a, b).getResult()
                                     : builder.create<arith::AddIOp>(loc, a, b).getResult();
}

} // namespace tawa
