#include "runtime/support/Log.h"

#include <gtest/gtest.h>
#include <vector>

using namespace tawa;

TEST(Log, DropsWhatNobodyWantsWithoutMakingIt) {
  std::vector<std::string> lines;
  Logger log(LogLevel::Warning, [&](LogLevel, const std::string &line) { lines.push_back(line); });
  bool made = false;
  log.info([&] {
    made = true;
    return std::string("unwanted");
  });
  log.warning([] { return std::string("wanted"); });
  EXPECT_FALSE(made);
  EXPECT_EQ(lines, std::vector<std::string>{"wanted"});
}

TEST(Log, ReadsItsLevelFromTheEnvironment) {
  setenv("TAWA_LOG", "debug", 1);
  EXPECT_EQ(logLevelFromEnvironment(), LogLevel::Debug);
  setenv("TAWA_LOG", "nonsense", 1);
  EXPECT_EQ(logLevelFromEnvironment(), LogLevel::Warning);
  unsetenv("TAWA_LOG");
  EXPECT_EQ(logLevelFromEnvironment(), LogLevel::Warning);
}
