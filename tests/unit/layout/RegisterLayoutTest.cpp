// Register layouts against the fragment figures of the PTX ISA, written as closed formulas per thread and register,
// and the conversions between them.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tawa {
namespace {

using Coordinate = std::vector<uint32_t>;

/// Calls check(register, lane, warp, coordinate) for everything the layout holds.
template <typename Check> void forAll(const LinearLayout &layout, Check check) {
  ASSERT_EQ(layout.inNames(), (LinearLayout::Names{"register", "lane", "warp"}));
  for (uint32_t warp = 0; warp < layout.inSize("warp"); ++warp)
    for (uint32_t lane = 0; lane < layout.inSize("lane"); ++lane)
      for (uint32_t reg = 0; reg < layout.inSize("register"); ++reg)
        check(reg, lane, warp, layout.apply({reg, lane, warp}));
}

TEST(RegisterLayout, AccumulatorIsTheWgmmaFragment) {
  for (uint32_t warps : {4u, 8u, 16u})
    for (uint32_t rows : {64u, 128u, 256u})
      for (uint32_t cols : {8u, 16u, 64u, 128u, 256u})
        for (uint32_t instrN = 8; instrN <= cols; instrN *= 2) {
          LinearLayout layout = wgmmaAccumulator(rows, cols, instrN, warps);
          const uint32_t groups = warps / 4, groupsM = std::min(groups, rows / 64);
          const uint32_t groupsN = std::min(groups / groupsM, cols / instrN);
          const uint32_t perInstr = instrN / 2, instancesN = cols / (instrN * groupsN);
          ASSERT_EQ(layout.inSize("register"), perInstr * instancesN * (rows / 64 / groupsM));
          EXPECT_TRUE(layout.isSurjective());
          EXPECT_EQ(layout.isInjective(), groups == groupsM * groupsN);
          forAll(layout, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
            // d[i] of thread `lane` of warp w: row 16 w + lane / 4 + 8 (i / 2 mod 2), col 8 (i / 4) + 2 (lane mod 4) +
            // i mod 2.
            uint32_t i = reg % perInstr, instance = reg / perInstr, group = warp / 4;
            uint32_t row = 16 * (warp % 4) + lane / 4 + 8 * (i / 2 % 2);
            uint32_t col = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
            row += 64 * (group % groupsM + groupsM * (instance / instancesN));
            col += instrN * (group / groupsM % groupsN + groupsN * (instance % instancesN));
            ASSERT_EQ(at, (Coordinate{row, col})) << layout.str();
          });
        }
}

/// Row and k of element i of a thread's A fragment, inside one instruction.
Coordinate operandAElement(unsigned elementBits, uint32_t i, uint32_t lane) {
  switch (elementBits) {
  case 8:
    return {lane / 4 + 8 * (i / 4 % 2), 4 * (lane % 4) + i % 4 + 16 * (i / 8)};
  case 16:
    return {lane / 4 + 8 * (i / 2 % 2), 2 * (lane % 4) + i % 2 + 8 * (i / 4)};
  default:
    return {lane / 4 + 8 * (i % 2), lane % 4 + 4 * (i / 2)};
  }
}

TEST(RegisterLayout, OperandAIsTheWgmmaFragment) {
  for (unsigned elementBits : {8u, 16u, 32u})
    for (uint32_t warps : {4u, 8u})
      for (uint32_t rows : {64u, 128u, 256u})
        for (uint32_t k = 256 / elementBits; k <= 256; k *= 2) {
          LinearLayout layout = wgmmaOperandA(rows, k, elementBits, warps);
          const uint32_t groupsM = std::min(warps / 4, rows / 64), instrK = 256 / elementBits;
          const uint32_t perInstr = 128 / elementBits, steps = k / instrK;
          forAll(layout, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
            Coordinate wanted = operandAElement(elementBits, reg % perInstr, lane);
            uint32_t instance = reg / perInstr;
            wanted[0] += 16 * (warp % 4) + 64 * (warp / 4 % groupsM + groupsM * (instance / steps));
            wanted[1] += instrK * (instance % steps);
            ASSERT_EQ(at, wanted) << elementBits << " bits\n" << layout.str();
          });
        }
  EXPECT_EQ(wgmmaOperandA16(64, 64, 4), wgmmaOperandA(64, 64, 16, 4));
  EXPECT_EQ(wgmmaOperandA8(64, 64, 4), wgmmaOperandA(64, 64, 8, 4));
  EXPECT_EQ(wgmmaOperandATf32(64, 64, 4), wgmmaOperandA(64, 64, 32, 4));
}

