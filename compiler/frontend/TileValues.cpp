// Builds constants, conversions and reshapes of tiles and scalars.
#include "compiler/frontend/TileValues.h"

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa {

/// A constant of the element type, splat where `type` is a tensor.
static Value constantOf(OpBuilder &builder, Location loc, Type type, TypedAttr element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return builder.create<arith::ConstantOp>(loc, DenseElementsAttr::get(tensor, element));
  return builder.create<arith::ConstantOp>(loc, element);
}

Value toI64(OpBuilder &builder, Location loc, Value value) {
  Type wide = tt::withElementType(value.getType(), builder.getI64Type());
  return value.getType() == wide ? value : builder.create<arith::ExtSIOp>(loc, wide, value).getResult();
}

Value reshapeTo(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  auto result = RankedTensorType::get(shape, type.getElementType());
  return builder.create<tt::ReshapeOp>(loc, result, tensor, nullptr, nullptr);
}

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  Type element = tt::elementTypeOf(type);
  if (auto pointer = dyn_cast<tt::PointerType>(element)) {
    if (pointer.getBlockType())
      return {};
    Value null = builder.create<tt::IntToPtrOp>(loc, pointer, integerOf(builder, loc, builder.getI64Type(), 0));
    return type == element ? null : builder.create<tt::SplatOp>(loc, type, null).getResult();
  }
  return element.isIntOrFloat() ? constantOf(builder, loc, type, cast<TypedAttr>(builder.getZeroAttr(element)))
                                : Value();
}

Value nanOf(OpBuilder &builder, Location loc, Type type) {
  auto element = cast<FloatType>(tt::elementTypeOf(type));
  return constantOf(builder, loc, type, FloatAttr::get(element, APFloat::getNaN(element.getFloatSemantics())));
}

Value integerOf(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return constantOf(builder, loc, type, builder.getIntegerAttr(tt::elementTypeOf(type), value));
}

Value floatOf(OpBuilder &builder, Location loc, Type type, double value) {
  return constantOf(builder, loc, type, builder.getFloatAttr(tt::elementTypeOf(type), value));
}

} // namespace tawa
