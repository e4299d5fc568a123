// The model's estimate of a configuration's shared memory, compared with the compiler's result: for every kernel of the
// repository that is split into roles, and the settings that slots depend on.
#include "compiler/pipeline/Compiler.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/tuner/model/KernelNeeds.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace tawa;

namespace {

std::vector<std::string> kernelFiles() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(TAWA_TEST_KERNELS))
    if (entry.path().extension() == ".mlir")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

struct Kernel {
  explicit Kernel(const std::string &file) : name(std::filesystem::relative(file, TAWA_TEST_KERNELS)) {
    std::ifstream stream(file);
    text.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  CompileInput with(const std::string &config) const {
    CompileInput input;
    input.text = text;
    input.name = name;
    input.config = *KernelConfig::parse(config);
    return input;
  }
  std::string name, text;
};

/// Of the machine kernel, whose text says it.
int64_t sharedBytes(const CompileOutput &output) {
  constexpr std::string_view kAttribute = "sm90.shared_bytes = ";
  size_t at = output.text.find(kAttribute);
  return at == std::string::npos ? 0 : std::stoll(output.text.substr(at + kAttribute.size()));
}

/// Whether the compiler followed the settings that are asked for.
bool follows(const CompileOutput &output, std::string_view config) {
  return output.artifact.report.declined.empty() &&
         std::ranges::none_of(output.artifact.report.notApplied,
                              [&](const auto &setting) { return config.find(setting.first) != config.npos; });
}

/// Where consumers put down what they made themselves for another product, or where a tile becomes one that travels
/// by the loop over tiles around it: the question for the summary shows neither. And where threads convert operands of
/// products on mma.sync or of their own, or the sums of these, or put an operand down that they might have kept in
/// registers, which no estimate counts.
bool needsUnseenBytes(const std::string &kernel) {
  bool isOfThreads = kernel == "framework/gemm_f32_tf32x3.mlir" || kernel == "framework/gemm_f32_ieee.mlir" ||
                     kernel == "framework/gemm_mxfp4_gathered_rows.mlir" || kernel == "real/chunk_scan_dstates.mlir";
  bool isAttention = kernel.starts_with("framework/attn_") || kernel.starts_with("framework/source_attn_");
  return isOfThreads || isAttention || kernel == "attention/backward.mlir";
}

class Slots : public testing::TestWithParam<const char *> {};

} // namespace

TEST_P(Slots, AreThoseOfTheCompiledKernel) {
  HardwareDescription h200 = *HardwareCatalogue::open("")->find("h200");
  int compared = 0;
  for (const std::string &file : kernelFiles()) {
    Kernel kernel(file);
    CompileInput input = kernel.with(GetParam());
    input.emit = EmitStage::Sm90;
    Result<WorkSummary> asked = summarizeKernel(kernel.with("D=1 P=1"));
    if (!asked || !asked->declined.empty())
      continue;
    Result<CompileOutput> made = compileKernel(input);
    if (!made || !follows(*made, GetParam()))
      continue;
    SharedNeed need = sharedNeed(*asked, input.config, h200);
    EXPECT_EQ(need.slots, made->artifact.config.ringDepth) << kernel.name;
    if (!needsUnseenBytes(kernel.name))
      EXPECT_GE(need.bytes(), sharedBytes(*made)) << kernel.name;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

/// A search asks for one group, which is too small for these sums; two groups leave room for a role that transposes, or
/// transpose each tile themselves.
TEST(SlotsOfTransposedTiles, AreCountedWhateverTheQuestionWas) {
  HardwareDescription h200 = *HardwareCatalogue::open("")->find("h200");
  int compared = 0;
  for (const std::string &file : kernelFiles())
    for (std::string tile : {"BLOCK_M=256 BLOCK_N=128 BLOCK_K=32 ", "BLOCK_M=128 BLOCK_N=256 BLOCK_K=32 "}) {
      Kernel kernel(file);
      if (kernel.name != "gemm/tf32_outer.mlir" && kernel.name != "gemm/fp8_outer.mlir")
        continue;
      CompileInput input = kernel.with(tile + "D=2 consumers=2");
      input.emit = EmitStage::Sm90;
      Result<WorkSummary> asked = summarizeKernel(kernel.with(tile + "D=1 P=1 consumers=1"));
      Result<CompileOutput> made = compileKernel(input);
      if (!made)
        continue;
      ASSERT_TRUE(asked) << asked.status().message();
      EXPECT_GE(sharedNeed(*asked, input.config, h200).bytes(), sharedBytes(*made)) << kernel.name << " " << tile;
      ++compared;
    }
  EXPECT_GT(compared, 1);
}

/// Weights of 4 bits, unpacked from words of eight columns: where warps have columns, and no slices of K, the operand
/// passes through shared memory; else the sums of all slices do.
TEST(SlotsBesideUnpackedOperands, AreCountedByGroups) {
  HardwareDescription h200 = *HardwareCatalogue::open("")->find("h200");
  Kernel kernel(std::string(TAWA_TEST_KERNELS) + "/gemm/w4a16.mlir");
  for (int64_t columns : {128, 256}) {
    std::string tile = "BLOCK_M=16 BLOCK_K=128 BLOCK_N=" + std::to_string(columns);
    Result<WorkSummary> asked = summarizeKernel(kernel.with(tile + " D=1 P=1 consumers=1"));
    ASSERT_TRUE(asked) << asked.status().message();
    for (int groups : {1, 2, 4}) {
      CompileInput input = kernel.with(tile + " D=2 consumers=" + std::to_string(groups));
      input.emit = EmitStage::Sm90;
      Result<CompileOutput> made = compileKernel(input);
      ASSERT_TRUE(made) << made.status().message();
      int64_t estimate = sharedNeed(*asked, input.config, h200).bytes(), actual = sharedBytes(*made);
      EXPECT_EQ(asked->movedBytesOf(groups), columns == 256 && groups == 1 ? 65536 : 0) << tile << " " << groups;
      EXPECT_GE(estimate, actual) << tile << " " << groups;
      EXPECT_LE(estimate, actual + 32768) << tile << " " << groups;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Configurations, Slots,
                         testing::Values("", "persistent=1", "consumers=2 persistent=1 schedule=pingpong",
                                         "P=2 epilogue=1", "split=2", "split=4", "D=2"));
