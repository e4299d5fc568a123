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
  /// CTAs that load a tile for each other.
  struct Sharers {
    uint32_t bits; ///< In which the numbers of their programs differ (tawa.put).
    uint32_t count;
  };
  mlir::FailureOr<Tiles> tilesOf(ws::PutOp put, unsigned position, uint32_t offset);
  mlir::LogicalResult load(const Tiles &tiles, const RingSlot &slot);
  mlir::LogicalResult loadShared(const Tiles &tiles, const RingSlot &slot, llvm::ArrayRef<uint32_t> choices);
  /// This CTA's part of each box, sent to all CTAs that share it by these bits of their programs' numbers (tawa.put).
  mlir::LogicalResult loadBoxes(const Tiles &tiles, const RingSlot &slot, uint32_t bits);
  mlir::Value numberAmong(mlir::Location loc, const Sharers &sharers);
  mlir::Value ranksOf(mlir::Location loc, const Sharers &sharers);

  TensorMaps &maps;
};

} // namespace tawa
