// Emits atomic accesses to global memory.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Conversions.h"
#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"
#include "compiler/target/hopper/TawaToSM90/Scratch.h"

namespace tawa {

class AtomicEmitter : public Emitter {
public:
  AtomicEmitter(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, GlobalOrder &order,
                ConversionEmitter &conversions)
      : Emitter(context), barrier(barrier), scratch(scratch), order(order), conversions(conversions) {}
  mlir::LogicalResult lower(tt::AtomicRMWOp op);
  mlir::LogicalResult lower(tt::AtomicCASOp op);

private:
  /// What one instruction accesses: `width` registers from `first` on, under a condition that may be null.
  struct Part {
    size_t first;
    unsigned width;
    sm90::Semantics semantics;
    mlir::Value condition;
  };
  /// The common part; `emit` makes each access and returns what was in memory.
  mlir::LogicalResult lowerAtomic(mlir::Operation *op, mlir::Value mask, tt::MemSemantic semantics,
                                  tt::MemSyncScope scope, llvm::function_ref<mlir::Value(const Part &)> emit);
  mlir::Value emitRMW(tt::AtomicRMWOp op, const Part &part, bool wanted);

  RoleBarrier &barrier;
  Scratch &scratch;
  GlobalOrder &order;
  ConversionEmitter &conversions;
};

} // namespace tawa
