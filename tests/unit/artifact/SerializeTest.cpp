// Serialization restores an artifact exactly, and rejects everything else.
#include "runtime/artifact/Serialize.h"
#include "runtime/artifact/ParamLayout.h"

#include <gtest/gtest.h>
#include <random>

using namespace tawa;

namespace {

/// Every field has a value of its own, so that two that change places are seen.
CompiledKernel example() {
  CompiledKernel kernel;
  KernelArtifact &artifact = kernel.artifact;
  artifact.target = TargetKind::Host;
  artifact.gpu = "sm_90a shared_per_block=1";
  artifact.entry = "entry";
  artifact.code = std::string("code\0with zero", 14);
  artifact.config.ringDepth = 7;
  artifact.config.tile = {{"BLOCK_M", 128}};
  artifact.launch.threads = 384;
  artifact.launch.sharedBytes = 1024;
  artifact.launch.cluster = {2, 1, 3};
  artifact.launch.clusterDivides = {"ceildiv(a3, 128)", "a4"};
  artifact.launch.retiled = {{"g0 * 2", "", "g2"}, {"g0 - a3"}, "g0"};
  artifact.launch.split = 3;
  artifact.launch.scratchBytes = 384;
  artifact.launch.stream = true;
  artifact.launch.workspaceBytes = 8448;
  artifact.launch.registersPerThread = 168;
  artifact.launch.walked = {true, false, true};
  artifact.launch.uniformTileWork = true;
  artifact.arguments = {{LogicalArgument::Kind::Tensor, "a", ElementType::BF16, 2, 0, 16},
                        {LogicalArgument::Kind::Constant, "k", ElementType::I64, 0, -5, 8}};
  TensorMapRecipe recipe;
  recipe.box = {64, 128};
  recipe.elementType = ElementType::BF16;
  recipe.swizzle = TensorMapRecipe::Swizzle::B128;
  recipe.fill = TensorMapRecipe::Fill::NaN;
  recipe.offset = "a1";
  recipe.shape = {"a0_shape0", "64"};
  recipe.strides = {"64", "1"};
  artifact.tensorMaps = {recipe};
  artifact.params = {makeParam(KernelParam::Source::TensorMap, 0), makeParam(KernelParam::Source::TensorShape, 0, 1)};
  artifact.paramBytes = layoutParams(artifact.params);
  artifact.gridExpression = "ceildiv(k, 64)";
  artifact.report.declined = "no loop";
  artifact.report.notApplied = {{"cluster", "nothing in common"}};
  artifact.report.roles = {{"producer", 4, 24}};
  artifact.report.rings = {{4, 32768, "tensor<128x64xbf16>"}};
  artifact.report.phases = {{"parsed", 1.25}};
  artifact.contentHash = contentHash(artifact);
  kernel.madeFor = "0123456789abcdef";
  kernel.diagnostics = {{Diagnostic::Severity::Warning, "k.mlir", 3, 9, "tt.dot", "slow"}};
  return kernel;
}

} // namespace

TEST(Serialize, EverythingComesBack) {
  CompiledKernel before = example();
  std::string bytes = serialize(before);
  Result<CompiledKernel> after = deserialize(bytes);
  ASSERT_TRUE(after) << after.status().message();
  EXPECT_EQ(serialize(*after), bytes);
  const KernelArtifact &artifact = after->artifact;
  EXPECT_EQ(contentHash(artifact), before.artifact.contentHash);
  EXPECT_EQ(artifact.target, TargetKind::Host);
  EXPECT_EQ(artifact.gpu, before.artifact.gpu);
  EXPECT_EQ(artifact.code, before.artifact.code);
  EXPECT_EQ(artifact.config, before.artifact.config);
  EXPECT_EQ(artifact.launch.walked, before.artifact.launch.walked);
  EXPECT_TRUE(artifact.launch.uniformTileWork);
  EXPECT_EQ(artifact.launch.clusterDivides, before.artifact.launch.clusterDivides);
  EXPECT_EQ(artifact.launch.retiled, before.artifact.launch.retiled);
  EXPECT_EQ(artifact.launch.split, 3u);
  EXPECT_EQ(artifact.launch.scratchBytes, 384u);
  EXPECT_TRUE(artifact.launch.stream);
  EXPECT_EQ(artifact.launch.workspaceBytes, 8448u);
  EXPECT_EQ(artifact.arguments[1].value, -5);
  EXPECT_EQ(artifact.tensorMaps[0].strides, before.artifact.tensorMaps[0].strides);
  EXPECT_EQ(artifact.report.notApplied, before.artifact.report.notApplied);
  EXPECT_EQ(artifact.report.roles[0].registers, 24u);
  EXPECT_EQ(artifact.report.rings[0].slotBytes, 32768u);
  EXPECT_EQ(artifact.report.phases[0].milliseconds, 1.25);
  EXPECT_EQ(after->madeFor, before.madeFor);
  EXPECT_EQ(after->diagnostics[0].column, 9);
  EXPECT_EQ(after->diagnostics[0].op, "tt.dot");
}

TEST(Serialize, NoPartOfItIsIt) {
  std::string bytes = serialize(example());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(deserialize(bytes.substr(0, size)).status().code(), StatusCode::CacheCorrupt) << size;
  EXPECT_FALSE(deserialize(bytes + "x"));
}

/// No change of a byte crashes; where it is still taken, what decides the kernel's behaviour is what it was.
TEST(Serialize, DamageIsRefusedOrHarmless) {
  std::string bytes = serialize(example()), hash = example().artifact.contentHash;
  std::mt19937 random(7);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int round = 0; round < 4; ++round) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
      Result<CompiledKernel> read = deserialize(damaged);
      if (read)
        EXPECT_EQ(contentHash(read->artifact), hash) << at;
    }
}

/// Counts that ask for more than there is are refused before memory is.
TEST(Serialize, HugeCountsAreRefused) {
  std::string bytes = serialize(example());
  for (size_t at = bytes.find('\n') + 1; at + 8 <= bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged.replace(at, 8, 8, '\x7f');
    static_cast<void>(deserialize(damaged));
  }
}

TEST(Serialize, AnotherVersionIsRefused) {
  std::string bytes = serialize(example());
  bytes.replace(bytes.find(" 8 for"), 2, " 7");
  EXPECT_EQ(deserialize(bytes).status().code(), StatusCode::CacheCorrupt);
}
