// Conversions to f32, the transpose of A and the inner product, compiled for AVX-512, AVX2 and plain SSE2 (or whatever
// the host has) and chosen once at run time.
#include "runtime/emulator/WgmmaKernels.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace tawa::emu {

#define TAWA_INLINE inline __attribute__((always_inline))

/// A half widens by moving its exponent and mantissa into place and correcting the exponent's bias by a multiplication,
/// which gets subnormals right too. Only infinities and NaNs need a look.
static TAWA_INLINE float widenHalf(uint16_t bits) {
  uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fff) << 13;
  float value = std::bit_cast<float>(magnitude) * 0x1p112f;
  uint32_t result = std::bit_cast<uint32_t>(value);
  result |= (bits & 0x7c00) == 0x7c00 ? 0x7f800000u : 0u;
  return std::bit_cast<float>(result | static_cast<uint32_t>(bits & 0x8000) << 16);
}

float halfToFloat(uint16_t bits) { return widenHalf(bits); }

uint16_t floatToHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) // NaN
    return static_cast<uint16_t>(sign | 0x7fff);
  if (bits >= 0x477ff000) // rounds beyond the largest half
    return static_cast<uint16_t>(sign | 0x7c00);
  if (bits < 0x38800000) { // subnormal: adding 0.5 leaves the result, rounded, in the low mantissa bits
    float magnitude = std::bit_cast<float>(bits) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(magnitude) - 0x3f000000));
  }
  uint32_t rounded = bits + 0xfff + (bits >> 13 & 1);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}

