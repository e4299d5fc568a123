// Builds the pointers and the bounds mask of a block. Terms equal for all elements are added to the base as a scalar;
// along an axis of stride 1 offsets stay in 32 bits; every other offset has 64, since tensors of more than 2^31
// elements exist.
#include "compiler/frontend/BlockAccess.h"

#include "compiler/frontend/TileValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

namespace {

/// Builds one access. Dropped axes only move the base and contribute one condition to the mask; `kept` are the others.
class Access {
public:
  Access(OpBuilder &builder, Location loc, const StridedTensor &tensor, ArrayRef<BlockAxis> axes)
      : builder(builder), loc(loc), tensor(tensor), axes(axes) {
    for (auto [index, axis] : llvm::enumerate(axes))
      if (!axis.dropped) {
        kept.push_back(index);
        shape.push_back(axis.size);
      }
    covered.assign(kept.size(), 1);
  }

  BlockAccess build();

private:
  Value splat(Value scalar, ArrayRef<int64_t> size) {
    return builder.create<tt::SplatOp>(loc, RankedTensorType::get(size, scalar.getType()), scalar);
  }
  Value compare(arith::CmpIPredicate predicate, Value index, Value bound) {
    if (auto type = dyn_cast<RankedTensorType>(index.getType()))
      bound = splat(bound, type.getShape());
    return builder.create<arith::CmpIOp>(loc, predicate, index, bound);
  }
  Value both(Value left, Value right) { return left ? builder.create<arith::AndIOp>(loc, left, right) : right; }
  Value along(unsigned position, Value line);
  Value grow(Value value, ArrayRef<int64_t> size);
  Value relative(const BlockAxis &axis);
  Value absolute(const BlockAxis &axis);
  Value scalarBase();
  void addOffsets(unsigned position);
  Value inside(unsigned index);

  OpBuilder &builder;
  Location loc;
  const StridedTensor &tensor;
  ArrayRef<BlockAxis> axes;
  SmallVector<unsigned> kept;
  SmallVector<int64_t> shape;   ///< Of the result.
  SmallVector<int64_t> covered; ///< Its size along the axes whose offsets were added, 1 along the others.
  Value pointers;
};

/// Puts a tensor of one dimension along one dimension of the result.
Value Access::along(unsigned position, Value line) {
  for (unsigned other = 0; other < kept.size(); ++other)
    if (other != position)
      line = builder.create<tt::ExpandDimsOp>(loc, line, static_cast<int32_t>(other));
  return line;
}

Value Access::grow(Value value, ArrayRef<int64_t> size) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == size)
    return value;
  return builder.create<tt::BroadcastOp>(loc, RankedTensorType::get(size, type.getElementType()), value);
}

/// Indices counted from the block's corner, as i32; given ones as they are.
Value Access::relative(const BlockAxis &axis) {
  if (axis.indices)
    return axis.indices;
  auto type = RankedTensorType::get({axis.size}, builder.getI32Type());
  return builder.create<tt::MakeRangeOp>(loc, type, 0, static_cast<int32_t>(axis.size));
}

/// Indices into the tensor, as i64, so that a corner near the end of i32 does not wrap; a scalar for a dropped axis.
Value Access::absolute(const BlockAxis &axis) {
  Value corner = axis.corner ? toI64(builder, loc, axis.corner) : Value();
  if (axis.dropped)
    return corner;
  Value index = toI64(builder, loc, relative(axis));
  return corner ? builder.create<arith::AddIOp>(loc, index, splat(corner, {axis.size})).getResult() : index;
}

Value Access::scalarBase() {
  Value base = tensor.base;
  for (auto [axis, stride] : llvm::zip(axes, tensor.strides))
    if (axis.corner && !matchPattern(axis.corner, m_Zero())) {
      Value offset = toI64(builder, loc, axis.corner), wide = toI64(builder, loc, stride);
      if (!matchPattern(wide, m_One()))
        offset = builder.create<arith::MulIOp>(loc, offset, wide);
      base = builder.create<tt::AddPtrOp>(loc, base, offset);
    }
  return base;
}

void Access::addOffsets(unsigned position) {
  const BlockAxis &axis = axes[kept[position]];
  if (axis.size == 1 && !axis.indices)
    return;
  Value offsets = relative(axis);
  Value stride = toI64(builder, loc, tensor.strides[kept[position]]);
  if (!matchPattern(stride, m_One()))
    offsets = builder.create<arith::MulIOp>(loc, toI64(builder, loc, offsets), splat(stride, {axis.size}));
  covered[position] = axis.size;
  pointers = builder.create<tt::AddPtrOp>(loc, grow(pointers, covered), grow(along(position, offsets), covered));
}

/// The indices along an axis that are inside the tensor.
Value Access::inside(unsigned index) {
  const BlockAxis &axis = axes[index];
  Value position = absolute(axis);
  Value below = compare(arith::CmpIPredicate::slt, position, toI64(builder, loc, tensor.shape[index]));
  APInt corner;
  if (!axis.indices && matchPattern(axis.corner, m_ConstantInt(&corner)) && !corner.isNegative())
    return below;
  Value zero = integerOf(builder, loc, builder.getI64Type(), 0);
  return both(compare(arith::CmpIPredicate::sge, position, zero), below);
}

BlockAccess Access::build() {
  pointers = splat(scalarBase(), covered);
  for (unsigned position = 0; position < kept.size(); ++position)
    addOffsets(position);
  Value mask, everywhere;
  for (auto [index, axis] : llvm::enumerate(axes))
    if (axis.dropped && axis.checked)
      everywhere = both(everywhere, inside(index));
  if (everywhere)
    mask = splat(everywhere, shape);
  for (auto [position, index] : llvm::enumerate(kept))
    if (axes[index].checked)
      mask = both(mask, grow(along(position, inside(index)), shape));
  return {grow(pointers, shape), mask};
}

} // namespace

BlockAccess accessBlock(OpBuilder &builder, Location loc, const StridedTensor &tensor, ArrayRef<BlockAxis> axes) {
  return Access(builder, loc, tensor, axes).build();
}

} // namespace tawa
