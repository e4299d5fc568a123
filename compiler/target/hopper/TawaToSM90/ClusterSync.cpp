// ClusterSync.cpp: diverged lanes reconverge first, because the cluster barrier works on whole warps.
#include "compiler/target/hopper/TawaToSM90/ClusterSync.h"

using namespace mlir;

namespace tawa {

void ClusterSync::arrive(Location loc) {
  builder.create<sm90::WarpSyncOp>(loc);
  builder.create<sm90::ClusterArriveOp>(loc);
}

void ClusterSync::awaitPeers(Location loc) {
  if (cluster.split == 1 || cluster.programs != 1 || knowsPeers) // all know them from the beginning
    return;
  builder.create<sm90::WarpSyncOp>(loc);
  builder.create<sm90::ClusterWaitOp>(loc);
  knowsPeers = true;
}

} // namespace tawa
