// The arithmetic of one wgmma: D[64 x n] (+)= A[64 x k] * B[k x n], k being 32 bytes of elements. Operands come as the
// raw bytes of shared memory; the accumulator is kept n-major, 64 rows side by side, so that a column of it is a few
// vectors and every element of B is used against them without moving.
//
// Products are summed in f32 in the order of k. A GPU sums in another order and keeps fewer bits for 8-bit floats, so
// results agree with it only within a tolerance.
#pragma once

#include "runtime/artifact/ElementType.h"
#include "runtime/emulator/Floats.h"

#include <cstdint>
#include <span>

namespace tawa::emu {

constexpr uint32_t kWgmmaRows = 64;
constexpr uint32_t kWgmmaMaxColumns = 256;
constexpr uint32_t kWgmmaKBytes = 32;

struct WgmmaShape {
  ElementType a = ElementType::F16, b = ElementType::F16, d = ElementType::F32;
  uint32_t n = 0;
  bool transposeA = false; ///< A lies k-row by k-row, M contiguous; else row by row.
  bool transposeB = false; ///< Likewise with N.
  bool negate = false;     ///< Of the product.
  bool accumulate = false; ///< Else D starts from zero.

  uint32_t k() const { return kWgmmaKBytes / elementBytes(a); }
  bool operator==(const WgmmaShape &) const = default;
};

/// Working memory of the kernels, one per OS thread.
struct alignas(64) WgmmaScratch {
  uint8_t rawA[kWgmmaRows * kWgmmaKBytes];
  uint8_t rawB[kWgmmaMaxColumns * kWgmmaKBytes];
  float a[kWgmmaRows * kWgmmaKBytes];  ///< As read.
  float at[kWgmmaRows * kWgmmaKBytes]; ///< k-major: 64 rows side by side.
  float b[kWgmmaMaxColumns * kWgmmaKBytes];
  float product[kWgmmaRows * kWgmmaMaxColumns]; ///< Where D is not f32.
};

/// `d`: n x 64 floats (f32; f16 values kept as floats) or n x 64 int32_t. Operand bytes are in scratch.rawA and rawB:
/// rows of 32 bytes, or transposed rows of 64 or n elements.
void multiplyTile(const WgmmaShape &shape, WgmmaScratch &scratch, void *d);

/// Its variants that this CPU can run, the fastest first; multiplyTile takes that one.
struct WgmmaKernel {
  const char *name;
  void (*multiply)(const WgmmaShape &, WgmmaScratch &, void *d);
};
std::span<const WgmmaKernel> wgmmaKernels();

} // namespace tawa::emu
