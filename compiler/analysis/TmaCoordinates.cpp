// See TmaCoordinates.h.
#include "compiler/analysis/TmaCoordinates.h"

using namespace mlir;

namespace tawa {

/// Whether so many elements are known to end within 16 bytes.
bool TmaCoordinates::isWithinPiece(Value elements, Type element) const {
  std::optional<int64_t> count = axes.of(elements).value;
  return count && *count * element.getIntOrFloatBitWidth() % (8 * kTmaAlignmentBytes) != 0;
}

bool TmaCoordinates::canLoad(tt::DescriptorLoadOp load) const {
  return !isWithinPiece(load.getIndices().back(), load.getDesc().getType().getBlockType().getElementType());
}

bool TmaCoordinates::canStore(TypedValue<tt::TensorDescType> descriptor, ValueRange indices) const {
  Type element = descriptor.getType().getBlockType().getElementType();
  auto made = descriptor.getDefiningOp<tt::MakeTensorDescOp>();
  auto isNegative = [&](Value index) { return axes.of(index).value.value_or(0) < 0; };
  bool rowsEndWithin = made && isWithinPiece(made.getShape().back(), element);
  return !isWithinPiece(indices.back(), element) && llvm::none_of(indices, isNegative) && !rowsEndWithin;
}

} // namespace tawa
