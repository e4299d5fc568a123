// Decides every static offset into a kernel's dynamic shared memory.
#pragma once

#include "compiler/analysis/LastUses.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/TawaToSM90/ClusterSumPlan.h"
#include "compiler/target/hopper/TawaToSM90/RingPlan.h"
#include "compiler/target/hopper/TawaToSM90/StoreGroups.h"

#include "llvm/ADT/MapVector.h"

namespace tawa {

/// Where a role stages tiles on their way to global memory: `stages` panels per warp.
struct StagingPlan {
  uint32_t base = 0;
  mlir::Value slotOf; ///< The ring whose slot has the panels, until it is released; null: they have bytes of their own.
  uint32_t panelBytes = 0;
  uint32_t stages = 0;
  StoreGroups groups; ///< What is stored through the panels.
};

/// Offsets into the kernel's dynamic shared memory. Scratch (Scratch.h) comes after them, or lies in slots that are
/// free by then.
class SharedPlan {
public:
  mlir::LogicalResult plan(tt::FuncOp func, uint32_t epilogueStages);
  const RingPlan &ring(mlir::Value aref) const { return rings.find(aref)->second; }
  const llvm::MapVector<mlir::Value, RingPlan> &allRings() const { return rings; }
  const StagingPlan &staging(mlir::Operation *role) const { return stagings.find(role)->second; }
  const ClusterSumPlan &sum(mlir::Operation *op) const { return sums.find(op)->second; }
  const llvm::MapVector<mlir::Operation *, ClusterSumPlan> &allSums() const { return sums; }
  /// Offset where a role assembles a tensor map and keeps its last description: 128 bytes and some words.
  uint32_t descriptor(ws::MakeDescriptorOp op) const { return descriptors.lookup(op); }
  /// Offset of the tile that a to_shared writes.
  uint32_t tile(ws::ToSharedOp op) const { return tiles.lookup(op); }
  /// True where dots that read such tiles may be in flight when one is overwritten.
  bool hasLateReaders(mlir::Operation *role) const { return lateReaders.contains(role); }
  /// Warps whose reads of slots end before the parts of sums that lie there arrive.
  uint32_t summingWarps() const { return sumWarps; }
  uint32_t totalBytes() const { return total; }
  /// What comes after the last use of all slots; they begin at byte 0 and have so many bytes. A role that is not alone
  /// does not know when others have used them.
  const AfterLastUse &afterSlots() const { return slotsFree; }
  uint32_t slotBytes() const { return slots; }
  /// What the module's target has for a CTA.
  uint32_t limitBytes() const { return limit; }
  /// Says on the module how many slots the rings would have if they gave up `excess` bytes (ws::kFittingDepthAttr).
  void noteFittingDepth(tt::FuncOp func, uint32_t excess) const;

private:
  uint32_t reserve(uint32_t bytes, uint32_t alignment);
  mlir::LogicalResult planStaging(ws::WarpGroupOp role, uint32_t epilogueStages);
  void placeStaging(ws::WarpGroupOp role, StagingPlan &staging, uint32_t bytes);
  /// Places the role's tiles.
  void planTiles(ws::WarpGroupOp role);
  void planSums(tt::FuncOp func);
  void findFreeSlots(tt::FuncOp func);
  /// Gives the sums the bytes of rings; false where they are not enough.
  bool placeSumsInRings();
  void planBarriers();
  void explainExcess(tt::FuncOp func) const;

  llvm::MapVector<mlir::Value, RingPlan> rings;
  llvm::DenseMap<mlir::Operation *, StagingPlan> stagings;
  llvm::MapVector<mlir::Operation *, uint32_t> tiles;
  llvm::DenseMap<mlir::Operation *, uint32_t> descriptors;
  llvm::MapVector<mlir::Operation *, ClusterSumPlan> sums;
  llvm::DenseSet<mlir::Operation *> lateReaders;
  AfterLastUse slotsFree;
  uint32_t total = 0, limit = 0, sumWarps = 0, slots = 0;
};

} // namespace tawa
