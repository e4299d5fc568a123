// Emits the TMA loads that fill a ring slot, including multicast loads of a cluster.
#pragma once

#include "compiler/target/hopper/TawaToSM90/RingSlot.h"
#include "compiler/target/hopper/TawaToSM90/TensorMaps.h"

namespace tawa {

class TmaLoadEmitter : public Emitter {
public:
  TmaLoadEmitter(RoleContext &context, TensorMaps &maps) : Emitter(context), maps(maps) {}
  /// Loads the values of a put that are no copies to `offsets` in its slot.
  mlir::LogicalResult start(ws::PutOp put, const RingSlot &slot, llvm::ArrayRef<uint32_t> offsets);

private:
  struct Tiles;
  mlir::FailureOr<Tiles> tilesOf(ws::PutOp put, unsigned position, uint32_t offset);
  mlir::LogicalResult load(const Tiles &tiles, const RingSlot &slot);
  /// With `part`, this CTA's part of each box, sent to all CTAs of the cluster.
  mlir::LogicalResult loadBoxes(const Tiles &tiles, const RingSlot &slot, bool part);
  mlir::Value sharingCtas(mlir::Location loc);

  TensorMaps &maps;
};

} // namespace tawa