namespace {

struct ByteTables {
  std::array<float, 256> e4m3, e5m2;
  ByteTables() {
    for (unsigned i = 0; i < 256; ++i) {
      e4m3[i] = fp8ToFloat(ElementType::F8E4M3, static_cast<uint8_t>(i));
      e5m2[i] = fp8ToFloat(ElementType::F8E5M2, static_cast<uint8_t>(i));
    }
  }
};
const ByteTables &byteTables() {
  static const ByteTables tables;
  return tables;
}

template <typename Raw, typename Widen>
TAWA_INLINE void widenAll(const uint8_t *raw, float *out, uint32_t count, Widen widen) {
  for (uint32_t i = 0; i < count; ++i) {
    Raw bits;
    memcpy(&bits, raw + i * sizeof(Raw), sizeof bits);
    out[i] = widen(bits);
  }
}

/// `bytes` of operand elements to floats, in place order.
TAWA_INLINE void widen(ElementType type, const uint8_t *raw, float *out, uint32_t bytes) {
  switch (type) {
  case ElementType::F16:
    return widenAll<uint16_t>(raw, out, bytes / 2, [](uint16_t x) { return widenHalf(x); });
  case ElementType::BF16:
    return widenAll<uint16_t>(raw, out, bytes / 2, [](uint16_t x) { return std::bit_cast<float>(uint32_t(x) << 16); });
  case ElementType::F32: // tf32: the low 13 mantissa bits are ignored
    return widenAll<uint32_t>(raw, out, bytes / 4, [](uint32_t x) { return std::bit_cast<float>(x & 0xffffe000u); });
  case ElementType::I8:
    return widenAll<int8_t>(raw, out, bytes, [](int8_t x) { return static_cast<float>(x); });
  case ElementType::F8E4M3:
    return widenAll<uint8_t>(raw, out, bytes, [table = byteTables().e4m3.data()](uint8_t x) { return table[x]; });
  default:
    return widenAll<uint8_t>(raw, out, bytes, [table = byteTables().e5m2.data()](uint8_t x) { return table[x]; });
  }
}

using Quad [[gnu::vector_size(16), gnu::may_alias]] = float;

/// [64][k] to [k][64], in 4x4 blocks.
TAWA_INLINE void transposeA(const float *in, float *out, uint32_t k) {
  for (uint32_t row = 0; row < kWgmmaRows; row += 4) {
    for (uint32_t column = 0; column < k; column += 4) {
      auto at = [&](uint32_t r) { return *reinterpret_cast<const Quad *>(in + size_t{row + r} * k + column); };
      Quad r0 = at(0), r1 = at(1), r2 = at(2), r3 = at(3);
      Quad low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5), high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
      Quad low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5), high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
      auto put = [&](uint32_t c, Quad value) {
        *reinterpret_cast<Quad *>(out + size_t{column + c} * kWgmmaRows + row) = value;
      };
      put(0, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
      put(1, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
      put(2, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
      put(3, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
    }
  }
}

/// d[n][64] (+)= sum over k of at[k][64] * b(n, k), by tiles of 4 columns and `Vectors` vectors of `Lanes` rows, sized
/// to stay in the machine's registers. As on a GPU, the products of an instruction are summed before they are added to
/// the accumulator: one rounding of its size an instruction, not one a term.
template <unsigned Lanes, unsigned Vectors>
TAWA_INLINE void innerProduct(float *d, const float *at, const float *b, uint32_t nStep, uint32_t kStep, uint32_t n,
                              uint32_t k, bool accumulate) {
  using Vec [[gnu::vector_size(Lanes * 4), gnu::may_alias]] = float;
  for (uint32_t column = 0; column < n; column += 4) {
    for (uint32_t row = 0; row < kWgmmaRows; row += Lanes * Vectors) {
      Vec sum[4][Vectors] = {};
      for (uint32_t i = 0; i < k; ++i) {
        const Vec *a = reinterpret_cast<const Vec *>(at + size_t{i} * kWgmmaRows + row);
        for (unsigned j = 0; j < 4; ++j) {
          float scalar = b[(column + j) * nStep + i * kStep];
          for (unsigned v = 0; v < Vectors; ++v)
            sum[j][v] += a[v] * scalar;
        }
      }
      for (unsigned j = 0; j < 4; ++j)
        for (unsigned v = 0; v < Vectors; ++v) {
          auto &to = *reinterpret_cast<Vec *>(d + size_t{column + j} * kWgmmaRows + row + size_t{v} * Lanes);
          to = accumulate ? to + sum[j][v] : sum[j][v];
        }
    }
  }
}

template <unsigned Lanes, unsigned Vectors>
TAWA_INLINE void multiply(const WgmmaShape &shape, WgmmaScratch &scratch, void *result) {
  uint32_t k = shape.k(), elements = kWgmmaRows * shape.n;
  if (shape.transposeA) {
    widen(shape.a, scratch.rawA, scratch.at, sizeof scratch.rawA);
  } else {
    widen(shape.a, scratch.rawA, scratch.a, sizeof scratch.rawA);
    transposeA(scratch.a, scratch.at, k);
  }
  widen(shape.b, scratch.rawB, scratch.b, shape.n * kWgmmaKBytes);
  if (shape.negate)
    for (float &value : scratch.at)
      value = -value;
  uint32_t nStep = shape.transposeB ? 1 : k, kStep = shape.transposeB ? shape.n : 1;
  if (shape.d == ElementType::F32)
    return innerProduct<Lanes, Vectors>(static_cast<float *>(result), scratch.at, scratch.b, nStep, kStep, shape.n, k,
                                        shape.accumulate);
  if (shape.d == ElementType::F16) {
    auto *sums = static_cast<float *>(result);
    innerProduct<Lanes, Vectors>(sums, scratch.at, scratch.b, nStep, kStep, shape.n, k, shape.accumulate);
    for (uint32_t i = 0; i < elements; ++i)
      sums[i] = widenHalf(floatToHalf(sums[i]));
    return;
  }
  // 32 products of bytes sum to less than 2^24: exact in f32.
  innerProduct<Lanes, Vectors>(scratch.product, scratch.at, scratch.b, nStep, kStep, shape.n, k, false);
  auto *sums = static_cast<int32_t *>(result);
  for (uint32_t i = 0; i < elements; ++i) {
    auto product = static_cast<uint32_t>(static_cast<int32_t>(scratch.product[i]));
    sums[i] = static_cast<int32_t>(product + (shape.accumulate ? static_cast<uint32_t>(sums[i]) : 0));
  }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) void
multiplyAvx512(const WgmmaShape &shape, WgmmaScratch &scratch, void *d) {
  multiply<16, 4>(shape, scratch, d);
}
__attribute__((target("avx2,fma"))) void multiplyAvx2(const WgmmaShape &shape, WgmmaScratch &scratch, void *d) {
  multiply<8, 2>(shape, scratch, d);
}
#endif
void multiplyBaseline(const WgmmaShape &shape, WgmmaScratch &scratch, void *d) { multiply<4, 2>(shape, scratch, d); }

std::vector<WgmmaKernel> findKernels() {
  std::vector<WgmmaKernel> kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    kernels.push_back({"AVX-512", multiplyAvx512});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    kernels.push_back({"AVX2", multiplyAvx2});
#endif
  kernels.push_back({"baseline", multiplyBaseline});
  return kernels;
}

} // namespace

std::span<const WgmmaKernel> wgmmaKernels() {
  static const std::vector<WgmmaKernel> kernels = findKernels();
  return kernels;
}

void multiplyTile(const WgmmaShape &shape, WgmmaScratch &scratch, void *d) {
  static const auto best = wgmmaKernels().front().multiply;
  best(shape, scratch, d);
}

} // namespace tawa::emu
