// The arithmetic of wgmma in every form this CPU has, and the conversions, against plain arithmetic.
#include "runtime/emulator/WgmmaKernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace tawa;
using namespace tawa::emu;

namespace {

TEST(WgmmaKernels, HalfRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    float value = halfToFloat(half);
    if ((bits & 0x7c00) == 0x7c00) {
      EXPECT_EQ(std::isnan(value), (bits & 0x3ff) != 0);
      EXPECT_EQ(std::isinf(value), (bits & 0x3ff) == 0);
    } else {
      int exponent = static_cast<int>(bits >> 10 & 31), mantissa = static_cast<int>(bits & 1023);
      float expected = exponent ? std::ldexp(1024.0f + static_cast<float>(mantissa), exponent - 25)
                                : std::ldexp(static_cast<float>(mantissa), -24);
      ASSERT_EQ(value, bits & 0x8000 ? -expected : expected) << bits;
    }
    if (!std::isnan(value))
      ASSERT_EQ(floatToHalf(value), half);
  }
}

TEST(WgmmaKernels, FloatToHalfRoundsToNearestEven) {
  EXPECT_EQ(floatToHalf(1.0f + 0x1p-11f), 0x3c00);            // a tie goes to even
  EXPECT_EQ(floatToHalf(1.0f + 3 * 0x1p-11f), 0x3c02);        // likewise
  EXPECT_EQ(floatToHalf(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01); // above the tie
  EXPECT_EQ(floatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(floatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(floatToHalf(0x1p-25f), 0x0000);
  EXPECT_EQ(floatToHalf(0x1.8p-25f), 0x0001);
  EXPECT_EQ(floatToHalf(-0x1p-24f), 0x8001);
  EXPECT_EQ(floatToHalf(NAN) & 0x7c00, 0x7c00);
}

/// Value of an element, decoded digit by digit.
double decode(ElementType type, const uint8_t *bytes) {
  auto small = [&](int exponentBits, int mantissaBits, int bias) {
    int bits = bytes[0], mantissa = bits & ((1 << mantissaBits) - 1);
    int exponent = bits >> mantissaBits & ((1 << exponentBits) - 1);
    double value = exponent ? std::ldexp(1 + mantissa / std::ldexp(1.0, mantissaBits), exponent - bias)
                            : std::ldexp(mantissa / std::ldexp(1.0, mantissaBits), 1 - bias);
    return bits & 0x80 ? -value : value;
  };
  uint32_t word = 0;
  memcpy(&word, bytes, elementBytes(type));
  float value;
  switch (type) {
  case ElementType::F16:
    return halfToFloat(static_cast<uint16_t>(word));
  case ElementType::BF16:
    word <<= 16;
    break;
  case ElementType::F32:
    word &= ~0x1fffu;
    break;
  case ElementType::F8E4M3:
    return small(4, 3, 7);
  case ElementType::F8E5M2:
    return small(5, 2, 15);
  default:
    return static_cast<int8_t>(word);
  }
  memcpy(&value, &word, 4);
  return value;
}

/// Random bits that are an ordinary number of the type, of magnitude around 1 for floats.
void randomElement(ElementType type, std::mt19937 &random, uint8_t *bytes) {
  auto value = static_cast<float>(std::uniform_real_distribution<double>(-2, 2)(random));
  uint32_t word;
  memcpy(&word, &value, 4);
  switch (type) {
  case ElementType::F16:
    word = floatToHalf(value);
    break;
  case ElementType::BF16:
    word >>= 16;
    break;
  case ElementType::F32:
    break;
  case ElementType::F8E4M3:
    word = random() % 0x70 | (random() & 0x80);
    break;
  case ElementType::F8E5M2:
    word = random() % 0x48 | (random() & 0x80);
    break;
  default:
    word = random();
  }
  memcpy(bytes, &word, elementBytes(type));
}

void check(const WgmmaKernel &kernel, const WgmmaShape &shape) {
  std::mt19937 random(shape.n * 7 + shape.transposeB);
  auto scratch = std::make_unique<WgmmaScratch>();
  uint32_t size = elementBytes(shape.a), k = shape.k();
  for (uint32_t i = 0; i < 64 * k; ++i)
    randomElement(shape.a, random, scratch->rawA + i * size);
  for (uint32_t i = 0; i < shape.n * k; ++i)
    randomElement(shape.b, random, scratch->rawB + i * size);
  struct alignas(64) Tile {
    float f[64];
  };
  std::vector<Tile> d(shape.n);
  auto *asInts = reinterpret_cast<int32_t *>(d.data());
  std::vector<double> expected(64 * shape.n),
      magnitude(64 * shape.n); // magnitude: sum of magnitudes, what rounding goes by
  for (uint32_t i = 0; i < 64 * shape.n; ++i) {
    float start = static_cast<float>(i % 13) - 6;
    d[i / 64].f[i % 64] = start;
    if (shape.d == ElementType::I32)
      asInts[i] = static_cast<int>(start);
    double sum = 0;
    uint32_t row = i % 64, column = i / 64;
    for (uint32_t j = 0; j < k; ++j) {
      double product =
          decode(shape.a, scratch->rawA + (shape.transposeA ? j * 64 + row : row * k + j) * size) *
          decode(shape.b, scratch->rawB + (shape.transposeB ? j * shape.n + column : column * k + j) * size);
      sum += product;
      magnitude[i] += std::abs(product);
    }
    expected[i] = (shape.negate ? -sum : sum) + (shape.accumulate ? start : 0);
  }
  kernel.multiply(shape, *scratch, d.data());
  for (uint32_t i = 0; i < 64 * shape.n; ++i) {
    double got = shape.d == ElementType::I32 ? asInts[i] : d[i / 64].f[i % 64];
    double relative = shape.d == ElementType::I32 ? 0 : shape.d == ElementType::F16 ? 1e-3 : 1e-6;
    double tolerance = relative * (6 + magnitude[i]); // 6: the largest value accumulated onto
    ASSERT_NEAR(got, expected[i], tolerance)
        << kernel.name << " " << elementName(shape.a) << " n " << shape.n << " row " << i % 64 << " column " << i / 64;
  }
}

TEST(WgmmaKernels, EveryTypeInEveryForm) {
  using E = ElementType;
  const ElementType types[][3] = {{E::F16, E::F16, E::F32},       {E::F16, E::F16, E::F16},
                                  {E::BF16, E::BF16, E::F32},     {E::F32, E::F32, E::F32},
                                  {E::F8E4M3, E::F8E4M3, E::F32}, {E::F8E4M3, E::F8E5M2, E::F32},
                                  {E::F8E5M2, E::F8E4M3, E::F16}, {E::I8, E::I8, E::I32}};
  for (const WgmmaKernel &kernel : wgmmaKernels())
    for (auto &[a, b, d] : types)
      for (uint32_t n : {8u, 16u, 24u, 256u})
        for (bool accumulate : {false, true})
          check(kernel, {a, b, d, n, false, false, d != E::I32 && n == 16, accumulate});
}

TEST(WgmmaKernels, TransposedOperands) {
  for (const WgmmaKernel &kernel : wgmmaKernels())
    for (int which = 1; which < 4; ++which)
      check(kernel, {ElementType::F16, ElementType::F16, ElementType::F32, 64, (which & 1) != 0, (which & 2) != 0,
                     false, true});
}

} // namespace
