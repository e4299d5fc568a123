// Emits the number of the next tile that resident CTAs hand out among themselves (tawa.next_tile).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Scratch.h"
#include "compiler/target/hopper/TawaToSM90/Workspace.h"

namespace tawa {

class TileCounterEmitter : public Emitter {
public:
  TileCounterEmitter(RoleContext &context, Scratch &scratch, Workspace &workspace)
      : Emitter(context), scratch(scratch), workspace(workspace) {}

  mlir::LogicalResult lower(ws::NextTileOp op);

private:
  /// Returns the count before.
  mlir::Value change(mlir::Location loc, sm90::AtomicKind kind, mlir::Value counter, uint32_t value,
                     mlir::Value condition);

  Scratch &scratch;
  Workspace &workspace;
};

} // namespace tawa
