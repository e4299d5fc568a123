// See RingFacts.h: one dictionary for each ring.
#include "compiler/analysis/RingFacts.h"

#include "compiler/roles/Tawa/Tawa.h"

using namespace mlir;

namespace tawa {

static DictionaryAttr toAttr(Builder builder, const RingWork &ring) {
  NamedAttrList facts;
  facts.append("bytes", builder.getI64IntegerAttr(ring.slotBytes));
  facts.append("useful", builder.getI64IntegerAttr(ring.usefulSlots));
  if (ring.transposedBytes)
    facts.append("turned", builder.getI64IntegerAttr(ring.transposedBytes));
  if (ring.repeats)
    facts.append("repeats", builder.getUnitAttr());
  if (ring.isOuter)
    facts.append("outer", builder.getUnitAttr());
  return facts.getDictionary(builder.getContext());
}

static RingWork fromAttr(DictionaryAttr facts) {
  auto number = [&](StringRef name) {
    auto attribute = facts.getAs<IntegerAttr>(name);
    return attribute ? attribute.getInt() : 0;
  };
  return {number("bytes"), facts.contains("repeats"), facts.contains("outer"), number("useful"), number("turned")};
}

void writeRings(tt::FuncOp func, ArrayRef<RingWork> rings) {
  Builder builder(func.getContext());
  SmallVector<Attribute> list;
  for (const RingWork &ring : rings)
    list.push_back(toAttr(builder, ring));
  func->setAttr(ws::kRingsAttr, builder.getArrayAttr(list));
}

std::vector<RingWork> readRings(tt::FuncOp func) {
  std::vector<RingWork> rings;
  if (auto list = func->getAttrOfType<ArrayAttr>(ws::kRingsAttr))
    for (auto facts : list.getAsRange<DictionaryAttr>())
      rings.push_back(fromAttr(facts));
  return rings;
}

} // namespace tawa
