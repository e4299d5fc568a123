// Small floats and approximations, against the nearest representable value, found by exhaustive search.
#include "tests/unit/emulator/EmulatorTestSupport.h"

#include "runtime/emulator/Floats.h"

#include <bit>
#include <map>

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

/// All finite values of a format, ascending, with their bits (positive ones only).
std::map<double, uint8_t> positiveValues(ElementType type) {
  std::map<double, uint8_t> values;
  for (unsigned bits = 0; bits < 0x80; ++bits)
    if (float value = fp8ToFloat(type, static_cast<uint8_t>(bits)); std::isfinite(value))
      values[value] = static_cast<uint8_t>(bits);
  return values;
}

uint8_t nearest(const std::map<double, uint8_t> &values, double magnitude) {
  auto above = values.lower_bound(magnitude);
  if (above == values.end())
    return values.rbegin()->second;
  if (above == values.begin() || above->first == magnitude)
    return above->second;
  auto below = std::prev(above);
  double down = magnitude - below->first, up = above->first - magnitude;
  if (down == up)
    return below->second & 1 ? above->second : below->second;
  return down < up ? below->second : above->second;
}

TEST(Floats, EightBitsRoundToTheNearest) {
  std::mt19937 random(3);
  for (ElementType type : {ElementType::F8E4M3, ElementType::F8E5M2}) {
    auto values = positiveValues(type);
    EXPECT_EQ(values.rbegin()->first, type == ElementType::F8E4M3 ? 448 : 57344);
    for (auto [value, bits] : values) {
      EXPECT_EQ(floatToFp8(type, static_cast<float>(value)), bits);
      EXPECT_EQ(floatToFp8(type, static_cast<float>(-value)), bits | 0x80);
    }
    for (int i = 0; i < 200000; ++i) {
      float value = std::ldexp(static_cast<float>(random() % 4096), static_cast<int>(random() % 40) - 30);
      ASSERT_EQ(floatToFp8(type, value), nearest(values, value)) << value;
    }
    EXPECT_EQ(floatToFp8(type, INFINITY), values.rbegin()->second) << "saturates";
    EXPECT_TRUE(std::isnan(fp8ToFloat(type, floatToFp8(type, NAN))));
  }
  EXPECT_TRUE(std::isinf(fp8ToFloat(ElementType::F8E5M2, 0x7c)));
}

TEST(Floats, PacksLowByteFirst) {
  auto type = static_cast<uint32_t>(ElementType::F8E4M3);
  uint32_t packed = tawa_emu_fp8_pack(nullptr, type, 1.0f, -2.0f);
  EXPECT_EQ(packed, 0xc038u);
  uint32_t pair = tawa_emu_fp8_unpack(nullptr, type, packed);
  EXPECT_EQ(halfToFloat(static_cast<uint16_t>(pair)), 1.0f);
  EXPECT_EQ(halfToFloat(static_cast<uint16_t>(pair >> 16)), -2.0f);
}

TEST(Floats, RoundsTowardsZero) {
  auto f16 = [](float value) {
    return halfToFloat(
        static_cast<uint16_t>(tawa_emu_round_float(nullptr, static_cast<uint32_t>(ElementType::F16), 0, value)));
  };
  EXPECT_EQ(f16(2049.9f), 2048.0f);
  EXPECT_EQ(f16(-2051.9f), -2050.0f);
  EXPECT_EQ(f16(1e6f), 65504.0f);
  EXPECT_EQ(f16(INFINITY), INFINITY);
  EXPECT_EQ(f16(0x1.fp-25f), 0.0f);
  auto bf16 = [](float value) {
    return bfloatToFloat(
        static_cast<uint16_t>(tawa_emu_round_float(nullptr, static_cast<uint32_t>(ElementType::BF16), 0, value)));
  };
  EXPECT_EQ(bf16(257.9f), 256.0f);
  EXPECT_EQ(bf16(3.4028234e38f), 0x1.fep127f);
}

TEST(Floats, Tf32RoundsTiesAway) {
  auto tf32 = [](float value) {
    return std::bit_cast<float>(tawa_emu_round_float(nullptr, static_cast<uint32_t>(ElementType::F32), 1, value));
  };
  EXPECT_EQ(tf32(1 + 0x1p-11f), 1 + 0x1p-10f);
  EXPECT_EQ(tf32(-1 - 0x1p-11f), -1 - 0x1p-10f);
  EXPECT_EQ(tf32(1 + 0x1p-12f), 1.0f);
  EXPECT_EQ(tf32(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(tf32(NAN)));
}

TEST(Floats, Approximations) {
  auto approx = [](uint32_t function, float x, bool ftz = false) { return tawa_emu_approx(nullptr, function, ftz, x); };
  EXPECT_EQ(approx(0, 3), 8.0f);
  EXPECT_EQ(approx(0, -140), 0x1p-140f);
  EXPECT_EQ(approx(0, -140, true), 0.0f);
  EXPECT_EQ(approx(1, 8), 3.0f);
  EXPECT_EQ(approx(1, 0), -INFINITY);
  EXPECT_EQ(approx(2, 4), 0.25f);
  EXPECT_EQ(approx(2, 0x1p-130f, true), INFINITY);
  EXPECT_EQ(approx(3, 4), 0.5f);
  EXPECT_EQ(approx(4, 9), 3.0f);
  EXPECT_FLOAT_EQ(approx(5, 1), std::sin(1.0f));
  EXPECT_FLOAT_EQ(approx(6, 1), std::cos(1.0f));
  EXPECT_FLOAT_EQ(approx(7, 1), std::tanh(1.0f));
  EXPECT_EQ(approx(7, 0x1p-130f, true), 0x1p-130f);
}

TEST(Diagnostics, AssertNamesThreadAndMessage) {
  EXPECT_EMULATOR_ERROR(Launch(64).run([](void *t, const void *) {
    tawa_emu_check(t, state(t).tid[0] != 37, const_cast<char *>("index in range"));
  }),
                        "CTA (0,0,0) warp 1 lane 5: assertion failed: index in range");
}

TEST(Diagnostics, PrintWritesALine) {
  testing::internal::CaptureStdout();
  EXPECT_OK(Launch(32).run([](void *t, const void *) {
    if (state(t).tid[0] != 3)
      return;
    uint64_t words[6] = {0xfffffff6,
                         std::bit_cast<uint32_t>(1.5f),
                         7,
                         static_cast<uint64_t>(ElementType::I32),
                         static_cast<uint64_t>(ElementType::F32),
                         static_cast<uint64_t>(ElementType::I64)};
    tawa_emu_print(t, const_cast<char *>("x:"), 0, 3, words);
  }));
  std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(text.substr(0, text.find('\n')), "CTA (0,0,0) thread 3: x: -10 1.5 7");
}

} // namespace
