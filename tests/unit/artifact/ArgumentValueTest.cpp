#include "runtime/artifact/ArgumentValue.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace tawa;

TEST(ArgumentValue, ContiguousStridesStopAtUnknownDimensions) {
  constexpr int64_t unknown = INT64_MIN;
  int64_t shape[] = {5, unknown, 7, 3};
  int64_t strides[4] = {};
  setContiguousStrides(shape, 4, strides);
  EXPECT_EQ(strides[3], 1);
  EXPECT_EQ(strides[2], 3);
  EXPECT_EQ(strides[1], 21);
  EXPECT_EQ(strides[0], unknown);
}

TEST(ArgumentValue, IntegersTakeBothSignedAndUnsignedRange) {
  EXPECT_EQ(*integerBits(ElementType::I32, -1), 0xffffffffu);
  EXPECT_EQ(*integerBits(ElementType::I32, 0xffffffffll), 0xffffffffu);
  EXPECT_EQ(*integerBits(ElementType::I8, -128), 0x80u);
  EXPECT_EQ(*integerBits(ElementType::I64, -1), ~uint64_t{0});
  EXPECT_FALSE(integerBits(ElementType::I32, 0x100000000ll));
  EXPECT_FALSE(integerBits(ElementType::I32, -0x80000001ll));
  EXPECT_FALSE(integerBits(ElementType::I1, 2));
}

TEST(ArgumentValue, HalfRoundsToNearestEven) {
  EXPECT_EQ(*floatBits(ElementType::F16, 1.0), 0x3c00u);
  EXPECT_EQ(*floatBits(ElementType::F16, -2.0), 0xc000u);
  EXPECT_EQ(*floatBits(ElementType::F16, 1.0 + std::ldexp(1.0, -11)), 0x3c00u);     // tie, even below
  EXPECT_EQ(*floatBits(ElementType::F16, 1.0 + 3 * std::ldexp(1.0, -11)), 0x3c02u); // tie, even above
  EXPECT_EQ(*floatBits(ElementType::F16, 65504.0), 0x7bffu);
  EXPECT_EQ(*floatBits(ElementType::F16, 65519.9), 0x7bffu);
  EXPECT_EQ(*floatBits(ElementType::F16, 65520.0), 0x7c00u); // infinity
  EXPECT_EQ(*floatBits(ElementType::F16, std::ldexp(1.0, -24)), 0x0001u);
  EXPECT_EQ(*floatBits(ElementType::F16, std::ldexp(1.0, -25)), 0x0000u);
  EXPECT_EQ(*floatBits(ElementType::F16, -0.0), 0x8000u);
  EXPECT_EQ(*floatBits(ElementType::F16, 1e300), 0x7c00u);
  EXPECT_EQ(*floatBits(ElementType::F16, std::numeric_limits<double>::quiet_NaN()) & 0x7e00u, 0x7e00u);
}

// The compiler's own conversion is the reference for every double that a half can come from.
TEST(ArgumentValue, HalfAgreesWithTheCompilersConversion) {
  for (int exponent = -26; exponent <= 16; ++exponent)
    for (int step = 0; step < 4096; ++step) {
      double value = std::ldexp(1.0 + step / 4096.0, exponent);
      uint16_t expected = std::bit_cast<uint16_t>(static_cast<_Float16>(value));
      ASSERT_EQ(*floatBits(ElementType::F16, value), expected) << value;
    }
}

TEST(ArgumentValue, OtherFloats) {
  EXPECT_EQ(*floatBits(ElementType::BF16, 1.0), 0x3f80u);
  EXPECT_EQ(*floatBits(ElementType::BF16, 3.0e38), 0x7f62u);
  EXPECT_EQ(*floatBits(ElementType::F32, 0.5), 0x3f000000u);
  EXPECT_EQ(*floatBits(ElementType::F64, 1.0), 0x3ff0000000000000u);
  EXPECT_EQ(floatBits(ElementType::F8E4M3, 1.0).status().code(), StatusCode::Unsupported);
}
