// RingSlot.cpp: number n uses slot n mod D in round n div D; a barrier's phase parity alternates with the rounds.
#include "compiler/target/hopper/TawaToSM90/RingSlot.h"

using namespace mlir;

namespace tawa {

RingSlot slotOf(MachineBuilder &builder, const ThreadPosition &thread, Location loc, const RingPlan &ring,
                Value index) {
  Value depth = builder.constant(loc, ring.depth);
  Value slot = builder.create<arith::RemUIOp>(loc, index, depth);
  Value round = builder.create<arith::DivUIOp>(loc, index, depth);
  auto at = [&](uint32_t base, uint32_t stride) -> Value {
    Value offset = builder.create<arith::MulIOp>(loc, slot, builder.constant(loc, stride));
    return builder.create<arith::AddIOp>(loc, builder.add(loc, thread.sharedBase, base), offset);
  };
  return {at(ring.slots, ring.slotBytes), at(ring.full, kBarrierBytes), at(ring.empty, kBarrierBytes),
          builder.create<arith::AndIOp>(loc, round, builder.constant(loc, 1))};
}

Value parityBefore(MachineBuilder &builder, Location loc, const RingSlot &slot) {
  return builder.create<arith::XOrIOp>(loc, slot.round, builder.constant(loc, 1));
}

} // namespace tawa
