// mma.sync: every combination of types against a product computed from the matrices.
#include "tests/unit/emulator/EmulatorTestSupport.h"

#include "runtime/emulator/Floats.h"

#include <bit>

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

/// Matrices as bytes: 16 rows of A and 8 columns of B, 32 bytes each; C and D 16 x 8 words (f16 as f32 words).
struct Problem {
  ElementType a, b, d;
  bool unsignedA = false, unsignedB = false;
  uint8_t bytesA[16][32], bytesB[8][32];
  float c[16][8], result[16][8];

  uint32_t types() const {
    return static_cast<uint32_t>(a) | static_cast<uint32_t>(b) << 8 | static_cast<uint32_t>(d) << 16 |
           (unsignedA ? 1u << 24 : 0) | (unsignedB ? 1u << 25 : 0);
  }
};

float valueAt(ElementType type, bool isUnsigned, const uint8_t *row, uint32_t k) {
  uint16_t half;
  uint32_t word;
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    memcpy(&half, row + 2 * k, 2);
    return type == ElementType::F16 ? halfToFloat(half) : bfloatToFloat(half);
  case ElementType::F32:
    memcpy(&word, row + 4 * k, 4);
    return std::bit_cast<float>(word & 0xffffe000u);
  case ElementType::I8:
    return isUnsigned ? row[k] : static_cast<int8_t>(row[k]);
  default:
    return fp8ToFloat(type, row[k]);
  }
}

/// Small multiples of a power of two, so that sums are exact.
void fill(ElementType type, bool isUnsigned, uint8_t *row, std::mt19937 &random) {
  uint32_t step = elementBytes(type);
  for (uint32_t at = 0; at < 32; at += step) {
    float value = static_cast<float>(static_cast<int>(random() % 17) - (isUnsigned ? 0 : 8));
    uint32_t bits = type == ElementType::F32    ? std::bit_cast<uint32_t>(value / 4)
                    : type == ElementType::F16  ? floatToHalf(value / 4)
                    : type == ElementType::BF16 ? floatToBFloat(value / 4)
                    : type == ElementType::I8   ? static_cast<uint32_t>(static_cast<int32_t>(value * 11))
                                                : floatToFp8(type, value);
    memcpy(row + at, &bits, step);
  }
}

void kernel(void *t, const void *params) {
  Problem &p = **static_cast<Problem *const *>(params);
  uint32_t lane = state(t).laneId, g = lane / 4, column = lane % 4;
  auto word = [&](const uint8_t *row, uint32_t half) {
    uint32_t bits;
    memcpy(&bits, row + half * 16 + column * 4, 4);
    return bits;
  };
  float own[4] = {p.c[g][2 * column], p.c[g][2 * column + 1], p.c[g + 8][2 * column], p.c[g + 8][2 * column + 1]};
  uint32_t registers[4];
  for (int i = 0; i < 4; ++i)
    registers[i] =
        p.d == ElementType::I32 ? static_cast<uint32_t>(static_cast<int32_t>(own[i])) : std::bit_cast<uint32_t>(own[i]);
  if (p.d == ElementType::F16)
    for (int i = 0; i < 2; ++i)
      registers[i] = floatToHalf(own[2 * i]) | static_cast<uint32_t>(floatToHalf(own[2 * i + 1])) << 16;
  for (int round = 0; round < 3; ++round) // the two meeting places in turn
    tawa_emu_mma(t, word(p.bytesA[g], 0), word(p.bytesA[g + 8], 0), word(p.bytesA[g], 1), word(p.bytesA[g + 8], 1),
                 word(p.bytesB[g], 0), word(p.bytesB[g], 1), p.types(), registers);
  for (int i = 0; i < 4; ++i)
    own[i] = p.d == ElementType::F16   ? halfToFloat(static_cast<uint16_t>(registers[i / 2] >> (i % 2 * 16)))
             : p.d == ElementType::I32 ? static_cast<float>(static_cast<int32_t>(registers[i]))
                                       : std::bit_cast<float>(registers[i]);
  for (int i = 0; i < 4; ++i)
    p.result[g + i / 2 * 8][2 * column + i % 2] = own[i];
}

void check(ElementType a, ElementType b, ElementType d, bool unsignedA = false, bool unsignedB = false) {
  SCOPED_TRACE(std::string(elementName(a)) + " " + std::string(elementName(b)));
  Problem p{a, b, d, unsignedA, unsignedB, {}, {}, {}, {}};
  std::mt19937 random(7);
  for (auto &row : p.bytesA)
    fill(a, unsignedA, row, random);
  for (auto &row : p.bytesB)
    fill(b, unsignedB, row, random);
  for (auto &row : p.c)
    for (float &value : row)
      value = static_cast<float>(static_cast<int>(random() % 33) - 16);
  EXPECT_OK(Launch(64).run(kernel, &p));
  for (uint32_t row = 0; row < 16; ++row)
    for (uint32_t column = 0; column < 8; ++column) {
      float sum = 0;
      for (uint32_t k = 0; k < 32 / elementBytes(a); ++k)
        sum += valueAt(a, unsignedA, p.bytesA[row], k) * valueAt(b, unsignedB, p.bytesB[column], k);
      ASSERT_EQ(p.result[row][column], p.c[row][column] + 3 * sum) << row << " " << column;
    }
}

TEST(Mma, EveryCombinationOfTypes) {
  using enum ElementType;
  check(F16, F16, F32);
  check(F16, F16, F16);
  check(BF16, BF16, F32);
  check(F32, F32, F32);
  check(F8E4M3, F8E4M3, F32);
  check(F8E5M2, F8E4M3, F32);
  check(I8, I8, I32);
  check(I8, I8, I32, true, false);
  check(I8, I8, I32, true, true);
}

TEST(Mma, LanesMustAgree) {
  EXPECT_EMULATOR_ERROR(Launch(32).run([](void *t, const void *) {
    uint32_t registers[4] = {};
    tawa_emu_mma(t, 0, 0, 0, 0, 0, 0, state(t).laneId == 5 ? 0x090707 : 0x090808, registers);
  }),
                        "disagree about the types of an mma");
}

TEST(Mma, WaitsForTheWholeWarp) {
  EXPECT_EMULATOR_ERROR(Launch(32).run([](void *t, const void *) {
    uint32_t registers[4] = {};
    if (state(t).laneId != 3)
      tawa_emu_mma(t, 0, 0, 0, 0, 0, 0, 0x090707, registers);
  }),
                        "deadlock");
}

} // namespace
