// Swizzled tiles against a description by row and chunk (the library works on address bits), and the TMA boxes of
// every tile shape against the map.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa {
namespace {

using Coordinate = std::vector<uint32_t>;
const Swizzle allSwizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128};

/// Byte address of an element, from the description of the swizzle modes: inside a panel of W-byte rows the 16-byte
/// chunk number is XORed with row mod 8 (128 bytes), row / 2 mod 4 (64 bytes) or row / 4 mod 2 (32 bytes).
uint32_t addressByRowAndChunk(uint32_t slow, uint32_t fast, uint32_t slowExtent, uint32_t elementBytes, Swizzle swizzle,
                              uint32_t panelBytes) {
  uint32_t byte = fast * elementBytes;
  uint32_t chunk = byte % panelBytes / 16;
  if (swizzle == Swizzle::B128)
    chunk ^= slow % 8;
  if (swizzle == Swizzle::B64)
    chunk ^= slow / 2 % 4;
  if (swizzle == Swizzle::B32)
    chunk ^= slow / 4 % 2;
  return byte / panelBytes * slowExtent * panelBytes + slow * panelBytes + chunk * 16 + byte % 16;
}

TEST(SharedLayout, SwizzledTileIsPanelsOfPermutedChunks) {
  for (Swizzle swizzle : allSwizzles)
    for (unsigned elementBits : {8u, 16u, 32u})
      for (uint32_t slow : {8u, 16u, 64u, 256u})
        for (uint32_t fast : {16u, 32u, 128u, 256u})
          for (bool rowMajor : {true, false}) {
            const uint32_t bytes = elementBits / 8;
            if (fast * bytes < swizzleBytes(swizzle))
              continue;
            LinearLayout layout = rowMajor ? sharedSwizzled(slow, fast, elementBits, swizzle)
                                           : sharedSwizzled(fast, slow, elementBits, swizzle, false);
            ASSERT_TRUE(layout.isInvertible());
            ASSERT_EQ(layout.outNames(), (LinearLayout::Names{"dim0", "dim1"}));
            uint32_t panel = swizzle == Swizzle::None ? fast * bytes : swizzleBytes(swizzle);
            for (uint32_t s = 0; s < slow; ++s)
              for (uint32_t f = 0; f < fast; ++f) {
                uint32_t address = addressByRowAndChunk(s, f, slow, bytes, swizzle, panel);
                Coordinate wanted = rowMajor ? Coordinate{s, f} : Coordinate{f, s};
                ASSERT_EQ(layout.apply({address / bytes}), wanted);
              }
          }
}

TEST(SharedLayout, InterleavedTileHasPanelsOf16Bytes) {
  LinearLayout layout = sharedSwizzled(64, 32, 16, Swizzle::None, true, 16);
  for (uint32_t row = 0; row < 64; ++row)
    for (uint32_t col = 0; col < 32; ++col)
      ASSERT_EQ(layout.apply({addressByRowAndChunk(row, col, 64, 2, Swizzle::None, 16) / 2}), (Coordinate{row, col}));
}

TEST(SharedLayout, RowMajorCountsUp) {
  LinearLayout cube = sharedRowMajor({2, 4, 8});
  for (uint32_t i = 0; i < 64; ++i)
    ASSERT_EQ(cube.apply({i}), (Coordinate{i / 32, i / 8 % 4, i % 8}));
  EXPECT_EQ(sharedRowMajor({16, 8}), sharedSwizzled(16, 8, 32, Swizzle::None));
}

