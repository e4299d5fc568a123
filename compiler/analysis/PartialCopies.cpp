// Finds the condition among those of a mask, through the views that spread it over the tile, and takes it out.
#include "compiler/analysis/PartialCopies.h"

#include "compiler/analysis/AxisInfo.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tawa {
namespace {

constexpr uint32_t kMostCopyBytes = 16; // PTX ISA, cp.async

RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// A condition of a mask, and which dimension of it runs along the copies; none where it is equal along them.
struct Condition {
  Value value;
  std::optional<unsigned> along;

  /// How many neighbours have one value.
  int64_t constancy(const AxisInfoAnalysis &axes) const {
    return along ? axes.of(value).constancy[*along] : std::numeric_limits<int64_t>::max();
  }
};

/// The conditions that must all hold. Views of other kinds stay whole.
void collect(Value mask, std::optional<unsigned> along, SmallVectorImpl<Condition> &found) {
  if (along && tensorType(mask).getDimSize(*along) == 1)
    along = std::nullopt;
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    collect(both.getLhs(), along, found);
    return collect(both.getRhs(), along, found);
  }
  if (auto spread = mask.getDefiningOp<tt::BroadcastOp>())
    return collect(spread.getSrc(), along, found);
  if (auto expanded = mask.getDefiningOp<tt::ExpandDimsOp>()) {
    unsigned axis = expanded.getAxis();
    if (along && *along > axis)
      --*along;
    return collect(expanded.getSrc(), along, found);
  }
  found.push_back({mask, along});
}

/// The positions that a condition compares with an end, and that end; nothing where it is no such condition.
std::optional<std::pair<Value, Value>> positionAndEnd(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::slt || predicate == Predicate::ult)
    return std::pair(compare.getLhs(), compare.getRhs());
  if (predicate == Predicate::sgt || predicate == Predicate::ugt)
    return std::pair(compare.getRhs(), compare.getLhs());
  return std::nullopt;
}

/// Whether it holds for the first elements of each aligned group of so many.
bool endsWithin(const Condition &condition, int64_t vector, const AxisInfoAnalysis &axes) {
  auto compare = condition.value.getDefiningOp<arith::CmpIOp>();
  auto parts = compare ? positionAndEnd(compare) : std::nullopt;
  if (!parts || !condition.along)
    return false;
  AxisInfo position = axes.of(parts->first), end = axes.of(parts->second);
  return position.unit == 1 && position.contiguity[*condition.along] >= vector &&
         end.constancy[*condition.along] >= vector;
}

/// A view of the same kind of another tensor of its source's shape.
Value viewAgain(OpBuilder &builder, Operation *view, Value source) {
  Type type = tensorType(view->getResult(0)).clone(tensorType(source).getElementType());
  if (auto expanded = dyn_cast<tt::ExpandDimsOp>(view))
    return builder.create<tt::ExpandDimsOp>(view->getLoc(), type, source, expanded.getAxis());
  return builder.create<tt::BroadcastOp>(view->getLoc(), type, source);
}

Value positive(OpBuilder &builder, Location loc, Type type, int64_t number) {
  auto tensor = cast<RankedTensorType>(type);
  return builder.create<arith::ConstantOp>(
      loc, DenseElementsAttr::get(tensor, builder.getIntegerAttr(tensor.getElementType(), number)));
}

/// The elements before the end. Their number is exact as an unsigned one, however far apart the two are.
Value countBefore(OpBuilder &builder, arith::CmpIOp end, uint32_t vector) {
  Location loc = end.getLoc();
  auto [position, limit] = *positionAndEnd(end);
  Type type = position.getType();
  Value rest = builder.create<arith::SubIOp>(loc, limit, position);
  rest = builder.create<arith::MinUIOp>(loc, rest, positive(builder, loc, type, vector));
  Value count = builder.create<arith::SelectOp>(loc, end, rest, positive(builder, loc, type, 0));
  auto words = cast<RankedTensorType>(type).clone(builder.getI32Type());
  return words == type ? count : builder.create<arith::TruncIOp>(loc, words, count).getResult();
}

bool isView(Operation *op) { return isa_and_nonnull<tt::BroadcastOp, tt::ExpandDimsOp>(op); }

/// The mask without the condition; `count` is set where the condition was found.
PartialMask take(OpBuilder &builder, Value mask, arith::CmpIOp end, uint32_t vector) {
  if (mask == end.getResult())
    return {Value(), countBefore(builder, end, vector)};
  Operation *op = mask.getDefiningOp();
  if (isView(op)) {
    PartialMask inner = take(builder, op->getOperand(0), end, vector);
    if (!inner.count)
      return {mask, Value()};
    return {inner.mask ? viewAgain(builder, op, inner.mask) : Value(), viewAgain(builder, op, inner.count)};
  }
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return {mask, Value()};
  PartialMask left = take(builder, both.getLhs(), end, vector), right;
  right = left.count ? PartialMask{both.getRhs(), Value()} : take(builder, both.getRhs(), end, vector);
  if (!left.count && !right.count)
    return {mask, Value()};
  Value count = left.count ? left.count : right.count;
  if (!left.mask || !right.mask)
    return {left.mask ? left.mask : right.mask, count};
  return {builder.create<arith::AndIOp>(mask.getLoc(), left.mask, right.mask), count};
}

} // namespace

std::optional<PartialTile> planPartialCopies(tt::LoadOp load, const AxisInfoAnalysis &axes) {
  if (!load.getMask())
    return std::nullopt;
  auto type = cast<RankedTensorType>(load.getType());
  uint32_t most = kMostCopyBytes * 8 / type.getElementTypeBitWidth();
  std::optional<PointerTile> whole = planCopies(load, axes);
  uint32_t best = whole ? whole->vector : 1;
  std::optional<PartialTile> found;
  AccessFacts facts = axes.access(load.getPtr(), Value());
  for (unsigned dim : {1u, 0u}) {
    SmallVector<Condition> conditions;
    collect(load.getMask(), dim, conditions);
    auto widest = static_cast<uint32_t>(std::min({facts.vector[dim], type.getDimSize(dim), int64_t(most)}));
    for (uint32_t vector = widest; vector > best; vector /= 2) {
      SmallVector<Condition> broken;
      llvm::copy_if(conditions, std::back_inserter(broken),
                    [&](const Condition &each) { return each.constancy(axes) < vector; });
      if (broken.size() != 1 || !endsWithin(broken.front(), vector, axes))
        continue;
      found = PartialTile{{dim, vector}, broken.front().value.getDefiningOp<arith::CmpIOp>()};
      best = vector;
    }
  }
  return found;
}

PartialMask takeEnd(OpBuilder &builder, Value mask, arith::CmpIOp end, uint32_t vector) {
  return take(builder, mask, end, vector);
}

} // namespace tawa
