#include "tests/unit/planner/AffinizeTestSupport.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace tawa {

ArgumentFacts tensor(ElementType type, std::vector<int64_t> shape, std::vector<int64_t> strides) {
  ArgumentFacts facts;
  facts.kind = LogicalArgument::Kind::Tensor;
  facts.elementType = type;
  facts.shape = std::move(shape);
  facts.strides = std::move(strides);
  return facts;
}

ArgumentFacts integer(int64_t value) {
  ArgumentFacts facts;
  facts.kind = LogicalArgument::Kind::Constant;
  facts.value = value;
  return facts;
}

ArgumentFacts real() {
  ArgumentFacts facts;
  facts.elementType = ElementType::F32;
  return facts;
}

std::string kernelText(const std::string &name) {
  std::ifstream stream(std::string(TAWA_TEST_KERNELS) + "/" + name + ".mlir");
  EXPECT_TRUE(stream) << name;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<ArgumentFacts> gemmArguments(int64_t m, int64_t n, int64_t k) {
  return {tensor(ElementType::F16, {m, k}),
          tensor(ElementType::F16, {n, k}),
          tensor(ElementType::F16, {m, n}),
          integer(m),
          integer(n),
          integer(k)};
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
