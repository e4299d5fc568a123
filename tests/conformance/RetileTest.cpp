// Every kernel of tests/kernels with a product, with other tile sizes than those of its text (tawa-retile), against the
// reference evaluator, which runs the text as it stands. Callers ask for the grid of the text's sizes in both cases.
//
// Texts with parameters become plain ones first. Sizes are random; TAWA_TEST_SEED: others.
#include "compiler/frontend/text/Directives.h"
#include "runtime/artifact/KernelConfig.h"
#include "tests/conformance/KernelList.h"
#include "tests/conformance/Program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <sstream>

namespace tawa::conformance {
namespace {

uint32_t seed() {
  const char *given = std::getenv("TAWA_TEST_SEED");
  return given ? static_cast<uint32_t>(std::strtoul(given, nullptr, 10)) : 20261123;
}

/// The text without directives, its parameters replaced by the values of the configuration, which keeps the rest.
Status makePlain(TileProgram &program) {
  Result<KernelConfig> config = KernelConfig::parse(program.config);
  if (!config)
    return config.status();
  Result<TemplateText> source = parseDirectives(program.text, program.name);
  Result<std::string> expanded = source ? expand(*source, config->tile, program.name) : source.status();
  if (!expanded)
    return expanded.status();
  std::istringstream lines(*expanded);
  program.text.clear();
  for (std::string line; std::getline(lines, line);)
    program.text += line.starts_with("// tawa.") ? "\n" : line + "\n";
  config->tile.clear();
  program.config = config->str();
  return Status::ok();
}

/// " BLOCK_M=64 BLOCK_N=128": sizes at random, at least one of them not the text's; empty where there are no others.
std::string drawSizes(const TileProgram &program, std::mt19937 &random) {
  std::string sizes;
  bool isOther = false;
  Signature signature(program.text, program.name);
  for (const tawa_parameter_info_t &parameter : signature.parameters()) {
    uint32_t index = static_cast<uint32_t>(random()) % parameter.num_values;
    index = index == 0 && !isOther ? parameter.num_values - 1 : index;
    isOther |= index != 0;
    sizes += std::string(" ") + parameter.name + "=" + std::to_string(parameter.values[index]);
  }
  return sizes;
}

/// Words of refusals that such sizes may meet: too large for the machine, or not what the sizes of the problem allow.
bool isExpected(const Error &error) {
  const std::string what = error.what();
  for (const char *words : {"bytes of shared memory", "or more consumer groups", "insufficient register resources",
                            "would not cover", "registers", "operations"})
    if (what.find(words) != std::string::npos)
      return true;
  return false;
}

class RetileTest : public testing::TestWithParam<Entry> {
protected:
  void SetUp() override {
    std::string why;
    runtime = openPlace({"emulator", "eager"}, why);
    ASSERT_TRUE(runtime) << why;
    program.name = GetParam().kernel + ".mlir";
    program.text = readKernel(GetParam().kernel);
    Status status = readLaunch(GetParam().launch, seed(), program);
    ASSERT_TRUE(status) << status.message();
    status = makePlain(program);
    ASSERT_TRUE(status) << status.message();
  }

  /// Whether it could be launched.
  bool check(Expectation &expectation, const std::string &sizes) {
    TileProgram other = program;
    other.config += sizes;
    try {
      Tally tally;
      Outputs outputs = runOn(*runtime, other, "eager");
      EXPECT_EQ(expectation.compare(outputs, tally), "") << sizes << ", seed " << seed();
      return true;
    } catch (const Error &error) {
      EXPECT_TRUE(isExpected(error)) << sizes << ": " << error.what();
      std::cout << sizes << ": " << error.what() << "\n";
      return false;
    }
  }

  std::optional<Runtime> runtime;
  TileProgram program;
};

TEST_P(RetileTest, ComputesWhatItsTextSaysInOtherTiles) {
  constexpr int kSizes = 3;
  std::mt19937 random(seed());
  std::set<std::string> all;
  for (int i = 0; i < kSizes; ++i)
    all.insert(drawSizes(program, random));
  if (all.contains(""))
    GTEST_SKIP() << "its tile sizes cannot be changed";
  Expectation expectation(program);
  ASSERT_TRUE(expectation.status()) << expectation.status().message();
  int run = 0;
  for (const std::string &sizes : all)
    run += check(expectation, sizes);
  std::cout << run << " of " << all.size() << " choices of tile sizes\n";
}

/// Every first launch of a text with a product.
std::vector<Entry> products() {
  std::vector<Entry> found;
  for (const Entry &entry : entries())
    if (entry.number == 0 && readKernel(entry.kernel).find("tt.dot ") != std::string::npos)
      found.push_back(entry);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Products, RetileTest, testing::ValuesIn(products()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace tawa::conformance
