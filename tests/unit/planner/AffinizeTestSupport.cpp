#include "tests/unit/planner/AffinizeTestSupport.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace tawa {

std::string kernelText(const std::string &name) {
  std::ifstream stream(std::string(TAWA_TEST_KERNELS) + "/" + name + ".mlir");
  EXPECT_TRUE(stream) << name;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<ArgumentFacts> gemmArguments(int64_t m, int64_t n, int64_t k) {
  return {tensorFacts(ElementType::F16, {m, k}),
          tensorFacts(ElementType::F16, {n, k}),
          tensorFacts(ElementType::F16, {m, n}),
          integerFacts(m),
          integerFacts(n),
          integerFacts(k)};
}

Result<AffineKernel> affinizeText(const std::string &text, std::vector<ArgumentFacts> arguments,
                                  std::optional<std::array<uint32_t, 3>> grid, std::map<std::string, int64_t> tile) {
  AffinizeInput input;
  input.text = text;
  input.name = "kernel.mlir";
  input.tile = std::move(tile);
  input.arguments = std::move(arguments);
  input.grid = grid;
  return affinize(input);
}

std::string describe(const Result<AffineKernel> &kernel) {
  return kernel ? kernel->program.str() : kernel.status().message();
}

} // namespace tawa
