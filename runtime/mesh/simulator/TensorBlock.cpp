#include "runtime/mesh/simulator/TensorBlock.h"

#include <algorithm>
#include <cstring>

namespace tawa::mesh {
namespace {

/// Visits the elements of the block that are inside of the tensor: their byte offsets in the tile and in the storage.
template <typename Visit>
void forEachElement(const Tensor &tensor, const std::vector<int64_t> &block, const std::vector<int64_t> &start,
                    Visit visit) {
  int64_t size = elementBytes(tensor.type), count = 1;
  for (int64_t extent : block)
    count *= extent;
  std::vector<int64_t> at(block.size());
  for (int64_t element = 0; element < count; ++element) {
    int64_t rest = element, offset = 0;
    bool inside = true;
    for (size_t dim = block.size(); dim-- > 0; rest /= block[dim]) {
      at[dim] = start[dim] + rest % block[dim];
      inside = inside && at[dim] >= 0 && at[dim] < tensor.shape[dim];
      offset += at[dim] * tensor.strides[dim];
    }
    if (inside)
      visit(element * size, offset * size);
  }
}

} // namespace

int64_t storageBytes(const Tensor &tensor) {
  int64_t last = 0;
  for (size_t dim = 0; dim < tensor.shape.size(); ++dim)
    last += (tensor.shape[dim] - 1) * tensor.strides[dim];
  return (last + 1) * elementBytes(tensor.type);
}

void readBlock(const Tensor &tensor, const std::vector<char> &storage, const std::vector<int64_t> &block,
               const std::vector<int64_t> &start, std::vector<char> &tile) {
  std::ranges::fill(tile, 0);
  forEachElement(tensor, block, start, [&](int64_t in, int64_t from) {
    std::memcpy(tile.data() + in, storage.data() + from, elementBytes(tensor.type));
  });
}

void writeBlock(const Tensor &tensor, std::vector<char> &storage, const std::vector<int64_t> &block,
                const std::vector<int64_t> &start, const std::vector<char> &tile) {
  int64_t size = elementBytes(tensor.type);
  forEachElement(tensor, block, start, [&](int64_t in, int64_t to) {
    if (in + size <= static_cast<int64_t>(tile.size()))
      std::memcpy(storage.data() + to, tile.data() + in, size);
  });
}

} // namespace tawa::mesh
