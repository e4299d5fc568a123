#include "runtime/support/BuildId.h"

#include <gtest/gtest.h>

TEST(BuildId, IsThatOfThisProgram) {
  std::string id = tawa::buildId();
  EXPECT_GE(id.size(), 16u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(id, tawa::buildId());
}
