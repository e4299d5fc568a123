// Emits asynchronous copies (cp.async) of tiles of scattered pointers to a ring slot (tawa.copy_tile).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class AsyncCopyEmitter : public Emitter {
public:
  explicit AsyncCopyEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult start(ws::CopyTileOp copy, mlir::Value tile);
};

/// Whether all threads of a role that only puts have work there: they copy tiles of scattered pointers.
bool copiesWithAllThreads(ws::WarpGroupOp role);
/// Whether threads copy tiles to the ring's slots asynchronously.
bool isCopiedTo(mlir::Value aref);

} // namespace tawa
