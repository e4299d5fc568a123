// Checks the columns at which a block begins and a row ends, by divisibility.
#include "compiler/analysis/TmaCoordinates.h"

#include "compiler/roles/Tawa/Tawa.h"

using namespace mlir;

namespace tawa {

/// Whether `elements` elements are known to end within 16 bytes.
bool TmaCoordinates::isWithinPiece(Value elements, Type element) const {
  std::optional<int64_t> count = axes.of(elements).value;
  return count && *count * element.getIntOrFloatBitWidth() % (8 * kTmaAlignmentBytes) != 0;
}

/// Elements per row of the tensor of a descriptor; null where the descriptor is not made here.
static Value rowLength(Value descriptor) {
  if (auto made = descriptor.getDefiningOp<tt::MakeTensorDescOp>())
    return made.getShape().back();
  if (auto made = descriptor.getDefiningOp<ws::MakeDescriptorOp>())
    return made.getShape().back();
  return {};
}

bool TmaCoordinates::canLoad(tt::DescriptorLoadOp load) const {
  return !isWithinPiece(load.getIndices().back(), load.getDesc().getType().getBlockType().getElementType());
}

bool TmaCoordinates::canStore(TypedValue<tt::TensorDescType> descriptor, ValueRange indices) const {
  Type element = descriptor.getType().getBlockType().getElementType();
  Value length = rowLength(descriptor);
  auto isNegative = [&](Value index) { return axes.of(index).value.value_or(0) < 0; };
  bool rowsEndWithin = length && isWithinPiece(length, element);
  return !isWithinPiece(indices.back(), element) && llvm::none_of(indices, isNegative) && !rowsEndWithin;
}

} // namespace tawa
