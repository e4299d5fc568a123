// RingFacts: facts about the rings found by roles/SlotPlan, stored on the function for analysis/WorkSummary.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "runtime/artifact/RingSlots.h"

namespace tawa {

/// `rings` are in the order of their channels.
void writeRings(tt::FuncOp func, llvm::ArrayRef<RingWork> rings);
/// Empty where none were stored.
std::vector<RingWork> readRings(tt::FuncOp func);

} // namespace tawa
