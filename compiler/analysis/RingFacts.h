// RingFacts: what roles/SlotPlan found out about the rings, kept on the function for analysis/WorkSummary.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "runtime/artifact/RingSlots.h"

namespace tawa {

/// `rings` are in the order of their channels.
void writeRings(tt::FuncOp func, llvm::ArrayRef<RingWork> rings);
/// None where nobody wrote any.
std::vector<RingWork> readRings(tt::FuncOp func);

} // namespace tawa