TEST(RegisterLayout, SoftmaxNeedsNoMovementBeforeTheSecondDot) {
  // P = exp(S) as f16 is the A operand of P * V in the very registers S was in, also when S took several instructions.
  for (uint32_t warps : {4u, 8u})
    for (uint32_t rows : {64u, 128u, 256u})
      for (uint32_t cols : {16u, 64u, 128u, 256u})
        for (uint32_t instrN = 8; instrN <= cols; instrN *= 2)
          if (warps * 16 <= rows)
            EXPECT_EQ(wgmmaAccumulator(rows, cols, instrN, warps), wgmmaOperandA16(rows, cols, warps));
}

TEST(RegisterLayout, ConversionToFp8OperandStaysInTheQuad) {
  LinearLayout from = wgmmaOperandA8(64, 64, 4), to = wgmmaAccumulator(64, 64, 64, 4);
  LinearLayout conversion = from.invertAndCompose(to);
  EXPECT_EQ(conversion.compose(to), from);
  // Rows stay in their lanes, warps in their place: two shuffles inside groups of four lanes are enough.
  EXPECT_TRUE(conversion.isZeroOn({"register", "lane"}, {"warp"}));
  for (unsigned bit : {2u, 3u, 4u})
    EXPECT_EQ(conversion.basis("lane", bit), (LinearLayout::Basis{0, 1u << bit, 0}));
  EXPECT_TRUE(conversion.transposeOuts({"warp", "lane", "register"}).quotient({"warp"}));
  EXPECT_FALSE(conversion.quotient({"lane"}));
}

TEST(RegisterLayout, BlockedWalksVectorLanesWarps) {
  for (uint32_t rows : {1u, 2u, 16u, 128u})
    for (uint32_t cols : {1u, 8u, 64u, 512u})
      for (uint32_t vector : {1u, 4u, 8u})
        for (uint32_t warps : {1u, 4u, 8u})
          for (bool rowFast : {false, true}) {
            std::vector<unsigned> order = rowFast ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{};
            LinearLayout layout = blocked({rows, cols}, vector, warps, order);
            EXPECT_TRUE(layout.isSurjective());
            const uint32_t fast = rowFast ? rows : cols, size = rows * cols;
            const uint32_t v = std::min(vector, fast), lanes = std::min(32u, size / v);
            const uint32_t usedWarps = std::min(warps, size / v / lanes);
            forAll(layout, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
              uint32_t linear =
                  reg % v + v * (lane % lanes) + v * lanes * (warp % usedWarps) + v * lanes * usedWarps * (reg / v);
              Coordinate wanted{linear / cols, linear % cols};
              if (rowFast)
                wanted = {linear % rows, linear / rows};
              ASSERT_EQ(at, wanted) << layout.str();
            });
          }
}

TEST(RegisterLayout, BlockedOfOtherRanks) {
  LinearLayout line = blocked({4096}, 4, 4);
  forAll(line, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
    ASSERT_EQ(at, (Coordinate{reg % 4 + 4 * lane + 128 * warp + 512 * (reg / 4)}));
  });
  LinearLayout cube = blocked({4, 8, 16}, 2, 4);
  EXPECT_TRUE(cube.isInvertible());
  EXPECT_EQ(cube.apply({1, 31, 3}), (Coordinate{1, 7, 15}));
  EXPECT_EQ(blocked({}, 1, 4).apply({0, 7, 3}), (Coordinate{}));
}

