#include "runtime/artifact/StoreRoom.h"

#include <gtest/gtest.h>

using namespace tawa;

namespace {

constexpr int64_t kRoom = 222208;
constexpr StoreNeed kPanels{32768, 0}, kScratch{0, 65536}, kBoth{32768, 65536};

/// Queries that are loaded once, and keys of which the next ones are loaded meanwhile.
std::vector<RingWork> ringsOfAttention(int64_t queryBytes, int64_t keyBytes) {
  return {{queryBytes, /*repeats=*/false}, {keyBytes, /*repeats=*/true, /*isOuter=*/false, /*usefulSlots=*/2}};
}

bool isInSlot(const std::vector<RingWork> &rings, int64_t asked = 0, int64_t room = kRoom) {
  return chooseStoreRoom(rings, kPanels, /*mayLend=*/true, room, asked, 1).inSlot;
}

TEST(StoreRoom, PanelsAreInASlotWhereTheyLeaveRingsOnlyOne) {
  std::vector<RingWork> large = ringsOfAttention(73728, 73728);
  EXPECT_TRUE(isInSlot(large));
  EXPECT_FALSE(isInSlot(ringsOfAttention(32768, 32768))) << "two slots fit beside the panels";
  EXPECT_FALSE(isInSlot(large, 0, 200000)) << "a second slot does not fit in their place either";
  EXPECT_FALSE(chooseStoreRoom(large, kPanels, /*mayLend=*/false, kRoom, 0, 1).inSlot);
  EXPECT_FALSE(chooseStoreRoom(large, {}, /*mayLend=*/true, kRoom, 0, 1).inSlot) << "nothing is stored by TMA";
}

TEST(StoreRoom, PanelsAreInASlotWhereTheSlotsAskedForLeaveThemNoRoom) {
  std::vector<RingWork> rings = ringsOfAttention(73728, 73728);
  EXPECT_TRUE(isInSlot(rings, 2));
  EXPECT_FALSE(isInSlot(rings, 1));
  EXPECT_FALSE(isInSlot(rings, 3)) << "these do not fit at all";
}

TEST(StoreRoom, ASlotIsLentThatIsLargeEnoughAndTheOnlyOneOfItsRing) {
  EXPECT_FALSE(isInSlot(ringsOfAttention(16384, 102400))) << "the slot is too small";
  EXPECT_TRUE(isInSlot({{65536, true, true}, {65536, true, false, 2}})) << "one for each round of the outer loop";
  EXPECT_FALSE(isInSlot({{106496, true, false, 2}})) << "the producer fills the other one meanwhile";
}

TEST(StoreRoom, ThreadsExchangeElementsWhereTwoSlotsFitBesideTheScratch) {
  std::vector<RingWork> large = ringsOfAttention(73728, 73728), small = ringsOfAttention(32768, 32768);
  StoreRoom narrow = chooseStoreRoom(large, kScratch, /*mayLend=*/true, kRoom, 0, 1);
  EXPECT_FALSE(narrow.exchanges);
  EXPECT_EQ(narrow.bytes, 0);
  StoreRoom wide = chooseStoreRoom(small, kScratch, /*mayLend=*/true, kRoom, 0, 1);
  EXPECT_TRUE(wide.exchanges);
  EXPECT_EQ(wide.bytes, kScratch.scratchBytes);
}

TEST(StoreRoom, LendsASlotBeforeItGivesUpTheExchange) {
  StoreRoom lent = chooseStoreRoom(ringsOfAttention(65536, 40960), kBoth, /*mayLend=*/true, kRoom, 0, 1);
  EXPECT_TRUE(lent.inSlot && lent.exchanges);
  StoreRoom least = chooseStoreRoom(ringsOfAttention(73728, 73728), kBoth, /*mayLend=*/true, kRoom, 0, 1);
  EXPECT_TRUE(least.inSlot && !least.exchanges);
  StoreRoom all = chooseStoreRoom(ringsOfAttention(73728, 163840), kBoth, /*mayLend=*/true, kRoom, 0, 1);
  EXPECT_EQ(all.bytes, kBoth.stagingBytes + kBoth.scratchBytes) << "one slot in any case";
}

} // namespace
