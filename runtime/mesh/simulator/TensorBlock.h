// Blocks of tensors in host memory: dense row-major copies, zero outside of the tensor.
#pragma once

#include "runtime/mesh/TileProgram.h"

namespace tawa::mesh {

/// Bytes that a tensor takes with its strides.
int64_t storageBytes(const Tensor &tensor);

void readBlock(const Tensor &tensor, const std::vector<char> &storage, const std::vector<int64_t> &block,
               const std::vector<int64_t> &start, std::vector<char> &tile);
/// Leaves what the block has outside of the tensor. `tile` may be shorter than the block: the rest is not written.
void writeBlock(const Tensor &tensor, std::vector<char> &storage, const std::vector<int64_t> &block,
                const std::vector<int64_t> &start, const std::vector<char> &tile);

} // namespace tawa::mesh
