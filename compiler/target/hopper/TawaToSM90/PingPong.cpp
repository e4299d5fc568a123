// PingPong.cpp: ping-pong between consumer groups by named barriers of two roles. The group that is passed to waits;
// the one that passes only arrives. Every wait has its arrival: the first group does not wait, and the last tile passes
// to none.
#include "compiler/target/hopper/TawaToSM90/PingPong.h"
#include "compiler/target/hopper/TawaToSM90/NamedBarriers.h"

using namespace mlir;

namespace tawa {

LogicalResult PingPongEmitter::lower(Location loc, uint32_t group, Value condition, bool waits) {
  uint32_t number = pingPongBarrierNumber(group, context.roleCount);
  uint32_t threads = 2 * thread.warps * kLanes;
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto branch = builder.create<scf::IfOp>(loc, one(condition), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  if (waits)
    builder.create<sm90::BarrierSyncOp>(loc, number, threads, Value());
  else
    builder.create<sm90::BarrierArriveOp>(loc, number, threads, Value());
  return success();
}

} // namespace tawa
