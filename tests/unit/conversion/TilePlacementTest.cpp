// Tiles share bytes exactly where their lifetimes are disjoint.
#include "compiler/target/hopper/TawaToSM90/TilePlacement.h"

#include <gtest/gtest.h>

#include <vector>

namespace tawa {
namespace {

constexpr uint32_t kAlignment = 1024;

TEST(TilePlacement, OneAfterTheOtherShare) {
  std::vector<TileLifetime> tiles = {{1, 4, 2048, 0}, {5, 9, 4096, 0}};
  EXPECT_EQ(placeTiles(tiles, kAlignment), 4096u);
  EXPECT_EQ(tiles[0].offset, 0u);
  EXPECT_EQ(tiles[1].offset, 0u);
}

TEST(TilePlacement, ATileLivesDuringItsLastOperation) {
  std::vector<TileLifetime> tiles = {{1, 5, 2048, 0}, {5, 9, 2048, 0}};
  EXPECT_EQ(placeTiles(tiles, kAlignment), 4096u);
  EXPECT_EQ(tiles[1].offset, 2048u);
}

TEST(TilePlacement, OffsetsAreAligned) {
  std::vector<TileLifetime> tiles = {{1, 9, 100, 0}, {2, 9, 100, 0}};
  EXPECT_EQ(placeTiles(tiles, kAlignment), 1124u);
  EXPECT_EQ(tiles[1].offset, 1024u);
}

TEST(TilePlacement, TheLowestGapIsTaken) {
  // The third tile fits where the first one was; the second one still lives.
  std::vector<TileLifetime> tiles = {{1, 3, 2048, 0}, {2, 9, 1024, 0}, {4, 9, 2048, 0}, {5, 9, 1024, 0}};
  EXPECT_EQ(placeTiles(tiles, kAlignment), 4096u);
  EXPECT_EQ(tiles[1].offset, 2048u);
  EXPECT_EQ(tiles[2].offset, 0u);
  EXPECT_EQ(tiles[3].offset, 3072u);
}

TEST(TilePlacement, NoneTakeNothing) { EXPECT_EQ(placeTiles({}, kAlignment), 0u); }

} // namespace
} // namespace tawa
