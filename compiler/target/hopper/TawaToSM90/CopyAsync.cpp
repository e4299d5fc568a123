// CopyAsync.cpp: tiles of scattered pointers, copied to their slot by all threads of the producer (tawa.copy_tile).
//
// Every thread starts one cp.async per group of `vector` registers of the pointers' layout, directly to the place of
// these elements in the swizzled slot. It leaves its arrival on the full barrier to the hardware, which makes it when
// the thread's copies have landed (cp.async.mbarrier.arrive.noinc, PTX ISA). So no thread of the producer waits for a
// load, and the barrier counts one arrival of each thread that copies, plus one where TMA fills part of the slot.
#include "compiler/target/hopper/TawaToSM90/CopyAsync.h"

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

LogicalResult AsyncCopyEmitter::start(ws::CopyTileOp copy, Value tile) {
  Location loc = copy.getLoc();
  auto type = cast<RankedTensorType>(copy.getTile().getType());
  ws::LinearAttr source = ws::layoutOf(copy.getPointers().getType()), slot = ws::layoutOf(type);
  if (!source || source.isShared() || !slot || !slot.isShared())
    return copy.emitOpError() << "needs pointers in registers and a tile in shared memory";
  unsigned bits = type.getElementTypeBitWidth();
  uint32_t vector = copy.getVector(), bytes = vector * bits / 8;
  auto plan = deriveVectorAccess(source.getLayout(), slot.getLayout(), bits);
  if (!plan || plan->vector % vector != 0 || bytes < 4 || bytes > kCacheLineCopyBytes)
    return copy.emitOpError() << "copies of " << vector << " elements do not fit the layouts of pointers and slot";

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

} // namespace tawa
