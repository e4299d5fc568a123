// A text that walks its tiles itself becomes the kernel of one that names a tile.
#include "compiler/pipeline/Compiler.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace tawa {
namespace {

/// How often each instruction stands in the PTX of a kernel.
std::map<std::string, int> instructionsOf(const std::string &kernel, const std::string &config) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + kernel + ".mlir");
  std::stringstream source;
  source << file.rdbuf();
  std::string text = source.str();
  CompileInput input;
  input.text = text;
  input.name = kernel + ".mlir";
  input.config = *KernelConfig::parse(config);
  Result<CompileOutput> output = compileKernel(input);
  EXPECT_TRUE(output.isOk()) << output.status().message();
  std::map<std::string, int> counts;
  if (output)
    for (std::istringstream lines(output->text); std::getline(lines, text);) {
      std::istringstream words(text);
      std::string word;
      words >> word;
      if (word.starts_with("@")) // a predicate
        words >> word;
      bool isInstruction = !word.empty() && std::islower(static_cast<unsigned char>(word.front()));
      counts[word] += isInstruction;
    }
  return counts;
}

TEST(WrittenTileLoop, IsTheGridOfOtherTexts) {
  for (const char *config : {"D=4 P=2", "D=4 persistent=1", "D=4 persistent=1 raster=16", "D=3 persistent=1 stream=1",
                             "D=3 persistent=1 cluster=2", "D=3 persistent=1 dynamic=1", "D=3 split=2"}) {
    std::map<std::string, int> written = instructionsOf("gemm_persistent", config);
    EXPECT_GT(written["mul.lo.s32"], 0);
    EXPECT_EQ(written, instructionsOf("gemm_tma", config)) << config;
  }
}

} // namespace
} // namespace tawa
