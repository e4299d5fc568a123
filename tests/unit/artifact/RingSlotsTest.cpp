#include "runtime/artifact/RingSlots.h"

#include <gtest/gtest.h>

using namespace tawa;

namespace {

constexpr int64_t kRoom = 230000, kAmple = 400000;

TEST(RingSlots, AsManyAsFitAndNoMoreThanFour) {
  std::vector<RingWork> small = {{8192, true}}, large = {{100000, true}};
  EXPECT_EQ(slotCounts(small, kRoom, 0, 1).slots, kMostSlots);
  EXPECT_EQ(slotCounts(large, kRoom, 0, 1).slots, 2);
  EXPECT_EQ(slotCounts(small, kRoom, 0, 6).slots, 6) << "six dots in flight read six slots";
  EXPECT_EQ(slotCounts(large, kRoom, 0, 3).slots, 2) << "fewer than asked for: they do not fit";
}

TEST(RingSlots, NoMoreThanTheLoopThatWantsMostHasAUseFor) {
  std::vector<RingWork> rings = {{8192, true, false, 2}, {8192, true, false, 3}};
  EXPECT_EQ(slotCounts(rings, kRoom, 0, 1).slots, 3);
  rings.push_back({8192, true, /*isOuter=*/true, 4}); // of no matter: filled too seldom
  EXPECT_EQ(slotCounts(rings, kRoom, 0, 1).slots, 3);
  rings.push_back({8192, /*repeats=*/false, false, 4}); // likewise
  EXPECT_EQ(slotCounts(rings, kRoom, 0, 1).slots, 3);
}

TEST(RingSlots, OuterRingsHaveOneSlotWhereTheOthersGetMoreByThat) {
  std::vector<RingWork> rings = {{60000, true, true}, {40000, true}};
  SlotCounts apart = slotCounts(rings, kRoom, 0, 1);
  EXPECT_TRUE(apart.outerHaveOneSlot);
  EXPECT_EQ(apart.slots, 4);
  SlotCounts together = slotCounts(rings, kAmple, 0, 1);
  EXPECT_FALSE(together.outerHaveOneSlot);
  EXPECT_EQ(together.slots, 4);
}

TEST(RingSlots, WhatIsFoundAskedForGivesTheSame) {
  std::vector<RingWork> rings = {{60000, true, true}, {40000, true}};
  for (int64_t room : {kRoom, kAmple}) {
    SlotCounts found = slotCounts(rings, room, 0, 1), asked = slotCounts(rings, room, found.slots, 1);
    EXPECT_EQ(asked.slots, found.slots);
    EXPECT_EQ(asked.outerHaveOneSlot, found.outerHaveOneSlot);
  }
  EXPECT_FALSE(slotCounts(rings, kRoom, 2, 1).outerHaveOneSlot) << "two of both fit";
  EXPECT_EQ(slotCounts(rings, kRoom, 9, 1).slots, 9) << "what does not fit is refused where every byte is known";
}

TEST(RingSlots, TransposedTilesNeedRoomToo) {
  std::vector<RingWork> rings = {{50000, true, false, kMostSlots, /*transposedBytes=*/50000}};
  EXPECT_EQ(slotCounts(rings, kRoom, 0, 1).slots, 2);
  EXPECT_EQ(ringBytes(rings, true).inner, 100000);
  EXPECT_EQ(ringBytes(rings, false).inner, 50000);
  EXPECT_EQ(ringBytes(rings, false).once, 50000);
}

TEST(RingSlots, PartsOfSumsHaveBuffersOfTheirOwnWhereThereIsRoom) {
  std::vector<RingWork> rings = {{32768, true}};
  ExchangeFit fit = fitExchange(rings, {16384, /*rounds=*/2, /*mayUseRings=*/true}, kRoom, 0, 1);
  EXPECT_FALSE(fit.usesRings);
  EXPECT_EQ(fit.besideBytes, 2 * 16384);
  EXPECT_EQ(fit.slots.slots, kMostSlots);
}

TEST(RingSlots, ElseTheyLieInTheSlots) {
  std::vector<RingWork> rings = {{49152, true}};
  SumExchange sums{131072, /*rounds=*/2, /*mayUseRings=*/true};
  ExchangeFit fit = fitExchange(rings, sums, kRoom, 0, 1);
  EXPECT_TRUE(fit.usesRings);
  EXPECT_EQ(fit.besideBytes, 0);
  EXPECT_EQ(fit.slots.slots, 4) << "as without a sum";
  EXPECT_FALSE(fitExchange(rings, sums, kRoom, 2, 1).usesRings) << "two slots are smaller than a part";
  sums.mayUseRings = false;
  EXPECT_FALSE(fitExchange(rings, sums, kRoom, 3, 1).usesRings);
  EXPECT_EQ(fitExchange(rings, sums, kAmple, 0, 1).slots.slots, 2) << "and the slots get what is left";
}

TEST(RingSlots, OnlySlotsThatLoadsFillInTheLoopHoldSums) {
  EXPECT_TRUE(canHoldSums(std::vector<RingWork>{{1024, true}, {2048, true}}));
  EXPECT_FALSE(canHoldSums({})) << "of one role";
  EXPECT_FALSE(canHoldSums(std::vector<RingWork>{{1024, true}, {2048, /*repeats=*/false}}));
  EXPECT_FALSE(canHoldSums(std::vector<RingWork>{{1024, true, /*isOuter=*/true}}));
  EXPECT_FALSE(canHoldSums(std::vector<RingWork>{{1024, true, false, kMostSlots, /*transposedBytes=*/1024}}));
}

TEST(RingSlots, OneRoleLeavesRoomForASecondCta) {
  OwnSlots room = {/*slotBytes=*/32768, /*otherBytes=*/kSmallBuffers, /*sharedBytes=*/232448};
  EXPECT_EQ(countOwnSlots(room, 0, 1), 3);
  EXPECT_EQ(countOwnSlots(room, 6, 1), 6) << "unless more are asked for";
  room.slotBytes = 65536;
  EXPECT_EQ(countOwnSlots(room, 0, 1), 2) << "or two do not";
  EXPECT_EQ(countOwnSlots(room, 4, 1), 3) << "as many as fit";
  EXPECT_EQ(countOwnSlots(room, 1, 1), 0);
  room.slotBytes = 131072;
  EXPECT_EQ(countOwnSlots(room, 0, 1), 0);
}

TEST(RingSlots, ProductsInFlightHoldTheirSlots) {
  OwnSlots room = {/*slotBytes=*/49152, /*otherBytes=*/kSmallBuffers, /*sharedBytes=*/232448};
  EXPECT_EQ(countOwnSlots(room, 0, 1), 2);
  EXPECT_EQ(countOwnSlots(room, 0, 2), 3) << "one is loaded beside two in flight";
  EXPECT_EQ(countOwnSlots(room, 2, 2), 2) << "what is asked for stays";
  EXPECT_EQ(countOwnSlots(room, 2, 3), 0);
  room.slotBytes = 98304;
  EXPECT_EQ(countOwnSlots(room, 0, 2), 2) << "three do not fit";
}

TEST(RingSlots, ALoopOverTilesFillsEveryRingAgain) {
  std::vector<RingWork> rings = {{1024, false}, {2048, true}}, alone = {{1024, false}};
  EXPECT_EQ(ringsInTileLoop(rings), (std::vector<RingWork>{{1024, true, true}, {2048, true}}));
  EXPECT_EQ(ringsInTileLoop(alone), (std::vector<RingWork>{{1024, true, false}})) << "around no other";
}

} // namespace
