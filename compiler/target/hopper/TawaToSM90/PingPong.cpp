// PingPong.cpp: a turn is a named barrier of two roles. The role whose turn it is waits; the one that passes it on only
// arrives. Every wait has its arrival: the first turn is not awaited, and none is passed after the last.
#include "compiler/target/hopper/TawaToSM90/PingPong.h"
#include "compiler/target/hopper/TawaToSM90/NamedBarriers.h"

using namespace mlir;

namespace tawa {

LogicalResult PingPongEmitter::lower(Location loc, uint32_t turn, Value condition, bool waits) {
  uint32_t number = pingPongBarrierNumber(turn, context.roleCount);
  uint32_t threads = 2 * thread.warps * kLanes;
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto branch = builder.create<scf::IfOp>(loc, one(condition), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  if (waits)
    builder.create<sm90::BarrierSyncOp>(loc, number, threads);
  else
    builder.create<sm90::BarrierArriveOp>(loc, number, threads);
  return success();
}

} // namespace tawa
