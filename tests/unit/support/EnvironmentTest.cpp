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

TEST(Environment, NamesTypingErrors) {
  Scoped wrong("TAWA_DEVICES", "cuda:0");
  Scoped right("TAWA_DEVICE", "cuda:0");
  auto unknown = env::unknownNames();
  EXPECT_EQ(std::count(unknown.begin(), unknown.end(), "TAWA_DEVICES"), 1);
  EXPECT_EQ(std::count(unknown.begin(), unknown.end(), "TAWA_DEVICE"), 0);
}
