// RoleBarrier.cpp: nothing in a role of one thread, a warp barrier in a role of one warp, else a named barrier.
#include "compiler/target/hopper/TawaToSM90/RoleBarrier.h"
#include "compiler/target/hopper/TawaToSM90/NamedBarriers.h"

using namespace mlir;

namespace tawa {

void RoleBarrier::emit(Location loc) {
  for (const std::function<void()> &forget : observers)
    forget();
  if (thread.isSingle)
    return;
  if (thread.warps == 1) {
    builder.create<sm90::WarpSyncOp>(loc);
    return;
  }
  builder.create<sm90::BarrierSyncOp>(loc, roleBarrierNumber(context.roleIndex, context.roleCount),
                                      thread.warps * kLanes, Value());
}

} // namespace tawa
