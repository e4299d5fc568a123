// D=0: the compiler determines the number of slots of a kernel's rings.
#include "compiler/pipeline/Compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

using namespace tawa;

static Result<CompileOutput> lower(const char *kernel, std::string_view config) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + kernel);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  CompileInput input;
  input.text = text;
  input.name = kernel;
  input.config = *KernelConfig::parse(config);
  input.emit = EmitStage::Sm90;
  return compileKernel(input);
}

static uint32_t deepestRing(const KernelArtifact &artifact) {
  uint32_t depth = 0;
  for (const KernelReport::Ring &ring : artifact.report.rings)
    depth = std::max(depth, ring.depth);
  return depth;
}

TEST(Depth, LeftOpenIsWhatFits) {
  auto plain = lower("gemm_tma.mlir", "");
  ASSERT_TRUE(plain) << plain.status().message();
  EXPECT_EQ(deepestRing(plain->artifact), 4u);
  EXPECT_EQ(plain->artifact.config.ringDepth, 4);

  auto stored = lower("gemm/bias_gelu_residual.mlir", "");
  ASSERT_TRUE(stored) << stored.status().message();
  EXPECT_EQ(deepestRing(stored->artifact), 2u) << "the end of the kernel needs the bytes of the others";
}

TEST(Depth, CtasBesideEachOtherHaveAPartEach) {
  constexpr const char *kTile = "BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 consumers=1";
  for (auto [ctas, depth, registers] : {std::tuple{1, 4, 255}, {2, 2, 128}}) {
    auto output = lower("gemm_param.mlir", kTile + (" ctas=" + std::to_string(ctas)));
    ASSERT_TRUE(output) << output.status().message();
    EXPECT_EQ(output->artifact.report.declined, "");
    EXPECT_EQ(output->artifact.config.ringDepth, depth) << ctas;
    std::string entry = "entry_registers = " + std::to_string(registers);
    EXPECT_NE(output->text.find(entry), std::string::npos) << ctas;
  }
}

TEST(Depth, WhatOnlyTheMachineKnowsTakesSlotsToo) {
  constexpr const char *kTransposed = "gemm/tf32_outer.mlir"; // both operands are copied, K innermost
  auto given = lower(kTransposed, "D=4");
  ASSERT_FALSE(given);
  EXPECT_NE(given.status().message().find("bytes of shared memory"), std::string::npos) << given.status().message();
  auto open = lower(kTransposed, "");
  ASSERT_TRUE(open) << open.status().message();
  EXPECT_EQ(open->artifact.report.declined, "");
  EXPECT_GT(open->artifact.config.ringDepth, 0);
  EXPECT_LT(open->artifact.config.ringDepth, 4);
  EXPECT_EQ(open->artifact.config.ringDepth, static_cast<int>(deepestRing(open->artifact)));
}

TEST(Depth, ADepthThatFitsNowhereLeavesOneRole) {
  auto output = lower("gemm/tf32_outer.mlir", "P=4");
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_NE(output->artifact.report.declined.find("a smaller P"), std::string::npos)
      << output->artifact.report.declined;
  EXPECT_EQ(output->artifact.config.ringDepth, 0);
}
