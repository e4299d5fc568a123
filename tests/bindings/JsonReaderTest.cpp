#include "bindings/cli/JsonReader.h"

#include <gtest/gtest.h>

using namespace tawa::cli;

namespace {
std::string problemOf(std::string_view text) {
  JsonValue value;
  std::string problem;
  return readJson(text, value, problem) ? "" : problem;
}
} // namespace

TEST(JsonReader, ReadsEveryKindOfValue) {
  JsonValue value;
  std::string problem;
  ASSERT_TRUE(readJson(R"( {"a": [1, -2.5e3, true, false, null], "b": {"c": "x\n\u00e9\"\\"}, "d": {}, "e": []} )",
                       value, problem))
      << problem;
  const JsonValue::Array &list = *value.member("a")->array();
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(std::get<double>(list[1].value), -2500);
  EXPECT_EQ(std::get<bool>(list[2].value), true);
  EXPECT_EQ(*value.member("b")->member("c")->text(), "x\n\xc3\xa9\"\\");
  EXPECT_TRUE(value.member("d")->object()->empty());
  EXPECT_TRUE(value.member("e")->array()->empty());
  EXPECT_EQ(value.member("f"), nullptr);
  EXPECT_EQ(list[0].member("a"), nullptr);
}

TEST(JsonReader, SaysWhereAMistakeIs) {
  EXPECT_EQ(problemOf("{\"a\": 1,\n \"b\" 2}"), "2:6: expected ':'");
  EXPECT_EQ(problemOf("[1, 2"), "1:6: expected ',' or ']'");
  EXPECT_EQ(problemOf("{} {}"), "1:4: something follows");
  for (const char *wrong :
       {"", "{", "[1,]", "{\"a\":}", "{a:1}", "\"open", "\"\\q\"", "\"\\u12\"", "tru", "\"\n\"", "nul"})
    EXPECT_NE(problemOf(wrong), "") << wrong;
}

TEST(JsonReader, DepthHasALimit) {
  EXPECT_EQ(problemOf(std::string(40, '[') + std::string(40, ']')), "");
  EXPECT_NE(problemOf(std::string(100000, '[')), "");
}
