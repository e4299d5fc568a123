#include "runtime/store/Key.h"

#include <gtest/gtest.h>

using namespace tawa::store;

TEST(Key, TextIsCanonical) {
  Key key(KeyKind::Compile, 3);
  key.field("target", "ptx").field("depth", 4).block("text", "a\nb");
  EXPECT_EQ(key.text(), "tawa compile 3\ntarget ptx\ndepth 4\nblock text 3\na\nb\n");
  EXPECT_EQ(key.hash().size(), 32u);
}

TEST(Key, KindsAndVersionsNeverMeet) {
  EXPECT_NE(Key(KeyKind::Compile, 1).hash(), Key(KeyKind::Tune, 1).hash());
  EXPECT_NE(Key(KeyKind::Compile, 1).hash(), Key(KeyKind::Compile, 2).hash());
}

/// A value cannot pretend to be another field.
TEST(Key, LineBreaksInValuesAreEscaped) {
  Key two(KeyKind::Tune, 1), one(KeyKind::Tune, 1);
  two.field("a", "1").field("b", "2");
  one.field("a", "1\nb 2");
  EXPECT_NE(two.text(), one.text());
  Key backslash(KeyKind::Tune, 1), newline(KeyKind::Tune, 1);
  backslash.field("a", "\\n");
  newline.field("a", "\n");
  EXPECT_NE(backslash.text(), newline.text());
}

TEST(Key, FieldsComeBackWithBlocksAsSizeAndHash) {
  Key key(KeyKind::Compile, 1);
  key.field("a", "x y").block("text", "line\nblock c 9\n");
  std::vector<KeyField> fields = fieldsOf(key.text());
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[1], (KeyField{"a", "x y"}));
  EXPECT_EQ(fields[2].name, "text");
  EXPECT_EQ(fields[2].value.rfind("15 bytes, ", 0), 0u);
}

TEST(Key, HasSeveralBlocks) {
  Key one(KeyKind::Plan, 1), other(KeyKind::Plan, 1);
  one.block("machine", "ab").block("text", "c");
  other.block("machine", "a").block("text", "bc");
  EXPECT_NE(one.text(), other.text());
  std::vector<KeyField> fields = fieldsOf(one.text());
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0], (KeyField{"tawa", "plan 1"}));
  EXPECT_EQ(fields[1].value.rfind("2 bytes, ", 0), 0u);
  EXPECT_EQ(fields[2].name, "text");
  EXPECT_EQ(differences(one.text(), other.text()).size(), 2u);
}

TEST(Key, DifferencesNameTheField) {
  Key one(KeyKind::Compile, 1), other(KeyKind::Compile, 1);
  one.field("same", "s").field("config", "D=4").field("mine", "m").block("text", "abc");
  other.field("same", "s").field("config", "D=3").field("theirs", "t").block("text", "abc");
  std::vector<KeyDifference> found = differences(one.text(), other.text());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "config");
  EXPECT_EQ(found[0].here, "D=4");
  EXPECT_EQ(found[0].there, "D=3");
  EXPECT_EQ(found[1].name, "mine");
  EXPECT_EQ(found[2].name, "theirs");
}
