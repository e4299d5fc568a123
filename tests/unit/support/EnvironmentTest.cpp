#include "runtime/support/Environment.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

using namespace tawa;

namespace {
/// A variable set for the length of a test.
struct Scoped {
  Scoped(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
  ~Scoped() { unsetenv(name); }
  const char *name;
};
} // namespace

TEST(Environment, EveryNameIsOursOnceAndExplained) {
  std::set<std::string> names;
  for (const env::Entry &entry : env::table()) {
    EXPECT_EQ(std::string(entry.name).rfind("TAWA_", 0), 0u) << entry.name;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_STRNE(entry.help, "");
  }
}

TEST(Environment, EmptyCountsAsUnset) {
  Scoped empty("TAWA_DEVICE", "");
  EXPECT_FALSE(env::get(env::Variable::Device));
}

TEST(Environment, FlagTakesTheUsualWords) {
  for (const char *on : {"1", "true", "on", "yes"}) {
    Scoped value("TAWA_EMU_RACES", on);
    EXPECT_TRUE(env::flag(env::Variable::EmuRaces, false)) << on;
  }
  for (const char *off : {"0", "false", "off", "no"}) {
    Scoped value("TAWA_EMU_RACES", off);
    EXPECT_FALSE(env::flag(env::Variable::EmuRaces, true)) << off;
  }
  Scoped neither("TAWA_EMU_RACES", "maybe");
  EXPECT_TRUE(env::flag(env::Variable::EmuRaces, true));
  EXPECT_FALSE(env::flag(env::Variable::EmuRaces, false));
}

TEST(Environment, ReadsSizesOfPeople) {
  EXPECT_EQ(env::parseBytes("4096"), 4096u);
  EXPECT_EQ(env::parseBytes("64M"), uint64_t{64} << 20);
  EXPECT_EQ(env::parseBytes("4G"), uint64_t{4} << 30);
  for (const char *wrong : {"", "G", "4X", "4GB", "-1", "16E", "99999999999999G"})
    EXPECT_FALSE(env::parseBytes(wrong)) << wrong;
}

TEST(Environment, ValuesOfTheWrongFormAreNamed) {
  EXPECT_EQ(env::malformedValues(), std::vector<std::string>());
  for (auto [name, wrong] : {std::pair("TAWA_CACHE_MAX_SIZE", "abc"), std::pair("TAWA_CACHE_MAX_SIZE", "-5"),
                             std::pair("TAWA_CACHE_MAX_SIZE", "16E"), std::pair("TAWA_EMU_SMS", "0"),
                             std::pair("TAWA_EMU_SMS", "many"), std::pair("TAWA_FROZEN", "ture")}) {
    Scoped value(name, wrong);
    std::vector<std::string> complaints = env::malformedValues();
    ASSERT_EQ(complaints.size(), 1u) << name;
    EXPECT_EQ(complaints[0].find(std::string(name) + "=" + wrong + " counts as unset"), 0u) << complaints[0];
    EXPECT_NE(complaints[0].find("it wants "), std::string::npos) << complaints[0];
  }
  Scoped size("TAWA_CACHE_MAX_SIZE", "64M"), count("TAWA_EMU_SMS", "4"), frozen("TAWA_FROZEN", "on");
  EXPECT_EQ(env::malformedValues(), std::vector<std::string>());
  EXPECT_EQ(env::bytes(env::Variable::CacheMaxSize), uint64_t{64} << 20);
  EXPECT_EQ(env::count(env::Variable::EmuMultiprocessors), 4u);
}

TEST(Environment, NamesTypingErrors) {
  Scoped wrong("TAWA_DEVICES", "cuda:0");
  Scoped right("TAWA_DEVICE", "cuda:0");
  auto unknown = env::unknownNames();
  EXPECT_EQ(std::count(unknown.begin(), unknown.end(), "TAWA_DEVICES"), 1);
  EXPECT_EQ(std::count(unknown.begin(), unknown.end(), "TAWA_DEVICE"), 0);
}
