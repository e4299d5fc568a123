// CopyAsync.cpp: tiles of scattered pointers, copied to their slot by all threads of the producer (tawa.copy_tile).
//
// Every thread starts one cp.async per group of `vector` registers of the pointers' layout, directly to the place of
// these elements in the swizzled slot. It leaves its arrival on the full barrier to the hardware, which makes it when
// the thread's copies have landed (cp.async.mbarrier.arrive.noinc, PTX ISA). So no thread of the producer waits for a
// load, and the barrier counts one arrival of each thread that copies, plus one where TMA fills part of the slot.
//
// No copy is narrower than 4 bytes. Elements that are not aligned to as much are loaded to registers and stored to the
// slot from there, by words; the warp arrives once for them.
#include "compiler/target/hopper/TawaToSM90/CopyAsync.h"

#include "compiler/analysis/PointerTiles.h"
#include "compiler/layouts/algebra/HopperLayouts.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kCacheLineCopyBytes = 16; // only these may bypass L1 (PTX ISA, cp.async.cg)

bool copiesWithAllThreads(ws::WarpGroupOp role) {
  return role.walk([](ws::CopyTileOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool isCopiedTo(Value aref) {
  return llvm::any_of(aref.getUsers(), [](Operation *user) {
    auto put = dyn_cast<ws::PutOp>(user);
    return put && llvm::any_of(put.getValues(), [](Value value) { return value.getDefiningOp<ws::CopyTileOp>(); });
  });
}

static unsigned elementBits(ws::CopyTileOp copy) {
  return cast<RankedTensorType>(copy.getTile().getType()).getElementTypeBitWidth();
}

bool goesThroughRegisters(ws::CopyTileOp copy) { return copy.getVector() * elementBits(copy) / 8 < kLeastCopyBytes; }

/// Which elements of the slot each thread writes; nothing, with a diagnostic, where they are no whole copies.
std::optional<VectorPlan> AsyncCopyEmitter::plan(ws::CopyTileOp copy) {
  ws::LinearAttr source = ws::layoutOf(copy.getPointers().getType()), slot = ws::layoutOf(copy.getTile().getType());
  if (!source || source.isShared() || !slot || !slot.isShared()) {
    copy.emitOpError() << "needs pointers in registers and a tile in shared memory";
    return std::nullopt;
  }
  uint32_t vector = copy.getVector();
  auto plan = deriveVectorAccess(source.getLayout(), slot.getLayout(), elementBits(copy));
  if (plan && plan->vector % vector == 0 && vector * elementBits(copy) / 8 <= kCacheLineCopyBytes)
    return plan;
  copy.emitOpError() << "copies of " << vector << " elements do not fit the layouts of pointers and slot";
  return std::nullopt;
}

LogicalResult AsyncCopyEmitter::start(ws::CopyTileOp copy, Value tile) {
  Location loc = copy.getLoc();
  unsigned bits = elementBits(copy);
  uint32_t vector = copy.getVector(), bytes = vector * bits / 8;
  auto plan = this->plan(copy);
  if (!plan)
    return failure();
  auto cache = bytes == kCacheLineCopyBytes
                   ? sm90::CacheModifierAttr::get(builder.getContext(), sm90::CacheModifier::CG)
                   : sm90::CacheModifierAttr();
  Value owner = builder.both(loc, builder.bitsAreClear(loc, thread.lane, plan->replicatedLanes),
                             builder.bitsAreClear(loc, thread.warp, plan->replicatedWarps));
  Value own = thread.applyBases(loc, plan->laneBases, plan->warpBases);
  const Values &pointers = values[copy.getPointers()];
  Value size = builder.constant(loc, bytes), none = builder.constant(loc, 0);
  for (const VectorPlan::Access &access : plan->accesses) {
    uint32_t immediate = plan->immediatePart(access);
    Value offset = builder.create<arith::XOrIOp>(loc, own, builder.constant(loc, access.xorBytes & ~immediate));
    Value address = builder.create<arith::AddIOp>(loc, tile, offset);
    for (uint32_t first = 0; first < plan->vector; first += vector) {
      uint32_t index = access.registers[first];
      Value valid; // bytes read; the rest of the copy is zeros
      if (copy.getCount())
        valid = builder.create<arith::MulIOp>(loc, values[copy.getCount()][index], builder.constant(loc, bits / 8));
      if (copy.getMask())
        valid = builder.create<arith::SelectOp>(loc, values[copy.getMask()][index], valid ? valid : size, none);
      builder.create<sm90::CpAsyncOp>(loc, builder.add(loc, address, immediate + first * bits / 8), pointers[index],
                                      bytes, valid, owner, cache);
    }
  }
  return success();
}

/// So many loads are on their way together as a producer has registers for.
LogicalResult AsyncCopyEmitter::move(ws::CopyTileOp copy, Value tile) {
  constexpr uint32_t kLoadsTogether = 64;
  Location loc = copy.getLoc();
  auto plan = this->plan(copy);
  if (!plan)
    return failure();
  Type element = builder.machineType(cast<RankedTensorType>(copy.getTile().getType()).getElementType());
  Value owner = builder.both(loc, builder.bitsAreClear(loc, thread.lane, plan->replicatedLanes),
                             builder.bitsAreClear(loc, thread.warp, plan->replicatedWarps));
  Value own = thread.applyBases(loc, plan->laneBases, plan->warpBases);
  const Values &pointers = values[copy.getPointers()];
  auto load = [&](const VectorPlan::Access &access) {
    Values elements;
    for (uint32_t first = 0; first < plan->vector; first += copy.getVector()) {
      uint32_t index = access.registers[first];
      Value condition = copy.getMask() ? values[copy.getMask()][index] : Value();
      auto words = builder.create<sm90::LoadGlobalOp>(loc, builder.wordTypes(element, copy.getVector()),
                                                      pointers[index], condition);
      llvm::append_range(elements, builder.unpackWords(loc, words.getResults(), element, copy.getVector()));
    }
    return elements;
  };
  uint32_t together = std::max(kLoadsTogether * copy.getVector() / plan->vector, 1u);
  for (ArrayRef<VectorPlan::Access> left = plan->accesses; !left.empty();) {
    ArrayRef<VectorPlan::Access> some = left.take_front(together);
    left = left.drop_front(some.size());
    SmallVector<Values> loaded = llvm::map_to_vector(some, load);
    for (auto [access, elements] : llvm::zip(some, loaded))
      builder.create<sm90::StoreSharedOp>(
          loc, builder.plannedAddress(loc, tile, own, access.xorBytes, plan->immediatePart(access)),
          builder.packWords(loc, elements), owner);
  }
  return success();
}

} // namespace tawa
