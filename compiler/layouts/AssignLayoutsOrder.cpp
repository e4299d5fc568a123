// AssignLayouts, orders of sums: a product on mma.sync adds up its terms in any order of K that both operands share.
//
// In the natural order a lane has two neighbours of K, then two that are eight further on. Of 16-bit tiles that lie in
// shared memory ldmatrix reads four such fragments at once. Of bytes, and of words with eight 4-bit numbers, it reads
// none: there a lane takes 2^n neighbours in one access, unpacks them where they are, and reads the other operand in
// the same order.
#include "compiler/analysis/DotKind.h"
#include "compiler/layouts/AssignLayouts.h"

#include <bit>

using namespace mlir;

namespace tawa::layouts {

LinearAttr Rules::mmaOperand(tt::DotOp dot, unsigned number, const KPermutation &order) {
  auto type = cast<RankedTensorType>(dot->getOperand(number).getType());
  MmaWarps warps = planMmaWarps(dot, table.warpCount());
  unsigned bits = type.getElementTypeBitWidth();
  uint32_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  LinearLayout natural =
      number == 0 ? mmaOperandA(rows, columns, bits, warps) : mmaOperandB(rows, columns, bits, warps);
  return table.get(withOrder(natural, /*axis=*/1 - number, order));
}

/// What it costs to read what an operand in this layout is made of; nothing where that would have to move, as it does
/// not lie in shared memory and has a place already. `natural`: in the natural order. What `seen` has is read already.
std::optional<double> Rules::costOfReading(Value operand, LinearAttr layout, LinearAttr natural,
                                           DenseSet<Value> &seen) {
  if (!isa<RankedTensorType>(operand.getType()) || isCheap(operand) || !seen.insert(operand).second)
    return 0;
  unsigned bits = cast<RankedTensorType>(operand.getType()).getElementTypeBitWidth();
  if (LinearAttr shared = sharedLayoutOf(operand))
    return costs.readTile(shared, layout, std::max(1u, bits / 8));
  Operation *op = operand.getDefiningOp();
  OpClass kind = op ? classify(op) : OpClass::Unknown;
  if (kind == OpClass::View)
    return costOfReading(op->getOperand(0), table.demand(op, layout), table.demand(op, natural), seen);
  if (kind == OpClass::Join) {
    layout = table.withoutPair(layout);
    natural = table.withoutPair(natural);
  } else if (kind != OpClass::Elementwise) {
    return layout == natural ? std::optional(0.0) : std::nullopt;
  }
  double total = 0;
  for (Value source : op->getOperands()) {
    std::optional<double> cost = layout && natural ? costOfReading(source, layout, natural, seen) : std::nullopt;
    if (!cost)
      return std::nullopt;
    total += *cost;
  }
  return total;
}

const KPermutation &Rules::sumOrder(tt::DotOp dot) {
  auto [entry, isNew] = sumOrders.try_emplace(dot);
  if (!isNew)
    return entry->second;
  auto type = cast<RankedTensorType>(dot.getA().getType());
  uint32_t k = type.getDimSize(1);
  auto costOf = [&](const KPermutation &order) -> std::optional<double> {
    double total = 0;
    for (unsigned number : {0, 1}) {
      DenseSet<Value> seen;
      auto cost =
          costOfReading(dot->getOperand(number), mmaOperand(dot, number, order), mmaOperand(dot, number, {}), seen);
      if (!cost)
        return std::nullopt;
      total += *cost;
    }
    return total;
  };
  KPermutation best;
  std::optional<double> least = costOf(best);
  for (unsigned bits = 2; least && bits + kLaneBitsOfK <= unsigned(std::countr_zero(k)); ++bits) {
    KPermutation order = orderOfNeighbours(k, type.getElementTypeBitWidth(), bits);
    if (auto cost = costOf(order); cost && *cost < *least) {
      least = cost;
      best = std::move(order);
    }
  }
  return entry->second = std::move(best);
}

} // namespace tawa::layouts
