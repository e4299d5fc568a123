// Fragments of mma.sync against the formulas of the PTX ISA (Matrix Fragments for mma.m16n8k8/k16/k32), element by
// element, with the promised numbering of instructions; and blocked layouts with choices of their own.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa {
namespace {

using Coordinate = std::vector<uint32_t>;

template <typename Check> void forAll(const LinearLayout &layout, Check check) {
  ASSERT_EQ(layout.inNames(), (LinearLayout::Names{"register", "lane", "warp"}));
  for (uint32_t warp = 0; warp < layout.inSize("warp"); ++warp)
    for (uint32_t lane = 0; lane < layout.inSize("lane"); ++lane)
      for (uint32_t reg = 0; reg < layout.inSize("register"); ++reg)
        check(reg, lane, warp, layout.apply({reg, lane, warp}));
}

/// Calls check(rows or k, cols, warps) for tiles down to one row or column, with every way to share them.
template <typename Check> void forAllTiles(Check check) {
  for (uint32_t total : {1u, 2u, 4u, 8u})
    for (uint32_t rows : {1u, 4u, 16u, 32u, 128u})
      for (uint32_t cols : {1u, 2u, 8u, 16u, 64u})
        for (bool rowsFirst : {false, true})
          check(rows, cols, chooseMmaWarps(rows, cols, total, rowsFirst));
}

TEST(MmaWarps, EveryWarpHasWholeInstructions) {
  forAllTiles([](uint32_t rows, uint32_t cols, MmaWarps warps) {
    EXPECT_LE(warps.m * warps.n, warps.total);
    EXPECT_TRUE(warps.m == 1 || rows / warps.m >= 16);
    EXPECT_TRUE(warps.n == 1 || cols / warps.n >= 8);
    // Warps are left over only where there is no instruction left for them.
    if (warps.m * warps.n < warps.total)
      EXPECT_TRUE(rows / warps.m <= 16 && cols / warps.n <= 8);
  });
  EXPECT_EQ(chooseMmaWarps(64, 128, 4, true), (MmaWarps{4, 1, 4}));
  EXPECT_EQ(chooseMmaWarps(128, 128, 4, false), (MmaWarps{2, 2, 4}));
  EXPECT_EQ(chooseMmaWarps(16, 64, 4, true), (MmaWarps{1, 4, 4}));
}

TEST(RegisterTiles, AccumulatorIsTheMmaFragment) {
  forAllTiles([](uint32_t rows, uint32_t cols, MmaWarps warps) {
    LinearLayout layout = mmaAccumulator(rows, cols, warps);
    const uint32_t partRows = std::max(rows / warps.m, 16u), partCols = std::max(cols / warps.n, 8u);
    const uint32_t nb = partCols / 8, mb = partRows / 16;
    ASSERT_EQ(layout.inSize("register"), 4 * nb * mb);
    ASSERT_EQ(layout.inSize("warp"), warps.total);
    EXPECT_TRUE(layout.isSurjective());
    forAll(layout, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
      // c[i]: row lane / 4, or + 8 for i >= 2; column 2 (lane mod 4) + i mod 2.
      uint32_t i = reg % 4, block = reg / 4;
      uint32_t row = lane / 4 + 8 * (i / 2) + 16 * (block / nb) + partRows * (warp % warps.m);
      uint32_t col = 2 * (lane % 4) + i % 2 + 8 * (block % nb) + partCols * (warp / warps.m % warps.n);
      // A tile smaller than the instruction repeats.
      ASSERT_EQ(at, (Coordinate{row % rows, col % cols})) << layout.str();
    });
  });
}

/// Row and k of element i of a thread's A fragment inside one instruction, as the PTX ISA lists a0, a1, ..
Coordinate elementOfA(unsigned bits, uint32_t i, uint32_t lane) {
  const uint32_t group = lane / 4, thread = lane % 4;
  switch (bits) {
  case 8: // row: a0-3 and a8-11 the group, else + 8; k: 4 thread + i mod 4, from a8 on + 16
    return {group + (i / 4 % 2 ? 8 : 0), thread * 4 + i % 4 + (i < 8 ? 0 : 16)};
  case 16: // row: a0, a1, a4, a5 the group, else + 8; k: 2 thread + i mod 2, from a4 on + 8
    return {group + (i / 2 % 2 ? 8 : 0), thread * 2 + i % 2 + (i < 4 ? 0 : 8)};
  default: // row: a0 and a2 the group, else + 8; k: thread, from a2 on + 4
    return {group + (i % 2 ? 8 : 0), thread + (i < 2 ? 0 : 4)};
  }
}

