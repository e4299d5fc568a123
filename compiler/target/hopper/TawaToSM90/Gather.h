// Emits tt.gather and tt.histogram, whose addresses depend on values, through tables in scratch.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Conversions.h"

namespace tawa {

class GatherEmitter : public Emitter {
public:
  GatherEmitter(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, ConversionEmitter &conversions)
      : Emitter(context), barrier(barrier), scratch(scratch), conversions(conversions) {}
  mlir::LogicalResult lower(tt::GatherOp op);
  mlir::LogicalResult lower(tt::HistogramOp op);

private:
  void clearCounters(mlir::Location loc, mlir::Value base, uint32_t bins);

  RoleBarrier &barrier;
  Scratch &scratch;
  ConversionEmitter &conversions;
};

} // namespace tawa
