// The provers of roles and of machine code, in every compile: they accept every kernel of tests/kernels in a matrix of
// configurations, and reject all of many hundred kernels with one mistake. A kernel that is not proved is compiled as
// one role, and one of one role without slots says so.
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
  EXPECT_TRUE(report.rings.empty());
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

/// Mutants that are equivalent to the kernel: they must not be detected.
struct Harmless {
  const char *where, *mutation; ///< The kernel with its configuration.
  unsigned place;
};
constexpr const char *kResident = "gemm_tma D=2 P=2 persistent=1",
                     *kStreamed = "gemm_tma D=2 P=2 persistent=1 stream=1",
                     *kHandedOut = "gemm_tma D=2 P=2 persistent=1 dynamic=1",
                     *kCopied = "framework/moe_gather_gemm D=3 P=2 persistent=1 dynamic=1",
                     *kCluster = "gemm_tma D=2 P=2 cluster=2 persistent=1",
                     *kPingPong = "gemm_tma_128 D=3 P=2 persistent=1 schedule=pingpong",
                     *kGrouped = "gemm/grouped_pointers D=3 P=2 BLOCK_N=128",
                     *kAhead = "framework/gemm_weights_int8 D=3 consumers=0",
                     *kAheadOfTwo = "framework/gemm_weights_int8 D=3 P=2 consumers=0",
                     *kAheadOfWords = "real/gemm_w4a16 D=2 consumers=0", *kFedWords = "real/gemm_w4a16 D=2",
                     *kConverted = "framework/gemm_weights_int8 D=3 P=2 converters=1",
                     *kConvertedResident = "real/gemm_w4a16 D=2 converters=1 persistent=1",
                     *kConvertedInTwo = "real/gemm_w4a16 D=2 converters=1 split=2",
                     *kAheadInSlots = "framework/moe_rows_gathered D=2 consumers=0",
                     *kAheadInSlotsOfThree = "framework/moe_rows_gathered D=3 P=2 consumers=0",
                     *kLatent = "framework/attn_mla_decode D=2",
                     *kLatentResident = "framework/attn_mla_decode D=2 persistent=1",
                     *kDotAfterDot = "framework/misc_dot_after_dot ", *kAloneCausal = "attn_causal D=1 consumers=0",
                     *kAloneFp8 = "attention/fwd_fp8 D=1 consumers=0",
                     *kGroupedSmall = "gemm/grouped_pointers D=3 P=2 BLOCK_M=64 BLOCK_N=64 consumers=1 epilogue=1";