/// k and column of element i of a thread's B fragment.
Coordinate elementOfB(unsigned bits, uint32_t i, uint32_t lane) {
  const uint32_t group = lane / 4, thread = lane % 4;
  switch (bits) {
  case 8:
    return {thread * 4 + i % 4 + (i < 4 ? 0 : 16), group};
  case 16:
    return {thread * 2 + i % 2 + (i < 2 ? 0 : 8), group};
  default:
    return {thread + (i == 0 ? 0 : 4), group};
  }
}

TEST(RegisterTiles, OperandsAreTheMmaFragments) {
  for (unsigned bits : {8u, 16u, 32u})
    for (uint32_t k = 256 / bits; k <= 128; k *= 2)
      forAllTiles([&](uint32_t rows, uint32_t cols, MmaWarps warps) {
        const uint32_t instrK = 256 / bits, kb = k / instrK, perA = 128 / bits, perB = 64 / bits;
        const uint32_t partRows = std::max(rows / warps.m, 16u), partCols = std::max(cols / warps.n, 8u);
        LinearLayout a = mmaOperandA(rows, k, bits, warps), b = mmaOperandB(k, cols, bits, warps);
        ASSERT_EQ(a.inSize("register"), perA * kb * (partRows / 16));
        ASSERT_EQ(b.inSize("register"), perB * kb * (partCols / 8));
        forAll(a, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
          Coordinate wanted = elementOfA(bits, reg % perA, lane);
          uint32_t block = reg / perA;
          wanted[0] += 16 * (block / kb) + partRows * (warp % warps.m);
          wanted[1] += instrK * (block % kb);
          ASSERT_EQ(at, (Coordinate{wanted[0] % rows, wanted[1]})) << bits << " bits\n" << a.str();
        });
        forAll(b, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
          Coordinate wanted = elementOfB(bits, reg % perB, lane);
          uint32_t block = reg / perB;
          wanted[0] += instrK * (block % kb);
          wanted[1] += 8 * (block / kb) + partCols * (warp / warps.m % warps.n);
          ASSERT_EQ(at, (Coordinate{wanted[0], wanted[1] % cols})) << bits << " bits\n" << b.str();
        });
      });
}

TEST(RegisterTiles, ChainedProductsOfMmaNeedNoMovement) {
  // With all warps along M a product's result as 16-bit elements is the next one's operand A.
  for (uint32_t rows : {16u, 64u, 128u})
    for (uint32_t cols : {16u, 64u, 128u}) {
      MmaWarps warps = chooseMmaWarps(rows, cols, rows / 16, true);
      EXPECT_EQ(mmaAccumulator(rows, cols, warps), mmaOperandA(rows, cols, 16, warps));
    }
}

TEST(RegisterTiles, BlockedPlansSendLanesAndWarpsTheirOwnWay) {
  // Rows belong to warps, so that a reduction along dim1 stays inside of one.
  LinearLayout rows = blocked({64, 1024}, BlockedPlan{8, 4, {1, 0}, {0, 1}, {}});
  EXPECT_TRUE(rows.isInvertible());
  EXPECT_TRUE(rows.isZeroOn({"warp"}, {"dim1"}));
  EXPECT_EQ(rows.basis("lane", 4), (LinearLayout::Basis{0, 128}));
  // Few lanes along dim1, the rest along dim0.
  LinearLayout narrow = blocked({64, 64}, BlockedPlan{4, 4, {1, 0}, {}, {32, 4}});
  EXPECT_TRUE(narrow.isInvertible());
  EXPECT_EQ(narrow.basis("lane", 1), (LinearLayout::Basis{0, 8}));
  EXPECT_EQ(narrow.basis("lane", 2), (LinearLayout::Basis{1, 0}));
  // Bounds that leave lanes without work: copies.
  EXPECT_EQ(blocked({64, 64}, BlockedPlan{1, 4, {1, 0}, {}, {2, 2}}).zeroBasisMask("lane"), 0x1cu);
  // A dimension of 1 and a huge one.
  LinearLayout huge = blocked({1, 65536, 1}, BlockedPlan{4, 8, {1, 2, 0}, {}, {}});
  EXPECT_TRUE(huge.isInvertible());
  EXPECT_EQ(huge.inSize("register"), 256u);
}

} // namespace
} // namespace tawa
