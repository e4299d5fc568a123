// Emits sums of many parts that the CTAs of a tile add up together, a slice by each.
#pragma once

#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"
#include "compiler/target/hopper/TawaToSM90/PartSlots.h"

namespace tawa {

/// A tile whose parts were stored by the operations of one block.
struct SharedTile {
  mlir::Block *block;
  mlir::Value number, parts, stride; ///< Part i is in slot `number` + i * `stride`.
};

class PartSlices : public Emitter {
public:
  PartSlices(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, PartSlots &slots)
      : Emitter(context), barrier(barrier), scratch(scratch), slots(slots) {}

  /// Loads that a thread waits for together: so many accesses of so many parts.
  struct Batch {
    uint32_t parts, accesses;
  };

  /// Whether this CTA is the one that goes on with the sum, which is in the slot of the first part then. `slice`: how
  /// many parts were counted before its own.
  mlir::Value addUp(mlir::Location loc, const SharedTile &tile, mlir::Value slice);

private:
  mlir::Value awaitOthers(mlir::Location loc, const SharedTile &tile, mlir::Value isLast);
  void sumSlice(mlir::Location loc, const SharedTile &tile, mlir::Value slice, const PartSlots::Access &access,
                Batch batch);
  Values sumParts(mlir::Location loc, const SharedTile &tile, mlir::ValueRange numbers, const PartSlots::Access &access,
                  uint32_t together);
  void sumSlicesLeft(mlir::Location loc, const SharedTile &tile);
  mlir::Value slotOf(mlir::Location loc, const SharedTile &tile, mlir::Value part);
  mlir::Value compare(mlir::Location loc, mlir::arith::CmpIPredicate how, mlir::Value a, mlir::Value b);

  RoleBarrier &barrier;
  Scratch &scratch;
  PartSlots &slots;
};

} // namespace tawa
