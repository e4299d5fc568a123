// Emits sums of tiles that several CTAs compute parts of (tawa.needs_part, tawa.store_part, tawa.count_part,
// tawa.sum_parts).
#pragma once

#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"
#include "compiler/target/hopper/TawaToSM90/Scratch.h"
#include "compiler/target/hopper/TawaToSM90/Workspace.h"

namespace tawa {

class PartSumEmitter : public Emitter {
public:
  PartSumEmitter(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, GlobalOrder &order,
                 Workspace &workspace);

  mlir::LogicalResult lower(ws::NeedsPartOp op);
  mlir::LogicalResult lower(ws::StorePartOp op);
  mlir::LogicalResult lower(ws::CountPartOp op);
  mlir::LogicalResult lower(ws::SumPartsOp op);

private:
  /// How the threads of the role access one part.
  struct Access {
    uint32_t offset = 0;      ///< In a slot.
    uint32_t words = 0;       ///< Of one access.
    uint32_t vectors = 0;     ///< Accesses of one thread.
    uint32_t vectorBytes = 0; ///< One access of all threads.
  };
  Access planAccess(ws::StorePartOp op) const;
  mlir::Value slotAt(mlir::Location loc, mlir::Value slot);
  mlir::Value ownPlace(mlir::Location loc, mlir::Value slot, const Access &access);
  mlir::Value placeOf(mlir::Location loc, mlir::Value base, uint32_t offset);
  mlir::Value addToCount(mlir::Location loc, mlir::Value tile, uint32_t more, sm90::Semantics semantics);
  void resetCount(mlir::Location loc, mlir::Value tile, mlir::Value condition);
  mlir::Value select(mlir::Location loc, mlir::Value condition, llvm::function_ref<mlir::Value()> yes,
                     llvm::function_ref<mlir::Value()> no);
  Values loadPart(mlir::Location loc, mlir::Value slot, const Access &access, mlir::ValueRange like);
  mlir::Value added(mlir::Location loc, mlir::Value a, mlir::Value b);
  Values addParts(mlir::Location loc, ws::SumPartsOp op, mlir::Value first, mlir::Value end, const Access &access,
                  Values sums);

  RoleBarrier &barrier;
  Scratch &scratch;
  GlobalOrder &order;
  Workspace &workspace;
  llvm::DenseMap<mlir::Operation *, Access> accesses; ///< Of each tawa.store_part.
  uint32_t slotBytes = 0;
};

} // namespace tawa
