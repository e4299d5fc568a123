// Emits sums over the CTAs of a program, each of which has a part (tawa.cluster_sum).
#pragma once

#include "compiler/target/hopper/TawaToSM90/ClusterSync.h"

namespace tawa {

class ClusterSumEmitter : public Emitter {
public:
  ClusterSumEmitter(RoleContext &context, ClusterSync &sync) : Emitter(context), sync(sync) {}

  /// Once for the kernel, by one thread.
  void initBarriers(mlir::Location loc);
  void beginRole() { hasReadRings = false; }
  mlir::LogicalResult lower(ws::ClusterSumOp op);

private:
  Values addRound(mlir::Location loc, const ClusterSumPlan &plan, uint32_t round, const Values &part);
  void announceBuffer(mlir::Location loc, uint32_t empty, uint32_t round);
  void announceRings(mlir::Location loc);
  mlir::Value ofPeer(mlir::Location loc, uint32_t barrier, mlir::Value peer);
  mlir::Value ownPart(mlir::Location loc, const ClusterSumPlan &plan, uint32_t round);
  void sendPart(mlir::Location loc, const ClusterSumPlan &plan, uint32_t round, llvm::ArrayRef<mlir::Value> part);
  Values receivePart(mlir::Location loc, const ClusterSumPlan &plan, uint32_t round, llvm::ArrayRef<mlir::Value> part);

  ClusterSync &sync;
  bool hasReadRings = false; ///< And has told the peer so.
};

} // namespace tawa
