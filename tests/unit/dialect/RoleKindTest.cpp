// Kinds of roles have one name in the IR and in summaries and reports.
#include "compiler/roles/Tawa/Tawa.h"

#include <gtest/gtest.h>

TEST(RoleKind, HasOneName) {
  for (size_t kind = 0; kind < tawa::kRoleKindNames.size(); ++kind) {
    auto inText = tawa::ws::symbolizeRoleKind(static_cast<uint32_t>(kind));
    ASSERT_TRUE(inText.has_value());
    EXPECT_EQ(tawa::ws::stringifyRoleKind(*inText).str(), tawa::roleKindName(tawa::ws::plainKind(*inText)));
  }
}

TEST(RoleKind, IsNumberedWhereThereAreSeveral) {
  EXPECT_EQ(tawa::roleName(tawa::RoleKind::Consumer, 0, 1), "consumer");
  EXPECT_EQ(tawa::roleName(tawa::RoleKind::Consumer, 1, 2), "consumer1");
}
