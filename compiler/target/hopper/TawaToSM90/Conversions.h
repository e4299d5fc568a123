// Emits conversions of tensors from one register layout to another, as planned by ConversionPlan.h.
#pragma once

#include "compiler/target/hopper/TawaToSM90/ConversionPlan.h"
#include "compiler/target/hopper/TawaToSM90/Scratch.h"

namespace tawa {

class ConversionEmitter : public Emitter {
public:
  ConversionEmitter(RoleContext &context, Scratch &scratch) : Emitter(context), scratch(scratch) {}

  mlir::LogicalResult lower(ws::ConvertLayoutOp op);
  /// The tensor in the registers of another layout.
  Values convert(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const LinearLayout &from, LinearLayout to);
  /// The same, always through shared memory: copies then hold the values of their owner.
  Values convertThroughScratch(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const LinearLayout &from,
                               const LinearLayout &to);

private:
  Values selectorConditions(mlir::Location loc, const WarpLocalPlan &plan);
  mlir::Value sourceLane(mlir::Location loc, const WarpLocalPlan &plan);
  Values chooseCandidate(mlir::Location loc, llvm::SmallVector<Values> candidates,
                         llvm::ArrayRef<mlir::Value> conditions);
  Values convertInRounds(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const HalvedConversion &half);
  Values convertInWarp(mlir::Location loc, llvm::ArrayRef<mlir::Value> source, const WarpLocalPlan &plan);

  Scratch &scratch;
};

} // namespace tawa
