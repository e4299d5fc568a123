// Elements of pages: formats, and the order of a tile's elements (four faces of 16 x 16, row-major).
#pragma once

#include <tt-metalium/circular_buffer_config.hpp>

#include <bit>
#include <cstddef>
#include <cstring>

namespace metalium_model {

constexpr size_t kFaceSide = 16;

inline size_t elementOfTile(size_t row, size_t column) {
  size_t face = row / kFaceSide * 2 + column / kFaceSide;
  return face * kFaceSide * kFaceSide + row % kFaceSide * kFaceSide + column % kFaceSide;
}

inline size_t elementBytes(tt::DataFormat format) { return format == tt::DataFormat::Float32 ? 4 : 2; }

inline float loadElement(const char *page, size_t element, tt::DataFormat format) {
  const char *at = page + element * elementBytes(format);
  if (format == tt::DataFormat::Float16) {
    _Float16 value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  uint32_t bits = 0;
  if (format == tt::DataFormat::Float32)
    std::memcpy(&bits, at, 4);
  else
    std::memcpy(reinterpret_cast<char *>(&bits) + 2, at, 2);
  return std::bit_cast<float>(bits);
}

inline void storeElement(char *page, size_t element, tt::DataFormat format, float value) {
  char *at = page + element * elementBytes(format);
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (format == tt::DataFormat::Float16) {
    _Float16 half = static_cast<_Float16>(value);
    std::memcpy(at, &half, sizeof(half));
  } else if (format == tt::DataFormat::Float32) {
    std::memcpy(at, &bits, 4);
  } else {
    bits += 0x7fff + (bits >> 16 & 1);
    std::memcpy(at, reinterpret_cast<char *>(&bits) + 2, 2);
  }
}

} // namespace metalium_model
