// Orders of K in which an accumulator is operand A without data movement.
#include "compiler/layouts/algebra/KPermutation.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tawa {
namespace {

/// Every lane and warp holds the same elements; only the numbers of registers differ.
bool sameButForRegisters(const LinearLayout &a, const LinearLayout &b) {
  LinearLayout source = a.invertAndCompose(b);
  for (const char *in : {"lane", "warp"})
    for (unsigned bit = 0; bit < source.inBits(in); ++bit)
      for (const char *out : {"register", "lane", "warp"})
        if (source.basis(in, bit, out) != (std::string(in) == out ? 1u << bit : 0u))
          return false;
  for (unsigned bit = 0; bit < source.inBits("register"); ++bit)
    if (source.basis("register", bit, "lane") || source.basis("register", bit, "warp"))
      return false;
  return true;
}

TEST(KPermutationTest, AccumulatorsAreOperandA) {
  struct Case {
    unsigned bits;
    KPermutation order;
  };
  for (const Case &each : {Case{8, {0, 3, 1, 2, 4, 5}}, Case{16, {}}, Case{32, {1, 2, 0, 3, 4, 5}}})
    for (uint32_t warps : {4u, 8u}) {
      LinearLayout sums = wgmmaAccumulator(128, 64, 64, warps);
      auto order = orderOfOperandA(sums, each.bits);
      ASSERT_TRUE(order) << each.bits;
      EXPECT_EQ(*order, each.order) << each.bits;
      EXPECT_TRUE(sameButForRegisters(withOrder(wgmmaOperandA(128, 64, each.bits, warps), 1, *order), sums));
    }
}

TEST(KPermutationTest, TheOperandItselfIsInNaturalOrder) {
  auto order = orderOfOperandA(wgmmaOperandA(64, 128, 8, 4), 8);
  ASSERT_TRUE(order);
  EXPECT_TRUE(order->empty());
}

TEST(KPermutationTest, ThereIsNoneWhereLanesOrWarpsHoldOtherRows) {
  EXPECT_FALSE(orderOfOperandA(blocked({64, 64}, 4, 4), 8));
  EXPECT_FALSE(orderOfOperandA(wgmmaAccumulator(64, 128, 64, 8), 8)); // groups side by side, each half of K
  EXPECT_FALSE(orderOfOperandA(wgmmaAccumulator(64, 16, 16, 4), 8));  // less than one instruction's K
}

TEST(KPermutationTest, PositionsAndIndicesAreInverse) {
  LinearLayout tile = sharedSwizzled(128, 64, 8, Swizzle::B128, /*rowMajor=*/false);
  KPermutation order{0, 3, 1, 2, 4, 5, 6};
  LinearLayout ordered = withOrder(tile, 0, order);
  EXPECT_FALSE(ordered == tile);
  EXPECT_EQ(withoutOrder(ordered, 0, order), tile);
  // Byte 2 of a row of K holds index 8.
  EXPECT_EQ(ordered.apply({2}), (std::vector<uint32_t>{8, 0}));
  EXPECT_FALSE(deriveWgmmaOperand(ordered, 8, 1, 64));
  EXPECT_TRUE(deriveWgmmaOperand(withoutOrder(ordered, 0, order), 8, 1, 64));
}

TEST(KPermutationTest, LanesHaveNeighboursOfK) {
  constexpr MmaWarps kWarps{1, 4, 4};
  KPermutation order = orderOfNeighbours(128, bitsOfK(16), 4);
  EXPECT_EQ(order, (KPermutation{0, 4, 5, 1, 2, 3, 6}));
  LinearLayout natural = mmaOperandB(128, 64, 16, kWarps), neighbours = withOrder(natural, 0, order);
  // Registers 0 to 7, of which pairs are words: elements 0 to 15 of a column in steps of the registers along K.
  std::vector<uint32_t> rows(16), expected(16);
  for (uint32_t number = 0; number < rows.size(); ++number)
    rows[number] = neighbours.apply({number, 0, 0})[0];
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(neighbours.apply({0, 1, 0})[0], 16u);
  auto found = orderOfFragment(neighbours, natural, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, order);
}

// A register has two of the neighbours that are 2^apart from each other; the next registers have those between them.
TEST(KPermutationTest, NeighboursInARegisterMayBeApart) {
  EXPECT_EQ(orderOfNeighbours(64, bitsOfK(16), 3, 2), (KPermutation{2, 3, 4, 0, 1, 5}));
  EXPECT_EQ(orderOfNeighbours(64, bitsOfK(16), 4, 1), (KPermutation{1, 4, 5, 0, 2, 3}));
  constexpr MmaWarps kWarps{1, 4, 4};
  KPermutation order = orderOfNeighbours(128, bitsOfK(16), 3, 2);
  LinearLayout natural = mmaOperandB(128, 64, 16, kWarps), apart = withOrder(natural, 0, order);
  std::vector<uint32_t> rows(8);
  for (uint32_t number = 0; number < rows.size(); ++number)
    rows[number] = apart.apply({number, 0, 0})[0];
  EXPECT_EQ(rows, (std::vector<uint32_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(apart.apply({0, 1, 0})[0], 8u);
  EXPECT_EQ(orderOfFragment(apart, natural, 0), std::optional(order));
}

// A lane has eight neighbours of the columns of operand B, as of words that hold eight; the sums have their pairs
// elsewhere.
TEST(KPermutationTest, LanesHaveNeighboursOfColumns) {
  constexpr MmaWarps kWarps{1, 1, 1};
  KPermutation order = orderOfNeighbours(64, kBitsOfColumns, 3);
  EXPECT_EQ(order, (KPermutation{3, 4, 5, 0, 1, 2}));
  LinearLayout right = withOrder(mmaOperandB(32, 64, 16, kWarps), 1, order);
  LinearLayout sums = withOrder(mmaAccumulator(16, 64, kWarps), 1, order);
  // Registers: two words of K pairs, then columns. Lane 4 has the next eight columns.
  for (uint32_t column = 0; column < 8; ++column)
    EXPECT_EQ(right.apply({column * 8, 0, 0})[1], column);
  EXPECT_EQ(right.apply({0, 4, 0})[1], 8u);
  EXPECT_EQ(sums.apply({1, 0, 0})[1], 8u);
  EXPECT_EQ(orderOfFragment(sums, mmaAccumulator(16, 64, kWarps), 1), std::optional(order));
}

// Four products, two of which a warp computes one after the other: the second one's elements are the last registers.
TEST(KPermutationTest, BatchesAreOfWarpsThenOfRegisters) {
  LinearLayout one = mmaAccumulator(16, 16, {1, 2, 2}), batch = batchOf(one, 4, 2);
  EXPECT_EQ(batch.outs().size(), 3u);
  EXPECT_EQ(batch.inSize("warp"), 4u);
  EXPECT_EQ(batch.apply({0, 0, 1}), (std::vector<uint32_t>{0, 0, 8}));
  EXPECT_EQ(batch.apply({0, 0, 2}), (std::vector<uint32_t>{1, 0, 0}));
  EXPECT_EQ(batch.apply({one.inSize("register"), 0, 0}), (std::vector<uint32_t>{2, 0, 0}));
}

TEST(KPermutationTest, OneNeighbourMoreThanAWordIsTheNaturalOrder) {
  EXPECT_EQ(orderOfNeighbours(64, bitsOfK(16), 3), (KPermutation{0, 3, 4, 1, 2, 5}));
  EXPECT_EQ(orderOfNeighbours(64, bitsOfK(16), 1), (KPermutation{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(orderOfNeighbours(64, bitsOfK(8), 2), (KPermutation{0, 1, 2, 3, 4, 5}));
}

TEST(KPermutationTest, OtherFragmentsHaveNoOrder) {
  constexpr MmaWarps kWarps{1, 4, 4};
  LinearLayout natural = mmaOperandB(64, 64, 16, kWarps);
  EXPECT_FALSE(orderOfFragment(mmaOperandB(64, 64, 16, MmaWarps{1, 2, 4}), natural, 0));
  EXPECT_FALSE(orderOfFragment(blocked({64, 64}, 4, 4), natural, 0));
}

} // namespace
} // namespace tawa
