// The 64-bit matrix descriptor of wgmma: where an operand's rows lie in shared memory (PTX ISA, "Matrix descriptor",
// "Shared memory matrix layout").
//
//   bits  0-13  start address >> 4            bits 49-51  base offset (0 here)
//   bits 16-29  leading byte offset >> 4      bits 62-63  swizzle: 0 none, 1 128B, 2 64B, 3 32B
//   bits 32-45  stride byte offset >> 4
//
// One instruction reads, of every row of A (64) or column of B (n), 32 bytes along K. The 16-byte chunks lie, with W
// the swizzle width in bytes (16 for none), before the XOR of swizzling:
//
//   K contiguous:   row r, chunk c:    start + (r % 8) * W + (r / 8) * stride + c * (none: leading, else 16)
//   MN contiguous:  chunk m, k row k:  start + (m % (W/16)) * 16 + (m / (W/16)) * leading
//                           + (k % 8) * W + (k / 8) * stride
//                   (no swizzle: leading and stride change places)
#pragma once

#include "runtime/artifact/KernelArtifact.h"
#include "runtime/emulator/TensorMap.h"

#include <cstdint>

namespace tawa::emu {

struct MatrixDescriptor {
  uint32_t start = 0, leading = 0, stride = 0, baseOffset = 0;
  TensorMapRecipe::Swizzle swizzle = TensorMapRecipe::Swizzle::None;

  static MatrixDescriptor decode(uint64_t bits) {
    auto field = [bits](unsigned low, unsigned width) {
      return static_cast<uint32_t>(bits >> low & ((uint64_t(1) << width) - 1));
    };
    using Swizzle = TensorMapRecipe::Swizzle;
    constexpr Swizzle swizzles[] = {Swizzle::None, Swizzle::B128, Swizzle::B64, Swizzle::B32};
    return {field(0, 14) << 4, field(16, 14) << 4, field(32, 14) << 4, field(49, 3), swizzles[field(62, 2)]};
  }
  /// Bytes of a swizzled row; 16 without swizzle.
  uint32_t width() const { return 16u << static_cast<unsigned>(swizzle); }
  /// Address of a chunk, swizzled.
  uint32_t chunkKMajor(uint32_t row, uint32_t chunk) const {
    uint32_t chunkStep = swizzle == TensorMapRecipe::Swizzle::None ? leading : 16;
    return swizzleAddress(start + row % 8 * width() + row / 8 * stride + chunk * chunkStep, swizzle);
  }
  uint32_t chunkMNMajor(uint32_t chunk, uint32_t k) const {
    uint32_t perRow = width() / 16;
    bool plain = swizzle == TensorMapRecipe::Swizzle::None;
    uint32_t chunkStep = plain ? stride : leading, kStep = plain ? leading : stride;
    uint32_t address = start + chunk % perRow * 16 + chunk / perRow * chunkStep + k % 8 * width() + k / 8 * kStep;
    return swizzleAddress(address, swizzle);
  }
};

} // namespace tawa::emu
