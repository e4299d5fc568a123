// The CLI's number conversions, against the compiler's own half type and against properties of the formats.
#include "bindings/cli/Element.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

using namespace tawa::cli;

namespace {

double decode(tawa_dtype_t type, uint16_t bits) { return readElement(&bits, 0, type); }

uint32_t encode(tawa_dtype_t type, double value) {
  uint32_t bits = 0;
  writeElement(&bits, 0, type, value);
  return bits;
}

TEST(Element, EveryHalfDecodesAsTheCompilersHalf) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double expected = std::bit_cast<_Float16>(static_cast<uint16_t>(bits)), got = decode(TAWA_F16, bits);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(got)) << bits;
    else
      EXPECT_EQ(expected, got) << bits;
  }
}

TEST(Element, DoublesRoundToHalfAsTheCompilerRounds) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double value = std::ldexp(static_cast<double>(static_cast<int64_t>(state)), static_cast<int>(state >> 58) - 95);
    auto expected = std::bit_cast<uint16_t>(static_cast<_Float16>(value));
    ASSERT_EQ(expected, encode(TAWA_F16, value)) << value;
  }
}

TEST(Element, HalfwayCasesGoToEven) {
  EXPECT_EQ(encode(TAWA_F16, 1.0 + 0x1p-11), 0x3c00u);     // between 1 and 1+2^-10: down to even
  EXPECT_EQ(encode(TAWA_F16, 1.0 + 3 * 0x1p-11), 0x3c02u); // up to even
  EXPECT_EQ(encode(TAWA_F16, 0x1p-25), 0u);                // half the smallest subnormal
  EXPECT_EQ(encode(TAWA_F16, 0x1.8p-25), 1u);
  EXPECT_EQ(encode(TAWA_F16, 65520.0), 0x7c00u); // rounds up into infinity
  EXPECT_EQ(encode(TAWA_F16, 65519.0), 0x7bffu);
  EXPECT_EQ(encode(TAWA_BF16, 1.0 + 0x1p-8), 0x3f80u);
}

TEST(Element, EveryPatternOfEverySmallFormatSurvivesARoundTrip) {
  struct Format {
    tawa_dtype_t type;
    uint32_t patterns;
  };
  for (Format format : {Format{TAWA_F16, 0x10000}, {TAWA_BF16, 0x10000}, {TAWA_F8E4M3, 0x100}, {TAWA_F8E5M2, 0x100}})
    for (uint32_t bits = 0; bits < format.patterns; ++bits) {
      double value = decode(format.type, bits);
      if (!std::isnan(value))
        EXPECT_EQ(bits, encode(format.type, value)) << elementName(format.type);
    }
}

TEST(Element, Float8SaturatesOrOverflowsAsItsFormatSays) {
  EXPECT_EQ(decode(TAWA_F8E4M3, 0x7e), 448.0);
  EXPECT_TRUE(std::isnan(decode(TAWA_F8E4M3, 0x7f)));
  EXPECT_EQ(encode(TAWA_F8E4M3, 1e6), 0x7eu);
  EXPECT_EQ(decode(TAWA_F8E5M2, 0x7b), 57344.0);
  EXPECT_TRUE(std::isinf(decode(TAWA_F8E5M2, 0x7c)));
}

TEST(Element, NamesReadBack) {
  for (int i = TAWA_I1; i <= TAWA_F64; ++i) {
    auto type = static_cast<tawa_dtype_t>(i);
    EXPECT_EQ(elementFromName(elementName(type)), type);
  }
  EXPECT_FALSE(elementFromName("f17"));
}

} // namespace
