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
  /// Before `next`: written tiles without a barrier get one, if `next` may read them, or this is not known, or `next`
  /// has barriers that may not happen.
  void publishBefore(mlir::Operation *next);
  /// After `done`: tiles that it reads, or may read, are not known to have been read by all threads.
  void noteReads(mlir::Operation *done);
  /// Before `wait`: the barrier of a later write of this iteration, while the tensor cores are busy.
  void meetForWrite(ws::DotWaitOp wait);

private:
  RoleBarrier &barrier;
  SlotReads &slotReads;
  bool isFresh = false;  ///< A tile was written, and no barrier stands after it yet.
  bool haveMet = false;  ///< Since the last reader of tiles in this block, and those of earlier iterations.
  ws::ToSharedOp metFor; ///< Earlier readers of its bytes are done when this write is reached.
};

} // namespace tawa
