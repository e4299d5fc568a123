// The layout of a buffer, for kernels. A test fixture.
#pragma once

#include <tt-metalium/mesh_buffer.hpp>

namespace tt::tt_metal {
class TensorAccessorArgs {
public:
  explicit TensorAccessorArgs(const distributed::MeshBuffer &buffer) : buffer(buffer) {}
  void append_to(std::vector<uint32_t> &compile_time_args) const;

private:
  const distributed::MeshBuffer &buffer;
};
} // namespace tt::tt_metal
