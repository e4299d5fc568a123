// Turns.cpp: group g waits at a barrier of its own, at which group g - 1 arrives. The last group arrives at the first
// one's before the first turn. After the last turn that barrier has these arrivals once more, and the CTA ends with
// them.
#include "compiler/target/hopper/TawaToSM90/Turns.h"
#include "compiler/target/hopper/TawaToSM90/NamedBarriers.h"

using namespace mlir;

namespace tawa {

/// Those that wait and those that arrive.
static constexpr uint32_t kThreadsOfTurn = 2 * kThreadsPerGroup;

uint32_t TurnEmitter::groups() const { return thread.warps / kWarpsPerGroup; }

uint32_t TurnEmitter::barrierOf(uint32_t group) const { return turnBarrierNumber(group % groups(), context.roleCount); }

Value TurnEmitter::isGroup(Location loc, uint32_t group) const {
  Value own = builder.create<arith::DivUIOp>(loc, thread.warp, builder.constant(loc, kWarpsPerGroup));
  return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, own, builder.constant(loc, group));
}

LogicalResult TurnEmitter::lower(ws::TurnsBeginOp begin) {
  Location loc = begin.getLoc();
  builder.create<sm90::BarrierArriveOp>(loc, barrierOf(0), kThreadsOfTurn, isGroup(loc, groups() - 1));
  return success();
}

LogicalResult TurnEmitter::lower(ws::TurnWaitOp wait) {
  Location loc = wait.getLoc();
  for (uint32_t group = 0; group < groups(); ++group)
    builder.create<sm90::BarrierSyncOp>(loc, barrierOf(group), kThreadsOfTurn, isGroup(loc, group));
  return success();
}

LogicalResult TurnEmitter::lower(ws::TurnPassOp pass) {
  Location loc = pass.getLoc();
  for (uint32_t group = 0; group < groups(); ++group)
    builder.create<sm90::BarrierArriveOp>(loc, barrierOf(group + 1), kThreadsOfTurn, isGroup(loc, group));
  return success();
}

} // namespace tawa
