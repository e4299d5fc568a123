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
  /// The common part; `emit` makes the access of one register under a condition that may be null.
  mlir::LogicalResult lowerAtomic(mlir::Operation *op, mlir::Value pointer, mlir::Value mask, tt::MemSemantic semantics,
                                  llvm::function_ref<mlir::Value(size_t, mlir::Value)> emit);
  mlir::Value emitRMW(tt::AtomicRMWOp op, mlir::Value pointer, mlir::Value value, mlir::Value condition, bool wanted);

  RoleBarrier &barrier;
  Scratch &scratch;
  GlobalOrder &order;
  ConversionEmitter &conversions;
};

} // namespace tawa