constexpr Harmless kHarmless[] = {
    // No product was started where the loop has no iteration.
    {"gemm_tma D=3 P=2", "accumulator read too early", 1},
    {"gemm_tma D=4 P=1", "accumulator read too early", 1},
    {"gemm_tma D=2 P=2", "accumulator read too early", 1},
    {"gemm_tma D=1 P=1 split=2", "accumulator read too early", 1},
    {"gemm_tma D=3 P=2 split=4", "accumulator read too early", 1},
    {"gemm_fp8_tma D=3 P=2", "accumulator read too early", 1},
    {"framework/moe_gather_gemm D=3 P=2", "accumulator read too early", 1},
    {kResident, "accumulator read too early", 1},
    {kStreamed, "accumulator read too early", 1},
    {kStreamed, "accumulator read too early", 3},
    {kHandedOut, "accumulator read too early", 1},
    {kCopied, "accumulator read too early", 1},
    {kCluster, "accumulator read too early", 1},
    {kPingPong, "accumulator read too early", 1},
    {kPingPong, "accumulator read too early", 3},
    {kResident, "wait for one group less", 3},
    {kStreamed, "wait for one group less", 3},
    {kStreamed, "wait for one group less", 6},
    {kHandedOut, "wait for one group less", 3},
    {kCopied, "wait for one group less", 2},
    {kCluster, "wait for one group less", 3},
    {kPingPong, "wait for one group less", 2},
    {kPingPong, "wait for one group less", 5},
    {kGrouped, "accumulator read too early", 1},
    {kGrouped, "wait for one group less", 2},
    {kGroupedSmall, "accumulator read too early", 1},
    {kGroupedSmall, "wait for one group less", 2},
    // Each product of the loop was waited for in it.
    {"gemm_tma D=4 P=1", "accumulator read too early", 0},
    {"gemm_tma D=1 P=1 split=2", "accumulator read too early", 0},
    // The first product of a tile is the only one, and nothing is released after the wait for it.
    {kResident, "wait for one group less", 0},
    {kStreamed, "wait for one group less", 0},
    {kHandedOut, "wait for one group less", 0},
    {kCluster, "wait for one group less", 0},
    // An arrival whose condition is false.
    {kResident, "drop arrive", 0},
    {kResident, "repeat arrive", 0},
    {kResident, "hasten arrive before the wait for its dot", 0},
    {kStreamed, "drop arrive", 0},
    {kStreamed, "repeat arrive", 0},
    {kStreamed, "hasten arrive before the wait for its dot", 0},
    {kHandedOut, "drop arrive", 1},
    {kHandedOut, "repeat arrive", 1},
    {kHandedOut, "hasten arrive before the wait for its dot", 0},
    {kCluster, "drop arrive in the cluster", 0},
    {kCluster, "next CTA of the cluster", 0},
    // The first product of the tile was issued in front of the loop, so there is always one before.
    {kResident, "drop condition of consumed", 0},
    {kStreamed, "drop condition of consumed", 0},
    {kHandedOut, "drop condition of consumed", 0},
    {"gemm_tma D=4 P=2 cluster=2 persistent=1", "drop condition of consumed", 0},
    // Pieces of a tile that are stored consecutively wait for the previous store, which reads another slot.
    {kResident, "drop warp barrier", 2},
    {kResident, "drop warp barrier", 4},
    {kResident, "drop warp barrier", 6},
    {kResident, "drop commit of stores", 1},
    {kResident, "drop commit of stores", 2},
    {kResident, "drop wait for stores", 1},
    {kResident, "drop wait for stores", 2},
    {kResident, "drop wait for stores", 3},
    {kResident, "wait for one store less", 1},
    {kResident, "wait for one store less", 2},
    {kResident, "wait for one store less", 3},
    {kStreamed, "drop warp barrier", 2},
    {kStreamed, "drop wait for stores", 1},
    {kStreamed, "wait for one store less", 1},
    {kHandedOut, "drop warp barrier", 2},
    {kHandedOut, "drop wait for stores", 1},
    {kHandedOut, "wait for one store less", 1},
    {kCluster, "drop warp barrier", 2},
    {kCluster, "drop warp barrier", 4},
    {kCluster, "drop warp barrier", 6},
    {kCluster, "drop commit of stores", 1},
    {kCluster, "drop commit of stores", 2},
    {kCluster, "drop wait for stores", 1},
    {kCluster, "drop wait for stores", 2},
    {kCluster, "drop wait for stores", 3},
    {kCluster, "wait for one store less", 1},
    {kCluster, "wait for one store less", 2},
    {kCluster, "wait for one store less", 3},
    // The next commit covers this store, too, and so does the wait for that.
    {"attn_full D=2 P=1", "drop commit of stores", 0},
    {"attention/fwd_fp8 D=2 P=1", "drop commit of stores", 0},
    {"attn_full D=2 P=1 coarse=0", "drop commit of stores", 0},
    {"attn_causal D=2 P=1 coarse=0", "drop commit of stores", 0},
    {kFedWords, "drop commit of stores", 0},
    {"framework/attn_heads_projected D=2 consumers=1", "drop commit of stores", 0},
    {"framework/source_attn_latent_causal D=2 consumers=1", "drop commit of stores", 0},
    // The next commit covers the first product of a chain.
    {"framework/source_attn_latent_causal D=2 consumers=1", "drop commit of dots", 0},
    {"framework/source_attn_latent_causal D=2 consumers=1", "drop commit of dots", 2},
    {"framework/source_attn_latent_causal D=2 consumers=1", "drop commit of dots", 5},
    // The slot's only reader is the first of two products that are waited for one after the other.
    {"framework/linear_chunk_walk D=2 consumers=1", "hasten consumed before the wait for its dot", 0},
    {"framework/linear_chunk_walk D=2 consumers=1", "hasten consumed before the wait for its dot", 3},
    {"framework/linear_chunk_walk D=2 consumers=1", "hasten arrive before the wait for its dot", 0},
    {"framework/linear_chunk_walk D=2 consumers=1", "hasten arrive before the wait for its dot", 3},
    // The first tile in shared memory for the store, or for slices of sums, after loops that have none.
    {"framework/gemm_while_blocks D=3", "drop barrier", 1},
    {"framework/gemm_f32_tf32 D=2 consumers=1", "drop barrier", 1},
    // A role that loads ahead for itself, and writes operand B: other barriers of the iteration stand between, the
    // fence
    // after the writes covers the copies, too, and the wait before them all products so far.
    // Products that go on with the sums of others are waited for together.
    {kLatent, "drop commit of dots", 0},
    {kLatentResident, "drop commit of dots", 0},
    // The exchange after the loop is far from that in it, and all threads meet there before stores are staged in a
    // slot.
    {kLatent, "drop barrier", 3},
    {kLatent, "drop barrier", 5},
    {kLatentResident, "drop barrier", 1},
    {kLatentResident, "drop barrier", 4},
    {kLatentResident, "drop barrier", 6},
    // The slot is released when the stores have read it, so that none is left at the end, or when the next tile's
    // begin.
    {kLatent, "drop wait for stores", 3},
    {kLatent, "wait for one store less", 3},
    {kLatentResident, "drop wait for stores", 0},
    {kLatentResident, "drop wait for stores", 1},
    {kLatentResident, "wait for one store less", 0},
    {kLatentResident, "wait for one store less", 1},
    {kLatentResident, "drop warp barrier", 0},
    {kLatentResident, "drop warp barrier", 2},
    {kAhead, "drop barrier", 1},
    {kAhead, "drop barrier", 3},
    {kAhead, "drop proxy fence", 0},
    {kAhead, "hasten proxy fence before the last write of a slot", 0},
    {kAhead, "drop warp barrier", 0},
    {kAhead, "wait for one group less", 0},
    {kAhead, "accumulator read too early", 0},
    {kAhead, "accumulator read too early", 1},
    {kAheadOfTwo, "drop barrier", 1},
    {kAheadOfTwo, "drop proxy fence", 0},
    {kAheadOfTwo, "hasten proxy fence before the last write of a slot", 0},
    {kAheadOfTwo, "drop warp barrier", 0},
    {kAheadOfTwo, "wait for one group less", 1},
    {kAheadOfTwo, "hasten arrive before the wait for its dot", 0},
    {kAheadOfTwo, "accumulator read too early", 1},
    {kAheadOfWords, "drop barrier", 3},
    {kAheadOfWords, "drop proxy fence", 0},
    {kAheadOfWords, "hasten proxy fence before the last write of a slot", 0},
    {kAheadOfWords, "drop warp barrier", 0},
    {kAheadOfWords, "wait for one group less", 0},
    {kAheadOfWords, "accumulator read too early", 0},
    {kAheadOfWords, "accumulator read too early", 1},
    {kAheadInSlots, "accumulator read too early", 0},
    {kAheadInSlots, "accumulator read too early", 1},
    {kAheadInSlotsOfThree, "accumulator read too early", 1},
    // By a producer: only threads read what its threads copied, and each product of the loop was waited for in it.
    {kFedWords, "drop proxy fence", 0},
    {kFedWords, "wait for one group less", 0},
    {kFedWords, "accumulator read too early", 0},
    {kFedWords, "accumulator read too early", 1},
    // Beside a converter: no product was started where the loop has no iteration, each product of the loop was waited
    // for in it, and stores are those of other resident kernels.
    {kConverted, "accumulator read too early", 1},
    {kConvertedResident, "accumulator read too early", 0},
    {kConvertedResident, "accumulator read too early", 1},
    {kConvertedResident, "wait for one group less", 2},
    {kConvertedResident, "wait for one group less", 3},
    {kConvertedResident, "drop warp barrier", 4},
    {kConvertedResident, "drop commit of stores", 0},
    {kConvertedResident, "drop commit of stores", 4},
    {kConvertedResident, "drop commit of stores", 6},
    {kConvertedResident, "drop wait for stores", 1},
    {kConvertedResident, "drop wait for stores", 5},
    {kConvertedResident, "wait for one store less", 1},
    {kConvertedResident, "wait for one store less", 5},
    {kConvertedInTwo, "accumulator read too early", 0},
    {kConvertedInTwo, "accumulator read too early", 1},
    {kConvertedInTwo, "drop commit of stores", 0},
    // One role without slots: the barrier and the fence before a product cover what was written earlier, too, and
    // scratch after a loop lies beyond what the loop has read.
    {kDotAfterDot, "drop barrier", 1},
    {kDotAfterDot, "drop proxy fence", 0},
    {kDotAfterDot, "hasten proxy fence before the last write of a slot", 0},
    {kAloneCausal, "drop barrier", 0},
    {kAloneCausal, "drop proxy fence", 0},
    {kAloneCausal, "hasten proxy fence before the last write of a slot", 0},
    {kAloneFp8, "drop barrier", 0},
    {kAloneFp8, "drop barrier", 5},
    {kAloneFp8, "drop proxy fence", 0},
    {kAloneFp8, "hasten proxy fence before the last write of a slot", 0},
};

bool isHarmless(const std::string &where, const std::string &mutation, unsigned place) {
  return llvm::any_of(kHarmless, [&](const Harmless &known) {
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
      {"gemm_tma", "D=4 P=2 cluster=2 split=3"},
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
      {"gemm_tma", "D=1 P=1 split=2"},
      {"gemm_tma", "D=3 P=2 split=4"},
      {"gemm_tma", "D=2 P=2 cluster=2 split=3"},
      {"gemm_fp8_tma", "D=3 P=2"},
      {"framework/moe_gather_gemm", "D=3 P=2"},
      {"framework/gemm_fp8_rows_descriptors", "D=3 P=2"},
      {"gemm/grouped_pointers", "D=3 P=2 BLOCK_N=128"},
      {"gemm/grouped_pointers", "D=3 P=2 BLOCK_M=64 BLOCK_N=64 consumers=1 epilogue=1"},
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
