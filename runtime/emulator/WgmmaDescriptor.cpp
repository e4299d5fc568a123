// Decoding of matrix descriptors and the address of each 16-byte chunk they stand for.
#include "runtime/emulator/WgmmaDescriptor.h"

#include "runtime/emulator/TensorMap.h"

namespace tawa::emu {

MatrixDescriptor MatrixDescriptor::decode(uint64_t bits) {
  auto field = [bits](unsigned low, unsigned width) {
    return static_cast<uint32_t>(bits >> low & ((uint64_t(1) << width) - 1));
  };
  using Swizzle = TensorMapRecipe::Swizzle;
  constexpr Swizzle swizzles[] = {Swizzle::None, Swizzle::B128, Swizzle::B64, Swizzle::B32};
  return {field(0, 14) << 4, field(16, 14) << 4, field(32, 14) << 4, field(49, 3), swizzles[field(62, 2)]};
}

uint32_t MatrixDescriptor::chunkKMajor(uint32_t row, uint32_t chunk) const {
  uint32_t chunkStep = swizzle == TensorMapRecipe::Swizzle::None ? leading : 16;
  return swizzleAddress(start + row % 8 * width() + row / 8 * stride + chunk * chunkStep, swizzle);
}

uint32_t MatrixDescriptor::chunkMNMajor(uint32_t chunk, uint32_t k) const {
  uint32_t perRow = width() / 16;
  bool plain = swizzle == TensorMapRecipe::Swizzle::None;
  uint32_t chunkStep = plain ? stride : leading, kStep = plain ? leading : stride;
  uint32_t address = start + chunk % perRow * 16 + chunk / perRow * chunkStep + k % 8 * width() + k / 8 * kStep;
  return swizzleAddress(address, swizzle);
}

} // namespace tawa::emu
