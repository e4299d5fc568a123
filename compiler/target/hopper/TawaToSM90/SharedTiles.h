// Emits moves of tiles between registers and shared memory (tawa.to_shared, tawa.from_shared), and their barriers.
#pragma once

#include "compiler/target/hopper/TawaToSM90/RoleBarrier.h"
#include "compiler/target/hopper/TawaToSM90/SlotReads.h"

namespace tawa {

class SharedTileEmitter : public Emitter {
public:
  SharedTileEmitter(RoleContext &context, RoleBarrier &barrier, SlotReads &slotReads);

  mlir::LogicalResult lower(ws::ToSharedOp op);
  mlir::LogicalResult lower(ws::FromSharedOp op);
  /// Before `next`: tiles that were written get their barrier, if they have none yet, where they may be read or this is
  /// not followed further.
  void publishBefore(mlir::Operation *next);
  /// Before `wait`: the barrier of a later write of this iteration, where the tensor cores have work meanwhile.
  void meetForWrite(ws::DotWaitOp wait);

private:
  RoleBarrier &barrier;
  SlotReads &slotReads;
  bool isFresh = false;  ///< A tile was written, and no barrier stands after it yet.
  ws::ToSharedOp metFor; ///< Earlier readers of its bytes are done when this write is reached.
};

} // namespace tawa
