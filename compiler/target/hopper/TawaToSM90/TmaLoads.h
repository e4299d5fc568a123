// Emits the TMA loads that fill a ring slot, including multicast loads of a cluster.
#pragma once

#include "compiler/target/hopper/TawaToSM90/RingSlot.h"
#include "compiler/target/hopper/TawaToSM90/TensorMaps.h"

namespace tawa {

class TmaLoadEmitter : public Emitter {
public:
  TmaLoadEmitter(RoleContext &context, TensorMaps &maps) : Emitter(context), maps(maps) {}
  /// Loads value number `position` of a put to `offset` in its slot.
  mlir::LogicalResult start(ws::PutOp put, unsigned position, const RingSlot &slot, uint32_t offset);

private:
  /// The boxes of a tile; with `part`, this CTA's part of each of them, sent to all CTAs of the cluster.
  mlir::LogicalResult loadBoxes(tt::DescriptorLoadOp load, mlir::Value tile, mlir::Value full, bool part);

  TensorMaps &maps;
};

} // namespace tawa
