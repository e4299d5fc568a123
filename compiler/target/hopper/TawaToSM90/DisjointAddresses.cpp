// DisjointAddresses.cpp: compares the offsets of all elements of two tiles.
#include "compiler/target/hopper/TawaToSM90/DisjointAddresses.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tawa {

using raise::Polynomial;

static constexpr int64_t kMostElements = 1 << 14; // of one tile: counting must stay cheap

static ArrayRef<int64_t> shapeOf(Value pointer) {
  auto tensor = dyn_cast<RankedTensorType>(pointer.getType());
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

/// `first` and every element's distance from it; none where an index has a step that is not a constant.
static std::optional<SmallVector<int64_t>> offsetsOf(const Polynomial &offset, ArrayRef<int64_t> shape, int64_t first) {
  SmallVector<int64_t> offsets{first};
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> step = offset.coefficientOf(dim).asConstant();
    if (!step || static_cast<int64_t>(offsets.size()) * size > kMostElements)
      return std::nullopt;
    size_t count = *step == 0 ? 0 : offsets.size();
    for (int64_t index = 1; index < size; ++index)
      for (size_t at = 0; at < count; ++at)
        offsets.push_back(offsets[at] + index * *step);
  }
  return offsets;
}

bool DisjointAddresses::areDisjoint(Value a, Value b) {
  if (getElementTypeOrSelf(a.getType()) != getElementTypeOrSelf(b.getType()))
    return false;
  auto left = affine.readAddress(a), right = affine.readAddress(b);
  if (!left || !right || left->base != right->base)
    return false;
  auto distance = (right->offset.coefficientOf(-1) - left->offset.coefficientOf(-1)).asConstant();
  if (!distance)
    return false;
  auto ofLeft = offsetsOf(left->offset, shapeOf(a), 0), ofRight = offsetsOf(right->offset, shapeOf(b), *distance);
  if (!ofLeft || !ofRight)
    return false;
  llvm::DenseSet<int64_t> touched(ofLeft->begin(), ofLeft->end());
  return llvm::none_of(*ofRight, [&](int64_t offset) { return touched.contains(offset); });
}

} // namespace tawa
