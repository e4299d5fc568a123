// Compares places of tiles that differ by a constant.
#include "compiler/analysis/AdjacentTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

std::pair<Value, int64_t> withoutConstant(Value value) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  APInt constant;
  if (sum && matchPattern(sum.getRhs(), m_ConstantInt(&constant)))
    return {sum.getLhs(), constant.getSExtValue()};
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {{}, constant.getSExtValue()};
  return {value, 0};
}

/// From one place to another; none where it is not a constant.
static std::optional<int64_t> distance(Value here, Value there) {
  auto [base, offset] = withoutConstant(here);
  auto [otherBase, otherOffset] = withoutConstant(there);
  if (here == there)
    return 0;
  return base == otherBase ? std::optional(otherOffset - offset) : std::nullopt;
}

std::optional<unsigned> adjacentAlong(ValueRange here, ValueRange there, ArrayRef<int64_t> shape) {
  std::optional<unsigned> along;
  size_t outer = here.size() - shape.size();
  for (auto [dim, one, other] : llvm::enumerate(here, there)) {
    std::optional<int64_t> steps = distance(one, other);
    if (steps == 0)
      continue;
    if (!steps || along || dim < outer || *steps != shape[dim - outer])
      return std::nullopt;
    along = dim;
  }
  return along;
}

std::optional<unsigned> adjacentAlong(tt::DescriptorStoreOp store, tt::DescriptorStoreOp next) {
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  if (store->getBlock() != next->getBlock() || store.getDesc() != next.getDesc() || next.getSrc().getType() != type ||
      store->getDiscardableAttrDictionary() != next->getDiscardableAttrDictionary())
    return std::nullopt;
  for (Operation *op = store->getNextNode(); op != next; op = op->getNextNode())
    if (!op || !isPure(op))
      return std::nullopt;
  return adjacentAlong(store.getIndices(), next.getIndices(), type.getShape());
}

} // namespace tawa
