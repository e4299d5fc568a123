// Emits reductions along an axis (tt.reduce).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Combine.h"
#include "compiler/target/hopper/TawaToSM90/Conversions.h"

namespace tawa {

/// Whether warps exchange what each has of a row or column.
bool reducesOverWarps(tt::ReduceOp op);

class ReduceEmitter : public Emitter {
public:
  ReduceEmitter(RoleContext &context, CombineEmitter &combiner, ConversionEmitter &conversions)
      : Emitter(context), combiner(combiner), conversions(conversions) {}
  mlir::LogicalResult lower(tt::ReduceOp op);

private:
  mlir::FailureOr<Element> reduceInWarp(tt::ReduceOp op, llvm::ArrayRef<uint32_t> registers, uint32_t laneMask);
  mlir::FailureOr<Element> reduceLanes(mlir::Block &body, Element element, uint32_t laneMask);
  mlir::LogicalResult reduceWarps(tt::ReduceOp op, const LinearLayout &sliced, uint32_t warpMask,
                                  llvm::MutableArrayRef<Element> elements);
  mlir::LogicalResult bindReduced(tt::ReduceOp op, const LinearLayout &sliced,
                                  const llvm::MapVector<uint32_t, llvm::SmallVector<uint32_t>> &groups,
                                  llvm::ArrayRef<Element> elements);

  CombineEmitter &combiner;
  ConversionEmitter &conversions;
};

} // namespace tawa
