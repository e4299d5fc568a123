// Buffers in the memory of a device. A test fixture.
#pragma once

#include <cstdint>
#include <vector>

namespace tt::tt_metal::distributed {
class MeshBuffer {
public:
  MeshBuffer(uint32_t pages, uint32_t page_size);
  uint32_t address() const { return start; }
  uint32_t page_size;
  std::vector<char> bytes; ///< Of the model.

private:
  uint32_t start;
};
} // namespace tt::tt_metal::distributed
