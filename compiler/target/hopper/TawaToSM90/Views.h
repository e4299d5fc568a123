// Emits operations that only rearrange elements: ranges, splats, views, pairs, constant tables.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Conversions.h"

namespace tawa {

class ViewEmitter : public Emitter {
public:
  ViewEmitter(RoleContext &context, ConversionEmitter &conversions) : Emitter(context), conversions(conversions) {}

  mlir::LogicalResult lowerShape(mlir::Operation *op);
  mlir::LogicalResult lower(tt::MakeRangeOp op);
  mlir::LogicalResult lower(tt::JoinOp op);
  mlir::LogicalResult lower(tt::SplitOp op);
  mlir::LogicalResult lower(mlir::arith::ConstantOp op);

private:
  mlir::LogicalResult lowerView(mlir::Operation *view, const LinearLayout &seenAs);
  mlir::LogicalResult lowerTable(mlir::arith::ConstantOp op, const LinearLayout &layout);

  ConversionEmitter &conversions;
};

} // namespace tawa