TEST(RegisterLayout, SliceDropsAnAxisAndExpandGivesItBack) {
  LinearLayout tile = wgmmaAccumulator(128, 64, 64, 8);
  LinearLayout rowsOnly = sliceAxis(tile, 1), colsOnly = sliceAxis(tile, 0);
  forAll(tile, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
    ASSERT_EQ(rowsOnly.apply({reg, lane, warp}), (Coordinate{at[0]}));
    ASSERT_EQ(colsOnly.apply({reg, lane, warp}), (Coordinate{at[1]}));
  });
  // Row results are held by the four lanes of a quad; a thread has two different rows.
  EXPECT_EQ(rowsOnly.zeroBasisMask("lane"), 3u);
  EXPECT_EQ(rowsOnly.removeZeroBases("register").inSize("register"), 2u);
  EXPECT_EQ(expandAxis(rowsOnly, 1).apply({2, 4, 1}), (Coordinate{8 + 1 + 16, 0}));
  EXPECT_EQ(expandAxis(colsOnly, 0).outNames(), (LinearLayout::Names{"dim0", "dim1"}));
  EXPECT_EQ(expandAxis(colsOnly, 0).apply({1, 1, 1}), (Coordinate{0, 3}));

  // A row statistic broadcast back over the tile: each register takes it from its own thread.
  LinearLayout dense = rowsOnly.removeZeroBases("register");
  LinearLayout source = tile.sublayout(tile.inNames(), {"dim0"}).invertAndCompose(dense);
  EXPECT_TRUE(source.isZeroOn({"register"}, {"lane", "warp"}));
  auto perThread = source.transposeOuts({"lane", "warp", "register"}).quotient({"lane", "warp"});
  ASSERT_TRUE(perThread);
  EXPECT_EQ(perThread->basis("register", 1), (LinearLayout::Basis{1}));
}

TEST(RegisterLayout, SlicesOfATileShareOneLayout) {
  for (unsigned axis : {0u, 1u})
    for (uint32_t extent : {16u, 64u, 128u, 256u}) {
      LinearLayout whole = wgmmaAccumulator(256, 256, 128, 4);
      auto slices = sliceRegisters(whole, axis, extent);
      // A warp group spreads over 64 rows: thinner slices would lie in different warps.
      ASSERT_EQ(slices.has_value(), axis == 1 || extent >= 64);
      if (!slices)
        continue;
      ASSERT_EQ(slices->registers.size(), 256 / extent);
      std::set<uint32_t> seen;
      for (uint32_t slice = 0; slice < slices->registers.size(); ++slice)
        forAll(slices->tile, [&](uint32_t reg, uint32_t lane, uint32_t warp, Coordinate at) {
          at[axis] += slice * extent;
          seen.insert(slices->registers[slice][reg]);
          ASSERT_EQ(whole.apply({slices->registers[slice][reg], lane, warp}), at);
        });
      EXPECT_EQ(seen.size(), whole.inSize("register"));
    }
  // Two warp groups side by side along N: each holds other columns.
  EXPECT_FALSE(sliceRegisters(wgmmaAccumulator(64, 256, 128, 8), 1, 64));
}

TEST(RegisterLayout, TensorViewsAreRenamings) {
  LinearLayout tile = blocked({8, 4, 16}, 2, 4);
  LinearLayout transposed = permuteAxes(tile, {2, 0, 1}), flat = reshapeTensor(tile, {32, 16});
  LinearLayout split = reshapeTensor(tile, {2, 4, 2, 2, 16});
  forAll(tile, [&](uint32_t reg, uint32_t lane, uint32_t warp, const Coordinate &at) {
    std::vector<uint32_t> in{reg, lane, warp};
    ASSERT_EQ(transposed.apply(in), (Coordinate{at[2], at[0], at[1]}));
    ASSERT_EQ(flat.apply(in), (Coordinate{at[0] * 4 + at[1], at[2]}));
    ASSERT_EQ(split.apply(in), (Coordinate{at[0] / 4, at[0] % 4, at[1] / 2, at[1] % 2, at[2]}));
  });
  EXPECT_EQ(reshapeTensor(split, {8, 4, 16}), tile);
}

} // namespace
} // namespace tawa
