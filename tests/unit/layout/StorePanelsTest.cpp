// Panels of accumulators: they cover the tile, elements stay in their threads, and no store has bank conflicts.
#include "compiler/layouts/algebra/StorePanels.h"
#include "compiler/layouts/algebra/BankConflicts.h"

#include <gtest/gtest.h>

#include <set>

namespace tawa {
namespace {

struct Tile {
  uint32_t rows, cols, warps;
};
/// Groups one above the other, one group alone, groups side by side.
const Tile kTiles[] = {{128, 256, 8}, {128, 64, 8}, {64, 128, 4}, {64, 256, 8}, {256, 64, 4}};

LinearLayout accumulator(const Tile &tile) {
  uint32_t groups = tile.warps / 4, alongN = std::max(1u, groups / (tile.rows / 64));
  return wgmmaAccumulator(tile.rows, tile.cols, std::min(256u, tile.cols / alongN), tile.warps);
}

uint32_t deposit(uint32_t value, const std::vector<unsigned> &positions) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < positions.size(); ++bit)
    result |= (value >> bit & 1) << positions[bit];
  return result;
}

using Place = std::vector<uint32_t>;

Place sum(const Place &a, const Place &b) { return {a[0] + b[0], a[1] + b[1]}; }

/// Corner of the warp, plus corner of the panel, plus place in the panel: the place in the tile, each one once.
void expectCover(const LinearLayout &tile, const StorePanels &panels) {
  std::set<Place> seen;
  for (uint32_t outside = 0; outside < 1u << panels.outsideBits.size(); ++outside)
    for (uint32_t warp = 0; warp < tile.inSize("warp"); ++warp) {
      uint32_t common = deposit(outside, panels.outsideBits);
      Place corner = sum(tile.apply({0, 0, warp}), tile.apply({common, 0, 0}));
      for (uint32_t inside = 0; inside < 1u << panels.insideBits.size(); ++inside)
        for (uint32_t lane = 0; lane < 32; ++lane) {
          Place place = sum(corner, panels.registers.apply({inside, lane, 0}));
          ASSERT_EQ(tile.apply({common | deposit(inside, panels.insideBits), lane, warp}), place);
          seen.insert(place);
        }
    }
  EXPECT_EQ(seen.size(), 1u << tile.totalOutBits());
}

void expectSameThreads(const StorePanels &panels) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    std::set<Place> before, after;
    for (uint32_t index = 0; index < panels.registers.inSize("register"); ++index) {
      before.insert(panels.registers.apply({index, lane, 0}));
      after.insert(panels.staged.apply({index, lane, 0}));
    }
    ASSERT_EQ(before, after) << "lane " << lane;
  }
}

TEST(StorePanelsTest, CoverTheTileWithoutConflicts) {
  for (const Tile &tile : kTiles)
    for (unsigned bits : {8u, 16u, 32u}) {
      SCOPED_TRACE(testing::Message() << tile.rows << "x" << tile.cols << " of " << bits << " bits, " << tile.warps);
      LinearLayout layout = accumulator(tile);
      auto panels = planStorePanels(layout, bits);
      ASSERT_TRUE(panels);
      EXPECT_LE(panels->cols * bits / 8, 128u);
      EXPECT_EQ(panels->bytes(), panels->rows * panels->cols * bits / 8);
      expectCover(layout, *panels);
      expectSameThreads(*panels);
      if (bits == 16) {
        auto plan = deriveStmatrix(panels->staged, panels->shared, bits);
        ASSERT_TRUE(plan);
        EXPECT_EQ(countBankConflicts(*plan), 0u);
      } else {
        auto plan = deriveVectorAccess(panels->staged, panels->shared, bits);
        ASSERT_TRUE(plan);
        EXPECT_EQ(plan->vector, 2u);
        EXPECT_EQ(countBankConflicts(*plan, bits / 8), 0u);
      }
    }
}

/// What the exchange of registers is for.
TEST(StorePanelsTest, RowsOf32BitElementsWouldMeetInBanks) {
  auto panels = planStorePanels(accumulator({128, 128, 8}), 32);
  ASSERT_TRUE(panels);
  auto plain = deriveVectorAccess(panels->registers, panels->shared, 32);
  ASSERT_TRUE(plain);
  EXPECT_GT(countBankConflicts(*plain, 4), 0u);
}

TEST(StorePanelsTest, NarrowTilesAreNoBoxes) {
  EXPECT_FALSE(planStorePanels(accumulator({64, 8, 4}), 8));
  EXPECT_TRUE(planStorePanels(accumulator({64, 8, 4}), 16));
  EXPECT_FALSE(planStorePanels(accumulator({64, 8, 4}), 64));
}

} // namespace
} // namespace tawa
