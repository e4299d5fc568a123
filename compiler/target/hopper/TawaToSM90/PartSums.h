// Emits sums of tiles that several CTAs compute parts of (tawa.needs_part, tawa.store_part, tawa.count_part,
// tawa.sum_parts).
#pragma once

#include "compiler/target/hopper/TawaToSM90/PartSlices.h"

namespace tawa {

class PartSumEmitter : public Emitter {
public:
  PartSumEmitter(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, GlobalOrder &order, Workspace &workspace)
      : Emitter(context), barrier(barrier), scratch(scratch), order(order), slots(context, barrier, scratch, workspace),
        slices(context, barrier, scratch, slots) {}

  mlir::LogicalResult lower(ws::NeedsPartOp op);
  mlir::LogicalResult lower(ws::StorePartOp op);
  mlir::LogicalResult lower(ws::CountPartOp op);
  mlir::LogicalResult lower(ws::SumPartsOp op);

private:
  /// The most parts of a tile that one CTA adds up.
  uint32_t mostOfOneReader(mlir::Block *block) const;
  Values select(mlir::Location loc, mlir::Value condition, mlir::TypeRange types, llvm::function_ref<Values()> yes,
                llvm::function_ref<Values()> no);
  mlir::Value ownPlace(mlir::Location loc, mlir::Value slot, const PartSlots::Access &access);
  Values loadPart(mlir::Location loc, mlir::Value slot, const PartSlots::Access &access);
  Values addParts(ws::SumPartsOp op, llvm::ArrayRef<const PartSlots::Access *> tensors, mlir::Value first,
                  mlir::Value end, Values sums);
  Values sumParts(ws::SumPartsOp op, llvm::ArrayRef<const PartSlots::Access *> tensors, mlir::ValueRange kept);

  RoleBarrier &barrier;
  Scratch &scratch;
  GlobalOrder &order;
  PartSlots slots;
  PartSlices slices;
};

} // namespace tawa
