// Scratch.cpp: barriers before writes that earlier readers may still be reading, and between writes and reads.
#include "compiler/target/hopper/TawaToSM90/Scratch.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kScratchAlignment = 128; // one row of all banks

Scratch::Scratch(RoleContext &context, RoleBarrier &barrier)
    : Emitter(context), barrier(barrier), end(context.shared.totalBytes()) {
  barrier.onBarrier([this] { isRead = false; });
}

void Scratch::beginRole() {
  isRead = false;
  bytes = 0;
}

void Scratch::endRole() {
  if (bytes != 0)
    end = offset + bytes;
}

/// Whatever was copied to slots has landed, for each thread has waited for it, and each warp has given its slots back
/// when it had read them. What is left is to know that of the other warps.
void Scratch::approach(Operation *next) {
  hasSlots = shared.afterSlots().has(next);
  if (shared.afterSlots().beginsAt(next))
    assumeRead();
}

Value Scratch::open(Location loc, uint32_t needed) {
  if (isRead)
    barrier.emit(loc);
  if (needed <= freeBytes())
    return thread.sharedBase;
  if (bytes == 0) // where the buffers of the roles before end
    offset = llvm::alignTo(end, kScratchAlignment);
  bytes = std::max(bytes, needed);
  return builder.add(loc, thread.sharedBase, offset);
}

void Scratch::publish(Location loc) {
  barrier.emit(loc);
  isRead = true;
}

Value Scratch::broadcastFromActor(Location loc, Value value) {
  if (thread.isSingle)
    return value;
  if (thread.warps == 1)
    return builder.shuffle(loc, sm90::ShuffleMode::Idx, value, builder.constant(loc, 0)).front();
  Value place = open(loc, storageBits(value.getType()) / 8);
  builder.create<sm90::StoreSharedOp>(loc, place, builder.packWords(loc, value), thread.actsForRole(loc));
  publish(loc);
  auto load = builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(value.getType(), 1), place, Value());
  return builder.unpackWords(loc, load.getResults(), value.getType(), 1).front();
}

LogicalResult Scratch::checkTotalBytes() const {
  if (end <= shared.limitBytes())
    return success();
  tt::FuncOp source = context.source;
  shared.noteFittingDepth(source, end - shared.limitBytes());
  return source.emitOpError() << "needs " << end << " bytes of shared memory, " << end - shared.totalBytes()
                              << " of them to move tensors between threads; a CTA has " << shared.limitBytes()
                              << "; use smaller tiles, such as half the rows in twice as many programs, or a smaller D";
}

} // namespace tawa
