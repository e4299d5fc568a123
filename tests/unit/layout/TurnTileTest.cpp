// Tiles turned in shared memory: every element passes through a register, faster than the obvious way.
#include "compiler/layout/TurnTile.h"
#include "compiler/layout/BankConflicts.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

struct Tile {
  uint32_t rows, cols;
  unsigned bits;
  uint32_t warps;
};
const Tile kTiles[] = {{64, 128, 8, 8}, {128, 256, 8, 8}, {32, 64, 8, 4}, {32, 128, 32, 8}, {16, 64, 32, 4}};

LinearLayout shared(const Tile &tile, bool rowMajor) {
  uint32_t contiguous = rowMajor ? tile.cols : tile.rows, other = rowMajor ? tile.rows : tile.cols;
  return sharedSwizzled(tile.rows, tile.cols, tile.bits, chooseSwizzle(contiguous * tile.bits / 8, other), rowMajor);
}

/// Accesses and conflicts of one warp, to and fro.
unsigned cost(const LinearLayout &registers, const LinearLayout &from, const LinearLayout &to, const Tile &tile) {
  unsigned sum = 0;
  for (const LinearLayout *side : {&from, &to}) {
    auto plan = deriveVectorAccess(registers, *side, tile.bits);
    if (!plan)
      return ~0u;
    plan->warpBases.clear();
    sum += static_cast<unsigned>(plan->accesses.size()) + countBankConflicts(*plan, tile.bits / 8);
  }
  return sum;
}

TEST(TurnTileTest, BeatsReadingRowsAndWritingElements) {
  for (const Tile &tile : kTiles) {
    SCOPED_TRACE(testing::Message() << tile.rows << "x" << tile.cols << " of " << tile.bits << " bits");
    LinearLayout from = shared(tile, true), to = shared(tile, false);
    LinearLayout registers = turningRegisters(from, to, tile.bits, tile.warps);
    ASSERT_TRUE(registers.isSurjective());
    LinearLayout rows = blocked({tile.rows, tile.cols}, 128 / tile.bits, tile.warps);
    EXPECT_LT(cost(registers, from, to, tile), cost(rows, from, to, tile));
  }
}

/// A copy in the same order needs no rectangles.
TEST(TurnTileTest, CopiesInOrderTakeTheWidestAccess) {
  Tile tile{64, 128, 8, 8};
  LinearLayout layout = shared(tile, true);
  auto plan = deriveVectorAccess(turningRegisters(layout, layout, 8, 8), layout, 8);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->vector, 16u);
  EXPECT_EQ(countBankConflicts(*plan, 1), 0u);
}

} // namespace
} // namespace tawa
