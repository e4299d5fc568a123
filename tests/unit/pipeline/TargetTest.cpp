// A compile keeps to the limits of the GPU that it is for, and says in the artifact which one that was.
#include "compiler/pipeline/Compiler.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace tawa;

static Result<CompileOutput> compileFor(const Target &gpu, const char *kernel, std::string_view config = "") {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + kernel);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  CompileInput input;
  input.text = text;
  input.name = kernel;
  input.config = *KernelConfig::parse(config);
  input.gpu = gpu;
  return compileKernel(input);
}

/// The default with one limit changed.
static Target changed(int64_t Target::*limit, int64_t value) {
  Target gpu = defaultTarget();
  gpu.*limit = value;
  return gpu;
}

TEST(TargetOfACompile, RingsAreAsDeepAsItsSharedMemoryAllows) {
  auto whole = compileFor(defaultTarget(), "gemm_tma.mlir");
  ASSERT_TRUE(whole) << whole.status().message();
  Target small = changed(&Target::sharedPerBlock, int64_t(128) * 1024);
  auto less = compileFor(small, "gemm_tma.mlir");
  ASSERT_TRUE(less) << less.status().message();
  EXPECT_LT(less->artifact.config.ringDepth, whole->artifact.config.ringDepth);
  EXPECT_LE(less->artifact.launch.sharedBytes, small.sharedPerBlock);
  EXPECT_GT(whole->artifact.launch.sharedBytes, small.sharedPerBlock);
}

TEST(TargetOfACompile, WhatDoesNotFitItSaysItsLimit) {
  auto refused = compileFor(changed(&Target::sharedPerBlock, int64_t(128) * 1024), "gemm_tma.mlir", "D=4");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.status().message().find("a CTA has 131072"), std::string::npos) << refused.status().message();
}

TEST(TargetOfACompile, RolesShareItsRegisters) {
  auto whole = compileFor(defaultTarget(), "gemm_param.mlir", "BLOCK_N=128");
  Target small = changed(&Target::registersPerMultiprocessor, 49152);
  auto half = compileFor(small, "gemm_param.mlir", "BLOCK_N=128");
  ASSERT_TRUE(whole) << whole.status().message();
  ASSERT_TRUE(half) << half.status().message();
  auto refused = compileFor(small, "gemm_tma.mlir");
  ASSERT_FALSE(refused) << "128 sums of 128 registers";
  EXPECT_NE(refused.status().message().find("begins with 128 registers"), std::string::npos);
  EXPECT_LT(half->artifact.launch.registersPerThread, whole->artifact.launch.registersPerThread);
  EXPECT_LE(half->artifact.launch.registersPerThread * half->artifact.launch.threads, 49152u);
}

TEST(TargetOfACompile, ResidentCtasAreAskedForByItsThreads) {
  auto ptx = [](const Target &gpu) {
    auto output = compileFor(gpu, "vec_add.mlir", "warps=4");
    EXPECT_TRUE(output) << output.status().message();
    return output ? output->artifact.code : std::string();
  };
  EXPECT_NE(ptx(defaultTarget()).find(".minnctapersm 16"), std::string::npos);
  EXPECT_NE(ptx(changed(&Target::threadsPerMultiprocessor, 1024)).find(".minnctapersm 8"), std::string::npos);
}

TEST(TargetOfACompile, TheArtifactNamesIt) {
  Target gpu = changed(&Target::l2, int64_t(30) << 20);
  auto output = compileFor(gpu, "gemm_tma.mlir");
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_EQ(output->artifact.gpu, gpu.str());
  auto byDefault = compileFor(defaultTarget(), "gemm_tma.mlir");
  ASSERT_TRUE(byDefault) << byDefault.status().message();
  EXPECT_NE(output->artifact.contentHash, byDefault->artifact.contentHash);
}

TEST(TargetOfACompile, WithoutTmaRowsOfDescriptorsAreReliedOn) {
  Target gpu = defaultTarget();
  gpu.architecture = "sm_80";
  auto output = compileFor(gpu, "gemm_tma.mlir");
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_TRUE(output->artifact.tensorMaps.empty());
  EXPECT_EQ(output->artifact.arguments[0].strideDivisor, 8u);
  EXPECT_EQ(output->artifact.arguments[0].alignment, 16u);
}

TEST(TargetOfACompile, RowsOfDescriptorsAreReliedOnWhereThreadsReadThem) {
  auto output = compileFor(defaultTarget(), "gemm/bias_gelu_residual.mlir", "BLOCK_M=128 BLOCK_N=128 D=2");
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_EQ(output->artifact.arguments[0].columnDivisor, 0u) << "TMA reads it";
  EXPECT_EQ(output->artifact.arguments[4].strideDivisor, 8u);
  EXPECT_EQ(output->artifact.arguments[4].columnDivisor, 8u);
}

TEST(TargetOfACompile, CodeThatNobodyMakesIsRefusedByTheNameOfTheDescription) {
  Target gpu = defaultTarget();
  gpu.architecture = "sm_75";
  gpu.description = "t4";
  auto refused = compileFor(gpu, "gemm_tma.mlir");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.status().code(), StatusCode::TargetMismatch);
  EXPECT_NE(refused.status().message().find("'t4' is of architecture sm_75"), std::string::npos);
}