TEST(SharedLayout, SwizzleModes) {
  EXPECT_EQ(chooseSwizzle(256, 64), Swizzle::B128);
  EXPECT_EQ(chooseSwizzle(128, 8), Swizzle::B128);
  EXPECT_EQ(chooseSwizzle(64, 8), Swizzle::B64);
  EXPECT_EQ(chooseSwizzle(32, 128), Swizzle::B32);
  EXPECT_EQ(chooseSwizzle(16, 128), Swizzle::None);
  EXPECT_EQ(chooseSwizzle(256, 4), Swizzle::None);
  // The descriptor of wgmma counts the modes the other way round than the tensor map.
  EXPECT_EQ(wgmmaSwizzleField(Swizzle::None), 0u);
  EXPECT_EQ(wgmmaSwizzleField(Swizzle::B128), 1u);
  EXPECT_EQ(wgmmaSwizzleField(Swizzle::B64), 2u);
  EXPECT_EQ(wgmmaSwizzleField(Swizzle::B32), 3u);
  EXPECT_EQ(swizzleAlignment(Swizzle::B128), 1024u);
  EXPECT_EQ(swizzleAlignment(Swizzle::B32), 256u);
  EXPECT_EQ(swizzleAddress(Swizzle::B128, 0x380 | 0x10), 0x380u | 0x60);
  EXPECT_EQ(swizzleAddress(Swizzle::B64, 0x380), 0x380u | 0x30);
  EXPECT_EQ(swizzleAddress(Swizzle::B32, 0x380), 0x380u | 0x10);
  EXPECT_EQ(swizzleAddress(Swizzle::None, 0x380), 0x380u);
}

TEST(TmaBoxes, CoverEveryTile) {
  for (Swizzle swizzle : allSwizzles)
    for (unsigned elementBits : {8u, 16u, 32u})
      for (uint32_t slow : {8u, 64u, 128u, 512u})
        for (uint32_t fast : {16u, 64u, 128u, 512u})
          for (bool rowMajor : {true, false}) {
            const uint32_t bytes = elementBits / 8;
            if (fast * bytes < swizzleBytes(swizzle) || slow * fast > 65536)
              continue;
            // Without swizzle a row of more than 256 elements takes several boxes; see FindsTheModeOfATile.
            if (swizzle == Swizzle::None && fast > 256)
              continue;
            LinearLayout layout = rowMajor ? sharedSwizzled(slow, fast, elementBits, swizzle)
                                           : sharedSwizzled(fast, slow, elementBits, swizzle, false);
            TmaFailure why = TmaFailure::None;
            auto boxes = deriveTmaBoxes(layout, elementBits, swizzle, &why);
            ASSERT_TRUE(boxes) << describe(why) << "\n" << layout.str();
            uint32_t panel = swizzle == Swizzle::None ? fast : swizzleBytes(swizzle) / bytes;
            EXPECT_EQ(boxes->size(), fast / panel * std::max(1u, slow / 256));
            EXPECT_EQ(boxes->front().shape[rowMajor ? 1 : 0], panel);
            EXPECT_EQ(boxes->front().shape[rowMajor ? 0 : 1], std::min(slow, 256u));
            EXPECT_TRUE(checkTmaBoxes(*boxes, layout, elementBits, swizzle));
          }
}

TEST(TmaBoxes, TwoPanelsOfA128x128HalfTile) {
  auto boxes = deriveTmaBoxes(sharedSwizzled(128, 128, 16, Swizzle::B128), 16, Swizzle::B128);
  ASSERT_TRUE(boxes);
  ASSERT_EQ(boxes->size(), 2u);
  EXPECT_EQ((*boxes)[1].shape, (Coordinate{128, 64}));
  EXPECT_EQ((*boxes)[1].origin, (Coordinate{0, 64}));
  EXPECT_EQ((*boxes)[1].byteOffset, 16384u);
}

TEST(TmaBoxes, FewRowsShareASwizzlePattern) {
  // Panels of four rows: the second one starts in the middle of the pattern, which goes by absolute address.
  LinearLayout layout = sharedSwizzled(4, 128, 16, Swizzle::B128);
  auto boxes = deriveTmaBoxes(layout, 16, Swizzle::B128);
  ASSERT_TRUE(boxes);
  EXPECT_EQ((*boxes)[1].byteOffset, 512u);
  EXPECT_TRUE(checkTmaBoxes(*boxes, layout, 16, Swizzle::B128));
}

