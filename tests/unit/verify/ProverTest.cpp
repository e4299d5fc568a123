// The provers of roles and of machine code, in every compile: they accept every kernel of tests/kernels in a matrix of
// configurations, and reject all of many hundred kernels with one mistake. A kernel that is not proved is compiled as
// one role, and one of one role without slots says so.
#include "HarmlessMutants.h"
#include "Mutants.h"

#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/Phases.h"
#include "compiler/roles/prover/Passes.h"
#include "compiler/target/hopper/prover/Passes.h"

#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <utility>

using namespace mlir;

namespace tawa {
namespace {

std::string readKernel(const std::string &name) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Compiles a kernel up to a stage, and shows what it looks like after each phase before.
Result<CompileOutput> compileRoles(const std::string &name, const std::string &config, EmitStage stage,
                                   std::function<void(Phase, ModuleOp)> afterPhase) {
  std::string text = readKernel(name);
  CompileInput input;
  input.text = text;
  input.name = name + ".mlir";
  input.config = *KernelConfig::parse(config);
  input.emit = stage;
  input.afterPhase = std::move(afterPhase);
  return compileKernel(input);
}

/// Something to prove of roles: several ones, or the rings of one.
bool hasRoles(ModuleOp module) {
  unsigned roles = 0, rings = 0;
  module.walk([&](ws::WarpGroupOp) { ++roles; });
  module.walk([&](ws::CreateArefOp) { ++rings; });
  return roles > 1 || rings != 0;
}

//===--- No false alarm -------------------------------------------------------------------------------------------===//

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(TAWA_TEST_KERNELS))
    if (entry.path().extension() == ".mlir")
      names.push_back(std::filesystem::relative(entry.path(), TAWA_TEST_KERNELS).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

struct Matrix {
  unsigned proved = 0, oneRole = 0, machine = 0;

  /// Whether the kernel has roles. Of the machine code of others, what their threads exchange is proved.
  bool check(const std::string &name, const std::string &config) {
    bool split = false;
    (void)compileRoles(name, config, EmitStage::Sm90, [&](Phase phase, ModuleOp module) {
      if (phase == Phase::Machine) {
        auto unproved = ws::kUnprovedAttr.get(module);
        EXPECT_FALSE(unproved) << name << " with " << config
                               << ", as machine code: " << (unproved ? unproved.str() : "");
        EXPECT_TRUE(unproved || ws::kProvedAttr.on(module)) << name << " with " << config;
        ++machine;
      }
      if (phase != Phase::Proved)
        return;
      auto unproved = ws::kUnprovedAttr.get(module);
      EXPECT_FALSE(unproved) << name << " with " << config << ": " << (unproved ? unproved.str() : "");
      split |= hasRoles(module);
      EXPECT_EQ(hasRoles(module), ws::kProvedAttr.on(module)) << name << " with " << config;
    });
    ++(split ? proved : oneRole);
    return split;
  }
};

TEST(Prover, NoFalseAlarm) {
  const char *others[] = {"D=1 P=1",
                          "D=2 P=2",
                          "D=3 P=2",
                          "D=4 P=1",
                          "D=4 P=3",
                          "consumers=1",
                          "consumers=3",
                          "persistent=1",
                          "persistent=1 schedule=pingpong",
                          "persistent=1 schedule=pingpong D=3 P=2",
                          "persistent=1 schedule=pingpong consumers=3",
                          "persistent=1 D=3 P=2 raster=2",
                          "cluster=2",
                          "cluster=4",
                          "cluster=4 raster=2",
                          "cluster=8 raster=-2",
                          "persistent=1 cluster=2",
                          "persistent=1 cluster=2 schedule=pingpong",
                          "coarse=0",
                          "persistent=1 coarse=0 D=2 P=1",
                          "epilogue=1",
                          "persistent=1 epilogue=4 D=2",
                          "split=2",
                          "split=4 D=2",
                          "cluster=2 split=2",
                          "cluster=2 split=3 D=2 P=2",
                          "persistent=1 stream=1",
                          "persistent=1 stream=1 D=2 P=2 raster=2",
                          "persistent=1 stream=1 cluster=2",
                          "persistent=1 dynamic=1",
                          "persistent=1 dynamic=1 D=2 P=2 raster=2"};
  Matrix matrix;
  for (const std::string &name : kernels()) {
    if (matrix.check(name, ""))
      for (const char *config : others)
        matrix.check(name, config);
    matrix.check(name, "consumers=0 D=1");
  }
  std::printf("%u pairs of kernel and configuration proved, %u as machine code, %u of one role\n", matrix.proved,
              matrix.machine, matrix.oneRole);
  EXPECT_GT(matrix.proved, 500u);
}

//===--- What is not proved ---------------------------------------------------------------------------------------===//

TEST(Prover, WhatIsNotProvedBecomesOneRole) {
  bool damaged = false;
  auto output = compileRoles("gemm_tma_128", "", EmitStage::Tawa, [&](Phase phase, ModuleOp module) {
    if (phase != Phase::Pipelined || std::exchange(damaged, true))
      return;
    ws::ConsumedOp first;
    module.walk([&](ws::ConsumedOp op) { first = op; });
    first->erase();
  });
  ASSERT_TRUE(damaged);
  ASSERT_TRUE(output) << output.status().message();
  const KernelReport &report = output->artifact.report;
  EXPECT_EQ(report.declined, "its roles were not proved to be free of races and deadlocks for all trip counts: the "
                             "consumer has not given back a slot of ring 0 when the kernel ends (when the loop at "
                             "39:15 runs 1 iteration, the loop at 39:15 ends)");
  EXPECT_EQ(report.roles.size(), 1u);
  EXPECT_EQ(report.rings.size(), 1u) << "slots that it fills itself";
}

TEST(Prover, WhatIsNotProvedAsMachineCodeBecomesOneRole) {
  bool damaged = false;
  auto output = compileRoles("gemm_tma_128", "", EmitStage::Sm90, [&](Phase phase, ModuleOp module) {
    if (phase != Phase::LaidOut || std::exchange(damaged, true))
      return;
    ws::WarpGroupOp first; // asks for all registers of the SM: the lowering does as it is told
    module.walk([&](ws::WarpGroupOp role) { first = first ? first : role; });
    first.setRegisters(256);
  });
  ASSERT_TRUE(damaged);
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_EQ(output->artifact.report.roles.size(), 1u);
  EXPECT_NE(output->artifact.report.declined.find("the roles ask for"), std::string::npos)
      << output->artifact.report.declined;
}

TEST(Prover, WhatIsNotProvedOfOneRoleWithoutSlotsIsKept) {
  unsigned proofs = 0;
  auto output = compileRoles("framework/misc_dot_after_dot", "", EmitStage::Ptx, [&](Phase phase, ModuleOp module) {
    if (phase == Phase::Machine && ++proofs < 10)
      ws::kUnprovedAttr.set(module, "a write may meet a read");
  });
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_EQ(proofs, 2U) << "the text's form, and one that loads nothing ahead";
  EXPECT_EQ(output->artifact.report.declined,
            "no tile is loaded inside a loop, so there is nothing for a producer role to run ahead of");
  EXPECT_NE(output->text.find(".entry misc_dot_after_dot"), std::string::npos);
}

//===--- Mutants --------------------------------------------------------------------------------------------------===//

/// What the prover says of a module; nothing where it proves it.
std::string findingOf(ModuleOp module, std::unique_ptr<Pass> prover) {
  ws::kUnprovedAttr.remove(module);
  ws::kProvedAttr.remove(module);
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false); // some mutants would not get so far
  passes.addPass(std::move(prover));
  if (failed(passes.run(module)))
    return "the pass failed";
  auto unproved = ws::kUnprovedAttr.get(module);
  return unproved ? unproved.str() : ws::kProvedAttr.on(module) ? "" : "has no roles";
}

struct Tally {
  unsigned caught = 0;
  std::string example;
};

bool isHarmless(const std::string &where, const std::string &mutation, unsigned place) {
  return llvm::any_of(test::kHarmless, [&](const test::Harmless &known) {
    return where == known.where && mutation == known.mutation && place == known.place;
  });
}

/// Makes every mistake at every place, up to a number of places for each.
void runMutants(ModuleOp kernel, const std::string &where, const std::vector<test::Mutation> &mutations,
                llvm::function_ref<std::unique_ptr<Pass>()> prover, std::map<std::string, Tally> &tallies) {
  constexpr unsigned kMostPlaces = 8;
  ScopedDiagnosticHandler silence(kernel.getContext(), [](mlir::Diagnostic &) { return success(); });
  for (const test::Mutation &mutation : mutations)
    for (unsigned place = 0; place < kMostPlaces; ++place) {
      OwningOpRef<ModuleOp> mutant = kernel.clone();
      if (!mutation.apply(*mutant, place))
        break;
      std::string finding = findingOf(*mutant, prover());
      if (finding.empty() && isHarmless(where, mutation.name, place))
        continue;
      EXPECT_NE(finding, "") << "not caught: " << mutation.name << ", place " << place << ", " << where;
      Tally &tally = tallies[mutation.name];
      tally.caught += !finding.empty();
      tally.example = finding;
    }
}

/// How many of each class were caught, with what was said of one of them.
unsigned printTallies(const std::map<std::string, Tally> &tallies) {
  unsigned caught = 0;
  for (const auto &[name, tally] : tallies) {
    caught += tally.caught;
    std::printf("%4u  %-38s %s\n", tally.caught, name.c_str(), tally.example.substr(0, 120).c_str());
  }
  std::printf("%4u mutants caught\n", caught);
  return caught;
}

TEST(Prover, MutantsAreCaught) {
  const std::pair<const char *, const char *> subjects[] = {
      {"gemm_tma", "D=3 P=2"},
      {"gemm_tma", "D=4 P=1"},
      {"gemm_tma", "D=2 P=2 persistent=1"},
      {"gemm_tma", "D=2 P=2 persistent=1 stream=1"},
      {"gemm_tma", "D=2 P=2 persistent=1 dynamic=1"},
      {"attn_causal", "D=2 P=1 persistent=1 dynamic=1"},
      {"gemm_tma_128", "D=3 P=2 persistent=1 schedule=pingpong"},
      {"gemm_tma", "D=4 P=2 cluster=2 persistent=1"},
      {"gemm_tma", "D=4 P=2 cluster=2 persistent=1 stream=1"},
      {"gemm_tma", "D=4 P=2 cluster=2 split=3"},
      {"gemm_tma", "D=4 P=2 cluster=4 raster=2"},
      {"gemm_tma", "D=2 P=2 cluster=8 raster=-2"},
      {"gemm_fp8_tma", "D=3 P=2"},
      {"gemm_persistent", "D=4 P=3"},
      {"gemm_ptr_masked", "D=3 P=2"},
      {"attn_full", "D=2 P=1"},
      {"attn_causal", "D=2 P=1 persistent=1"},
      {"framework/attn_descriptors_two_loops", "persistent=1 schedule=pingpong"},
      {"framework/gemm_fp8_rows_descriptors", "D=3 P=2"},
      {"framework/gemm_weights_int8", "D=3"},
      {"framework/gemm_weights_int8", "D=3 consumers=0"},
      {"framework/gemm_weights_int8", "D=3 P=2 consumers=0"},
      {"framework/gemm_weights_int8", "D=3 P=2 converters=1"},
      {"real/gemm_w4a16", "D=2 converters=1 persistent=1"},
      {"framework/gemm_while_tiles", "D=3 P=2"},
      {"framework/gemm_while_blocks", "D=3"},
      {"framework/attn_flex_blocks", "D=2"},
      {"framework/attn_backward_keys", "D=2"},
      {"framework/attn_two_parts", "D=2 consumers=1"},
      {"framework/attn_heads_projected", "D=2 consumers=1"},
      {"framework/linear_chunk_walk", "D=2 consumers=1"},
      {"framework/source_attn_latent_causal", "D=2 consumers=1"},
      {"framework/gemm_f32_tf32", "D=2 consumers=1"},
      {"real/delta_rule_state", "D=2 consumers=0"},
      {"real/delta_rule_state", "D=2 consumers=1"},
      {"real/flex_attention_backward", "D=2"},
  };
  std::map<std::string, Tally> tallies;
  for (auto [name, config] : subjects) {
    bool seen = false;
    (void)compileRoles(name, config, EmitStage::Tawa, [&](Phase phase, ModuleOp module) {
      if (phase != Phase::Pipelined || std::exchange(seen, true))
        return;
      ASSERT_TRUE(hasRoles(module)) << name << " " << config;
      runMutants(module, std::string(name) + " " + config, test::roleMutations(), createProveProtocol, tallies);
    });
    EXPECT_TRUE(seen) << name << " " << config;
  }
  EXPECT_GT(printTallies(tallies), 500u);
}

TEST(Prover, MutantsOfMachineCodeAreCaught) {
  const std::pair<const char *, const char *> subjects[] = {
      {"gemm_tma", "D=3 P=2"},
      {"gemm_tma", "D=4 P=1"},
      {"gemm_tma", "D=2 P=2"},
      {"gemm_tma", "D=2 P=2 persistent=1"},
      {"gemm_tma", "D=2 P=2 persistent=1 stream=1"},
      {"gemm_tma", "D=2 P=2 persistent=1 dynamic=1"},
      {"framework/moe_gather_gemm", "D=3 P=2 persistent=1 dynamic=1"},
      {"attn_causal", "D=2 P=1 persistent=1 dynamic=1"},
      {"gemm_tma_128", "D=3 P=2 persistent=1 schedule=pingpong"},
      {"gemm_tma", "D=2 P=2 cluster=2 persistent=1"},
      {"gemm_tma", "D=2 P=2 cluster=2 persistent=1 stream=1"},
      {"gemm_tma", "D=2 P=2 cluster=4"},
      {"gemm_tma", "D=2 P=2 cluster=4 split=2"},
      {"gemm_tma", "D=1 P=1 split=2"},
      {"gemm_tma", "D=3 P=2 split=4"},
      {"gemm_tma", "D=2 P=2 cluster=2 split=3"},
      {"gemm_tma", "D=2 P=2 cluster=4 raster=2"},
      {"gemm_tma", "D=2 P=2 cluster=4 raster=2 split=2"},
      {"gemm_tma", "D=3 P=2 cluster=8 raster=-2"},
      {"gemm_fp8_tma", "D=3 P=2"},
      {"framework/moe_gather_gemm", "D=3 P=2"},
      {"framework/gemm_fp8_rows_descriptors", "D=3 P=2"},
      {"gemm/grouped_pointers", "D=3 P=2 BLOCK_N=128"},
      {"gemm/grouped_pointers", "D=3 P=2 BLOCK_M=64 BLOCK_N=64 consumers=1 epilogue=1"},
      {"gemm/grouped_rows", "D=3 P=2 BLOCK_N=128"},
      {"gemm/grouped_rows", "D=3 BLOCK_M=16 BLOCK_N=128 W_OUTER=1"},
      {"attention/fwd_fp8", "D=2 P=1"},
      {"attention/fwd_fp8_causal", "D=2 P=1 persistent=1"},
      {"attention/fwd_fp8_causal", "D=2 P=1 persistent=1 dynamic=1"},
      {"attn_full", "D=2 P=1"},
      {"attn_full", "D=2 P=1 coarse=0"},
      {"attn_causal", "D=2 P=1 coarse=0"},
      {"attn_causal", "D=2 P=1 persistent=1"},
      {"framework/gemm_weights_int8", "D=3 consumers=0"},
      {"framework/gemm_weights_int8", "D=3 P=2 consumers=0"},
      {"framework/gemm_weights_int8", "D=3 P=2 converters=1"},
      {"real/gemm_w4a16", "D=2 converters=1 persistent=1"},
      {"real/gemm_w4a16", "D=2 converters=1 split=2"},
      {"framework/gemm_while_tiles", "D=3 P=2"},
      {"framework/gemm_while_blocks", "D=3"},
      {"framework/attn_flex_blocks", "D=2 consumers=1"},
      {"framework/attn_two_parts", "D=2 consumers=1"},
      {"framework/attn_heads_projected", "D=2 consumers=1"},
      {"framework/linear_chunk_walk", "D=2 consumers=1"},
      {"framework/source_attn_latent_causal", "D=2 consumers=1"},
      {"framework/attn_mla_decode", "D=2"},
      {"framework/attn_mla_decode", "D=2 persistent=1"},
      {"framework/gemm_f32_tf32", "D=2 consumers=1"},
      {"real/gemm_w4a16", "D=2 consumers=0"},
      {"real/gemm_w4a16", "D=2"},
      {"framework/moe_rows_gathered", "D=2 consumers=0"},
      {"framework/moe_rows_gathered", "D=3 P=2 consumers=0"},
      // One role without slots: tiles that it writes for its products, and what its threads exchange.
      {"framework/misc_dot_after_dot", ""},
      {"framework/misc_gather_bits", "warps=8"},
      {"framework/misc_histogram", ""},
      {"framework/scan_cummax_index", ""},
      {"framework/red_any_all_loop", ""},
      {"softmax_rows", ""},
      {"attn_causal", "D=1 consumers=0"},
      {"attention/fwd_fp8", "D=1 consumers=0"},
  };
  std::map<std::string, Tally> tallies;
  for (auto [name, config] : subjects)
    (void)compileRoles(name, config, EmitStage::Sm90, [&](Phase phase, ModuleOp module) {
      if (phase != Phase::Machine)
        return;
      std::string where = std::string(name) + " " + config;
      OwningOpRef<ModuleOp> kernel = module.clone();
      EXPECT_EQ(findingOf(*kernel, createProveMachine()), "") << where;
      runMutants(module, where, test::machineMutations(), createProveMachine, tallies);
    });
  EXPECT_GT(printTallies(tallies), 1500u);
}

} // namespace
} // namespace tawa
