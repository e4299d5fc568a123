// Emits asynchronous dots as groups of wgmma (tawa.dot_begin, dot_issue, dot_wait).
#pragma once

#include "compiler/target/hopper/TawaToSM90/SharedTiles.h"
#include "compiler/target/hopper/TawaToSM90/WgmmaDot.h"

namespace tawa {

class AsyncDotEmitter : public Emitter {
public:
  AsyncDotEmitter(RoleContext &context, WgmmaEmitter &wgmma, SharedTileEmitter &tiles)
      : Emitter(context), wgmma(wgmma), tiles(tiles) {}
  mlir::LogicalResult lower(ws::DotBeginOp begin);
  mlir::LogicalResult lower(ws::DotIssueOp issue);
  mlir::LogicalResult lower(ws::DotWaitOp wait);

private:
  mlir::LogicalResult holdOperandA(ws::DotIssueOp issue, WgmmaDot &dot);

  WgmmaEmitter &wgmma;
  SharedTileEmitter &tiles;
};

} // namespace tawa