TEST(TmaBoxes, OtherRanks) {
  auto line = deriveTmaBoxes(sharedRowMajor({1024}), 32, Swizzle::None);
  ASSERT_TRUE(line);
  ASSERT_EQ(line->size(), 4u);
  EXPECT_EQ((*line)[3].origin, (Coordinate{768}));
  EXPECT_TRUE(checkTmaBoxes(*line, sharedRowMajor({1024}), 32, Swizzle::None));
  LinearLayout cube = sharedRowMajor({4, 8, 64});
  auto one = deriveTmaBoxes(cube, 16, Swizzle::None);
  ASSERT_TRUE(one);
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ((*one)[0].shape, (Coordinate{4, 8, 64}));
  EXPECT_TRUE(checkTmaBoxes(*one, cube, 16, Swizzle::None));
}

TEST(TmaBoxes, RefusalsHaveReasons) {
  auto reason = [](const LinearLayout &layout, unsigned elementBits, Swizzle swizzle) {
    TmaFailure why = TmaFailure::None;
    EXPECT_FALSE(deriveTmaBoxes(layout, elementBits, swizzle, &why));
    EXPECT_FALSE(std::string(describe(why)).empty());
    return why;
  };
  EXPECT_EQ(reason(sharedRowMajor({64, 64}), 16, Swizzle::B128), TmaFailure::NotSwizzledSo);
  EXPECT_EQ(reason(sharedSwizzled(64, 64, 16, Swizzle::B64), 16, Swizzle::B128), TmaFailure::NotSwizzledSo);
  EXPECT_EQ(reason(sharedSwizzled(64, 4, 16, Swizzle::None), 16, Swizzle::None), TmaFailure::InnerTooSmall);
  // Every other row is shifted by a column, with wrap-around: no box does that.
  LinearLayout sheared({{"dim0", {{1, 1}, {2, 0}}}, {"dim1", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}}}},
                       {{"dim0", 2}, {"dim1", 6}});
  EXPECT_EQ(reason(sharedRowMajor({4, 64}).compose(sheared), 16, Swizzle::None), TmaFailure::NotSwizzledSo);
  EXPECT_EQ(reason(sharedSwizzled(2, 512, 8, Swizzle::None, true, 16), 8, Swizzle::None), TmaFailure::Misaligned);
  EXPECT_EQ(reason(LinearLayout({{"offset", {{1, 0}, {0, 0}}}}, {{"dim0", 1}, {"dim1", 0}}), 16, Swizzle::None),
            TmaFailure::NotBijective);
  EXPECT_EQ(reason(LinearLayout({{"offset", {{2}, {1}}}}, {{"dim0", 2}}), 16, Swizzle::None),
            TmaFailure::NoContiguousDim);
}

TEST(TmaBoxes, TheCheckSeesAMovedBox) {
  LinearLayout layout = sharedSwizzled(64, 128, 16, Swizzle::B128);
  auto boxes = *deriveTmaBoxes(layout, 16, Swizzle::B128);
  EXPECT_TRUE(checkTmaBoxes(boxes, layout, 16, Swizzle::B128));
  EXPECT_FALSE(checkTmaBoxes(boxes, layout, 16, Swizzle::B64));
  std::swap(boxes[0].byteOffset, boxes[1].byteOffset);
  EXPECT_FALSE(checkTmaBoxes(boxes, layout, 16, Swizzle::B128));
  boxes = {boxes[0]};
  EXPECT_FALSE(checkTmaBoxes(boxes, layout, 16, Swizzle::B128));
}

TEST(TmaBoxes, FindsTheModeOfATile) {
  for (Swizzle swizzle : allSwizzles)
    EXPECT_EQ(findTmaSwizzle(sharedSwizzled(64, 128, 16, swizzle), 16), swizzle);
  EXPECT_EQ(findTmaSwizzle(sharedSwizzled(64, 128, 16, Swizzle::B64, false), 16), Swizzle::B64);
  // Rows of more than a box holds: one box per piece of a row.
  EXPECT_EQ(findTmaSwizzle(sharedRowMajor({2, 512}), 16), Swizzle::None);
  EXPECT_EQ(deriveTmaBoxes(sharedRowMajor({2, 512}), 16, Swizzle::None)->size(), 4u);
  EXPECT_FALSE(findTmaSwizzle(sharedRowMajor({64, 4}), 16));
}

} // namespace
} // namespace tawa
