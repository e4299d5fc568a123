// The provers let every kernel of the list pass in a matrix of configurations, and none of several hundred kernels with
// one mistake in them.
#include "Mutants.h"

#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/verify/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace mlir;

namespace tawa {
namespace {

std::string readKernel(const std::string &name) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<CompileOutput> compileTo(EmitStage stage, const std::string &name, const KernelConfig &config) {
  std::string text = readKernel(name);
  CompileInput input;
  input.text = text;
  input.name = name + ".mlir";
  input.config = config;
  input.emit = stage;
  return compileKernel(input);
}

KernelConfig configOf(int depth, int pendings, int groups = 2) {
  KernelConfig config;
  config.ringDepth = depth;
  config.mmaDepth = pendings;
  config.consumerGroups = groups;
  return config;
}

//===--- No false alarm
//-------------------------------------------------------------------------------------------------===//

TEST(Prover, EveryKernelOfTheListIsProved) {
  unsigned pairs = 0, split = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TAWA_TEST_KERNELS)) {
    if (entry.path().extension() != ".mlir")
      continue;
    std::string name = entry.path().stem();
    for (int depth : {1, 2, 3, 4, 5})
      for (int pendings : {1, 2, 3})
        for (int groups : {1, 2}) {
          if (pendings > depth)
            continue;
          Result<CompileOutput> output = compileTo(EmitStage::Sm90, name, configOf(depth, pendings, groups));
          if (!output) // a configuration that does not fit
            continue;
          std::string where = name + " D=" + std::to_string(depth) + " P=" + std::to_string(pendings) +
                              " consumers=" + std::to_string(groups);
          const KernelReport &report = output->artifact.report;
          EXPECT_EQ(report.declined.find("not shown"), std::string::npos) << where << ": " << report.declined;
          ++pairs;
          if (report.roles.size() < 2)
            continue;
          ++split;
          EXPECT_NE(output->text.find(kProvedAttr), std::string::npos) << where;
        }
  }
  std::printf("%u pairs of kernel and configuration, %u of them with roles\n", pairs, split);
  EXPECT_GT(split, 60u);
}

//===--- Mutants
//--------------------------------------------------------------------------------------------------------===//

enum class Level { Roles, Machine };

/// What the prover of a level says of a module; nothing where it proves it.
std::string findingOf(ModuleOp module, Level level) {
  module->removeAttr(kUnprovedAttr);
  module->removeAttr(kProvedAttr);
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(level == Level::Roles ? createProveProtocol() : createProveMachine());
  if (failed(passes.run(module)))
    return "refused";
  if (auto finding = module->getAttrOfType<StringAttr>(kUnprovedAttr))
    return finding.str();
  return module->hasAttr(kProvedAttr) ? "" : "nothing was proved";
}

struct Subject {
  const char *kernel;
  int depth, pendings;
  friend void PrintTo(const Subject &subject, std::ostream *stream) { *stream << subject.kernel; }
};

struct Tally {
  unsigned caught = 0, harmless = 0;
};

class ProverMutants : public testing::TestWithParam<Subject> {
protected:
  void run(Level level, const std::vector<test::Mutation> &mutations, unsigned mostPlaces);
};

void ProverMutants::run(Level level, const std::vector<test::Mutation> &mutations, unsigned mostPlaces) {
  EmitStage stage = level == Level::Roles ? EmitStage::Tawa : EmitStage::Sm90;
  Result<CompileOutput> output = compileTo(stage, GetParam().kernel, configOf(GetParam().depth, GetParam().pendings));
  ASSERT_TRUE(output) << output.status().message();
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> kernel = parseSourceString<ModuleOp>(output->text, &context);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(findingOf(*kernel, level), "") << "the kernel itself";
  Tally sum;
  for (const test::Mutation &mutation : mutations) {
    Tally tally;
    for (unsigned place = 0; place < mostPlaces; ++place) {
      OwningOpRef<ModuleOp> mutant = kernel->clone();
      if (!mutation.apply(*mutant, place))
        break;
      std::string finding = findingOf(*mutant, level);
      if (!mutation.harmless.empty()) {
        ++tally.harmless;
        continue;
      }
      EXPECT_NE(finding, "") << "not caught: " << mutation.name << ", place " << place;
      tally.caught += !finding.empty();
      if (place == 0)
        std::printf("    %-42s %s\n", mutation.name.c_str(), finding.c_str());
    }
    sum.caught += tally.caught;
    sum.harmless += tally.harmless;
  }
  std::printf("%s D=%d P=%d, %s: %u mutants caught, %u harmless by rule\n", GetParam().kernel, GetParam().depth,
              GetParam().pendings, level == Level::Roles ? "roles" : "machine", sum.caught, sum.harmless);
  EXPECT_GT(sum.caught, 10u);
}

TEST_P(ProverMutants, OfRolesAreCaught) { run(Level::Roles, test::roleMutations(), 8); }
TEST_P(ProverMutants, OfTheMachineAreCaught) { run(Level::Machine, test::machineMutations(), 6); }

INSTANTIATE_TEST_SUITE_P(Protocol, ProverMutants,
                         testing::Values(Subject{"gemm_tma", 3, 2}, Subject{"gemm_tma", 4, 1},
                                         Subject{"gemm_tma", 2, 2}, Subject{"gemm_persistent", 3, 2},
                                         Subject{"gemm_ptr_masked", 3, 2}, Subject{"attn_full", 2, 1},
                                         Subject{"attn_causal", 2, 1}),
                         [](const auto &info) {
                           return std::string(info.param.kernel) + "_D" + std::to_string(info.param.depth) + "_P" +
                                  std::to_string(info.param.pendings);
                         });

} // namespace
} // namespace tawa
