// Emits the named barriers by which the warp groups of a role take turns (tawa.turns_begin, turn_wait, turn_pass).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class TurnEmitter : public Emitter {
public:
  explicit TurnEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(ws::TurnsBeginOp begin);
  mlir::LogicalResult lower(ws::TurnWaitOp wait);
  mlir::LogicalResult lower(ws::TurnPassOp pass);

private:
  uint32_t groups() const;
  uint32_t barrierOf(uint32_t group) const;
  mlir::Value isGroup(mlir::Location loc, uint32_t group) const;
};

} // namespace tawa
