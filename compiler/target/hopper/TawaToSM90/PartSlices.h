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

  /// Whether this CTA is the one that goes on with the sum, which is in the slot of the first part then. `isLast`: it
  /// has counted the last part.
  mlir::Value addUp(mlir::Location loc, const SharedTile &tile, mlir::Value isLast);

private:
  mlir::Value awaitOthers(mlir::Location loc, const SharedTile &tile, mlir::Value isLast);
  void sumSlice(mlir::Location loc, const SharedTile &tile, mlir::Value slice);
  void sumSlice(mlir::Location loc, const SharedTile &tile, mlir::Value slice, const PartSlots::Access &access);
  Values sumParts(mlir::Location loc, const SharedTile &tile, mlir::Value number, const PartSlots::Access &access);
  mlir::Value field(mlir::Location loc, mlir::Value counts, uint32_t which);

  RoleBarrier &barrier;
  Scratch &scratch;
  PartSlots &slots;
};

} // namespace tawa
