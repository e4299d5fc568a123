// The emulator's tensor map: the 128 bytes that a kernel takes by value in place of the GPU's CUtensorMap.
#pragma once

#include "runtime/emulator/Emulator.h"

namespace tawa::emu {

struct HostTensorMap {
  static constexpr uint64_t kMagic = 0x7061'4d61'7761'5401ULL;
  uint64_t magic;
  uint64_t base;
  uint64_t dims[5];
  uint64_t strides[5]; ///< Bytes; [0] is the element size.
  uint32_t box[5];
  uint8_t rank;
  ElementType type;
  TensorMapRecipe::Swizzle swizzle;
  TensorMapRecipe::Fill fill;
  uint64_t checksum; ///< Of everything above.

  uint32_t elementSize() const { return static_cast<uint32_t>(strides[0]); }
  uint32_t boxBytes() const {
    uint64_t bytes = elementSize();
    for (unsigned d = 0; d < rank; ++d)
      bytes *= box[d];
    return static_cast<uint32_t>(bytes);
  }
  uint64_t computeChecksum() const;
  /// Written by encodeTensorMap and not changed since.
  bool isGenuine() const { return magic == kMagic && checksum == computeChecksum(); }
};
static_assert(sizeof(HostTensorMap) == 128, "a tensor map is a 128-byte kernel parameter");

/// The actual position of a byte of an unswizzled tile: the 16-byte chunk number (address bits 4 to 6) is XORed with
/// address bits 7 and up, as many as the swizzle width has (128B: three, 64B: two, 32B: one).
inline uint32_t swizzleAddress(uint32_t address, TensorMapRecipe::Swizzle swizzle) {
  uint32_t mask = (1u << static_cast<unsigned>(swizzle)) - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

} // namespace tawa::emu
