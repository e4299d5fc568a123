// Bank conflicts: the model on accesses counted by hand, then on the epilogues that it is used for.
#include "compiler/layouts/algebra/BankConflicts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa {
namespace {

template <typename Offset> LaneOffsets lanes(Offset offset) {
  LaneOffsets offsets;
  for (uint32_t lane = 0; lane < offsets.size(); ++lane)
    offsets[lane] = offset(lane);
  return offsets;
}

TEST(BankConflicts, CountedByHand) {
  auto stride = [](uint32_t bytes) { return lanes([=](uint32_t lane) { return lane * bytes; }); };
  EXPECT_EQ(countBankConflicts(stride(4), 4), 0u);
  EXPECT_EQ(countBankConflicts(stride(8), 4), 1u);
  EXPECT_EQ(countBankConflicts(stride(128), 4), 31u);
  EXPECT_EQ(countBankConflicts(stride(132), 4), 0u); // a row padded by one word
  EXPECT_EQ(countBankConflicts(stride(0), 4), 0u);   // all lanes read one word
  EXPECT_EQ(countBankConflicts(stride(1), 1), 0u);
  EXPECT_EQ(countBankConflicts(stride(8), 8), 0u); // two phases of 16 lanes
  EXPECT_EQ(countBankConflicts(stride(128), 8), 30u);
  EXPECT_EQ(countBankConflicts(stride(16), 16), 0u); // four phases of 8 lanes
  EXPECT_EQ(countBankConflicts(stride(32), 16), 4u);
  EXPECT_EQ(countBankConflicts(stride(128), 16), 28u);
  EXPECT_EQ(countMatrixBankConflicts(stride(16), 4), 0u);
  EXPECT_EQ(countMatrixBankConflicts(stride(128), 1), 7u);
  EXPECT_EQ(countMatrixBankConflicts(stride(128), 2), 14u);
  EXPECT_EQ(countMatrixBankConflicts(stride(144), 4), 0u);
}

TEST(BankConflicts, SwizzledEpilogueHasNone) {
  for (uint32_t rows : {64u, 128u, 256u})
    for (uint32_t cols : {64u, 128u, 256u})
      for (uint32_t warps : {4u, 8u})
        for (bool rowMajor : {true, false}) {
          LinearLayout regs = wgmmaAccumulator(rows, cols, cols, warps);
          auto plan = deriveStmatrix(regs, sharedSwizzled(rows, cols, 16, Swizzle::B128, rowMajor), 16);
          ASSERT_TRUE(plan);
          EXPECT_EQ(countBankConflicts(*plan), 0u);
        }
}

TEST(BankConflicts, NarrowerSwizzlesAlsoServe) {
  // Rows of 64 and 32 bytes: two and four rows share the 128 bytes of a phase, the swizzle separates the others.
  for (Swizzle swizzle : {Swizzle::B64, Swizzle::B32}) {
    LinearLayout regs = wgmmaAccumulator(64, 64, 64, 4);
    auto plan = deriveStmatrix(regs, sharedSwizzled(64, 64, 16, swizzle), 16);
    ASSERT_TRUE(plan);
    EXPECT_EQ(countBankConflicts(*plan), 0u);
  }
}

TEST(BankConflicts, PlainRowsOf128BytesCollideEightfold) {
  LinearLayout regs = wgmmaAccumulator(64, 64, 64, 4);
  auto plan = deriveStmatrix(regs, sharedRowMajor({64, 64}), 16);
  ASSERT_TRUE(plan);
  // 4 stores of 4 matrices, 7 extra cycles each.
  EXPECT_EQ(countBankConflicts(*plan), 4u * 4 * 7);
}

TEST(BankConflicts, VectorStoresIntoSwizzledTiles) {
  // 16 bytes per thread along the rows of a swizzled tile, as a producer without TMA writes an operand.
  LinearLayout shared = sharedSwizzled(128, 64, 16, Swizzle::B128);
  auto plan = deriveVectorAccess(blocked({128, 64}, 8, 4), shared, 16);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->vector, 8u);
  EXPECT_EQ(countBankConflicts(*plan, 2), 0u);
}

} // namespace
} // namespace tawa
