// The tile sizes that a search may try of a text without parameters.
#include "compiler/pipeline/Compiler.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace tawa {
namespace {

using Sizes = std::vector<int64_t>;

/// Of a text in tests/kernels; none for a dimension that cannot be changed.
Sizes sizesOf(const std::string &kernel, const std::string &name) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + kernel);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Result<KernelSignature> signature = readSignature(text, kernel);
  EXPECT_TRUE(signature.isOk()) << signature.status().message();
  if (signature)
    for (const auto &[parameter, values] : signature->tileParameters)
      if (parameter == name)
        return values;
  return {};
}

// Nothing masks K: the launch says whether a step fits. Rows of bytes are as long as 256 of them.
TEST(TileSizes, StepsOfBytesAreAsLongAsThoseOfHalves) {
  EXPECT_EQ(sizesOf("framework/gemm_w8a16.mlir", "BLOCK_K"), (Sizes{64, 32, 128, 256}));
}

// One scale for 128 numbers, of which eight share a word: steps are found before words are loaded once.
TEST(TileSizes, StepsDivideGroupsOfScales) {
  EXPECT_EQ(sizesOf("framework/gemm_w4a16_packed_k.mlir", "BLOCK_K"), (Sizes{64, 32, 128}));
}

// A table says which expert a block of rows belongs to, and nothing of columns. Nothing masks those: the launch says
// which of these fit, as with 14336 columns, of which 256 and 224 make whole tiles.
TEST(TileSizes, ATableOfRowsLeavesColumnsFree) {
  EXPECT_EQ(sizesOf("framework/moe_experts.mlir", "BLOCK_N"),
            (Sizes{128, 64, 256, 48, 80, 96, 112, 144, 160, 176, 192, 208, 224, 240}));
  EXPECT_EQ(sizesOf("framework/moe_experts.mlir", "BLOCK_M"), Sizes());
}

} // namespace
} // namespace tawa
