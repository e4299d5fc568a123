// Emits the addresses and the phase of a ring slot.
#pragma once

#include "compiler/target/hopper/TawaToSM90/RingPlan.h"
#include "compiler/target/hopper/TawaToSM90/ThreadPosition.h"

namespace tawa {

/// The slot that number `index` of a ring uses: index mod depth, in round index div depth.
struct RingSlot {
  mlir::Value address, full, empty; ///< Of the slot and its two barriers.
  mlir::Value round;                ///< mod 2: the phase parity that a get waits for on `full`.
};
RingSlot slotOf(MachineBuilder &builder, const ThreadPosition &thread, mlir::Location loc, const RingPlan &ring,
                mlir::Value index);
/// The parity of the phase before: what a put waits for on `empty`. In round 0 it names the phase before the first,
/// which counts as complete (PTX ISA, mbarrier phases).
mlir::Value parityBefore(MachineBuilder &builder, mlir::Location loc, const RingSlot &slot);

} // namespace tawa
