// Converts ring facts to attributes and back, one attribute for each ring.
#include "compiler/analysis/RingFacts.h"

#include "compiler/roles/Tawa/Tawa.h"

using namespace mlir;

namespace tawa {

static ws::RingAttr toAttr(MLIRContext *context, const RingWork &ring) {
  return ws::RingAttr::get(context, ring.slotBytes, ring.usefulSlots, ring.transposedBytes, ring.repeats, ring.isOuter);
}

static RingWork fromAttr(ws::RingAttr ring) {
  return {ring.getBytes(), ring.getRepeats(), ring.getOuter(), ring.getUseful(), ring.getTransposed()};
}

void writeRings(tt::FuncOp func, ArrayRef<RingWork> rings) {
  Builder builder(func.getContext());
  SmallVector<Attribute> list;
  for (const RingWork &ring : rings)
    list.push_back(toAttr(func.getContext(), ring));
  ws::kRingsAttr.set(func, builder.getArrayAttr(list));
}

std::vector<RingWork> readRings(tt::FuncOp func) {
  std::vector<RingWork> rings;
  if (auto list = ws::kRingsAttr.get(func))
    for (auto facts : list.getAsRange<ws::RingAttr>())
      rings.push_back(fromAttr(facts));
  return rings;
}

} // namespace tawa
