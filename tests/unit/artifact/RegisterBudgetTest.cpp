// Every register question has a margin, and its answers respect it.
#include "runtime/artifact/RegisterBudget.h"

#include "gtest/gtest.h"

using namespace tawa;

TEST(RegisterBudget, TilesFitUpToTheMargin) {
  for (int question = 0; question <= static_cast<int>(RegisterQuestion::ResidentCtas); ++question) {
    auto asked = static_cast<RegisterQuestion>(question);
    EXPECT_GT(registerMargin(asked), 0) << question;
    EXPECT_TRUE(fitsRegisters(asked, 240 - registerMargin(asked), 240)) << question;
    EXPECT_FALSE(fitsRegisters(asked, 241 - registerMargin(asked), 240)) << question;
  }
}
