// Circular buffers: host_apis/buffers/CircularBuffers of docs.tenstorrent.com/tt-metal. A test fixture.
#pragma once

#include <cstdint>
#include <map>

#define NUM_CIRCULAR_BUFFERS 32

namespace tt {
enum class DataFormat : uint8_t { Float32 = 0, Float16 = 1, Float16_b = 5 };
// clang-format off
enum CBIndex : uint8_t {
  c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
  c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31,
};
// clang-format on
} // namespace tt

namespace tt::tt_metal {
class CircularBufferConfig {
public:
  CircularBufferConfig(uint32_t total_size, const std::map<uint8_t, tt::DataFormat> &data_format_spec)
      : total_size(total_size), formats(data_format_spec) {}
  CircularBufferConfig &set_page_size(uint8_t buffer_index, uint32_t page_size) {
    page_sizes[buffer_index] = page_size;
    return *this;
  }
  uint32_t total_size;
  std::map<uint8_t, tt::DataFormat> formats;
  std::map<uint8_t, uint32_t> page_sizes;
};
} // namespace tt::tt_metal
