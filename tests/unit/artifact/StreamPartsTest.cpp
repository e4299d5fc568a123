// Into how many parts the sums of a launch's last tiles are cut.
#include "runtime/artifact/StreamParts.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

TEST(StreamParts, GiveEveryCtaOneUnitOrAnOddNumberTwo) {
  EXPECT_EQ(streamParts(32, 132, 512), 4u);
  EXPECT_EQ(streamParts(24, 132, 512), 5u);
  EXPECT_EQ(streamParts(53, 132, 512), 2u);  // 104 of 132 CTAs
  EXPECT_EQ(streamParts(50, 132, 512), 5u);  // 250 units in two rounds
  EXPECT_EQ(streamParts(128, 132, 512), 1u); // nothing to share
}

TEST(StreamParts, AreAtMostAsManyAsIterations) {
  EXPECT_EQ(streamParts(1, 132, 3), 3u);
  EXPECT_EQ(streamParts(1, 132, 0), 1u);
}

TEST(StreamParts, AreMoreThanAFewOnlyWhereTheyAreLong) {
  EXPECT_EQ(streamParts(5, 132, 128), kFewParts);
  EXPECT_EQ(streamParts(5, 132, 13 * kLongPart), 13u);
  EXPECT_EQ(streamParts(5, 132, 1000 * kLongPart), 26u); // all CTAs have a unit
  EXPECT_EQ(streamParts(1, 132, 1000 * kLongPart), kMostParts);
}

TEST(StreamParts, AreAddedUpByAllCtasWhereTheyAreManyOrLarge) {
  EXPECT_EQ(mostPartsOfOneReader(128 * 256 * 4), kFewParts);
  EXPECT_EQ(mostPartsOfOneReader(64 * 64 * 4), 32u);
  EXPECT_GE(mostPartsOfOneReader(32 * 64 * 4), kMostParts);
}

TEST(StreamParts, AreReadTogetherWhereRegistersHoldThem) {
  EXPECT_EQ(partsAtOnce(8), 8u);
  EXPECT_EQ(partsAtOnce(40), 3u);
  EXPECT_EQ(partsAtOnce(128), 1u); // as many as the sums have themselves
}

} // namespace
} // namespace tawa
