// Emits synchronous dots (tt.dot): on wgmma with promoted sums, on mma.sync, or by multiply-adds.
#pragma once

#include "compiler/target/hopper/TawaToSM90/SlotReads.h"
#include "compiler/target/hopper/TawaToSM90/WgmmaDot.h"

namespace tawa {

class SynchronousDotEmitter : public Emitter {
public:
  SynchronousDotEmitter(RoleContext &context, WgmmaEmitter &wgmma, SlotReads &slotReads)
      : Emitter(context), wgmma(wgmma), slotReads(slotReads) {}
  mlir::LogicalResult lower(tt::DotOp dot); // MmaDots.cpp

private:
  mlir::LogicalResult lowerPromoted(tt::DotOp dot, uint32_t promoteEvery); // PromotedDots.cpp
  mlir::LogicalResult lowerMma(tt::DotOp dot);                             // MmaDots.cpp
  mlir::LogicalResult lowerFma(tt::DotOp dot);                             // FmaDots.cpp

  WgmmaEmitter &wgmma;
  SlotReads &slotReads;
};

} // namespace tawa
