// Emits copies of tiles of scattered pointers to a ring slot (tawa.copy_tile): asynchronous ones (cp.async), or through
// registers.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class AsyncCopyEmitter : public Emitter {
public:
  explicit AsyncCopyEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult start(ws::CopyTileOp copy, mlir::Value tile);
  /// The same where elements are not aligned to a copy: they are in the slot when this is done.
  mlir::LogicalResult move(ws::CopyTileOp copy, mlir::Value tile);

private:
  std::optional<VectorPlan> plan(ws::CopyTileOp copy);
};

/// Whether the tile goes through registers.
bool goesThroughRegisters(ws::CopyTileOp copy);

/// Whether all threads of a role that only puts have work there: they copy tiles of scattered pointers.
bool copiesWithAllThreads(ws::WarpGroupOp role);
/// Whether threads copy tiles to the ring's slots asynchronously.
bool isCopiedTo(mlir::Value aref);

} // namespace tawa
