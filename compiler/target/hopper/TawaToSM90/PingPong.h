// Emits the named barriers by which two roles alternate their dots (tawa.pingpong_wait, tawa.pingpong_pass).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class PingPongEmitter : public Emitter {
public:
  explicit PingPongEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(ws::PingPongWaitOp await) {
    return lower(await.getLoc(), await.getGroup(), await.getCondition(), /*waits=*/true);
  }
  mlir::LogicalResult lower(ws::PingPongPassOp pass) {
    return lower(pass.getLoc(), pass.getGroup(), pass.getCondition(), /*waits=*/false);
  }

private:
  mlir::LogicalResult lower(mlir::Location loc, uint32_t group, mlir::Value condition, bool waits);
};

} // namespace tawa
