// Emits the named barriers through which two roles run their dots in turns (tawa.await_turn, tawa.pass_turn).
#pragma once

#include "compiler/conversion/TawaToSM90/Emitter.h"

namespace tawa {

class PingPongEmitter : public Emitter {
public:
  explicit PingPongEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(ws::AwaitTurnOp await) {
    return lower(await.getLoc(), await.getTurn(), await.getCondition(), /*waits=*/true);
  }
  mlir::LogicalResult lower(ws::PassTurnOp pass) {
    return lower(pass.getLoc(), pass.getTurn(), pass.getCondition(), /*waits=*/false);
  }

private:
  mlir::LogicalResult lower(mlir::Location loc, uint32_t turn, mlir::Value condition, bool waits);
};

} // namespace tawa
