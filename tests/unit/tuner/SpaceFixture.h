// A search space over a made-up kernel, for tests of its rules and of its enumeration.
#pragma once

#include "runtime/tuner/space/SearchSpace.h"

#include "tests/unit/tuner/Summaries.h"

#include "gtest/gtest.h"

#include <atomic>
#include <span>

namespace tawa::test {

/// A kernel with tile parameters M and N, and blocks of 64 along the third direction.
class Space : public testing::Test {
protected:
  Space() {
    input.tileParameters = {{"N", {128, 256}}, {"M", {64, 128, 256}}};
    input.hardware = h200();
    input.arguments = arguments;
    input.grid = {64, 32, 1};
    input.summarize = [this](const KernelConfig &config) -> Result<WorkSummary> {
      ++questions;
      return answer(config);
    };
  }

  virtual Result<WorkSummary> answer(const KernelConfig &config) {
    WorkSummary summary = product(config.tile.at("M"), config.tile.at("N"), 64);
    summary.config = config;
    summary.uniformTileWork = areEqual;
    return summary;
  }

  Candidate judge(const std::string &text) {
    Result<KernelConfig> config = KernelConfig::parse(text);
    EXPECT_TRUE(config.isOk()) << config.status().message();
    // parse() itself refuses P > D; the search gets there by its axes.
    Result<SearchSpace> space = judgeConfigs(input, std::span(&*config, 1));
    EXPECT_TRUE(space.isOk()) << space.status().message();
    return space->candidates.at(0);
  }
  std::string reasonOf(const std::string &text) {
    Candidate candidate = judge(text);
    return std::string(refusalName(candidate.refusal)) + ": " + candidate.reason;
  }

  std::vector<ArgumentValue> arguments = productArguments(8192, 8192, 4096);
  SpaceInput input;
  bool areEqual = false; ///< Known to the launch as equally long tiles.
  std::atomic<int> questions{0};
};

} // namespace tawa::test
