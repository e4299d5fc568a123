#include "compiler/planner/Planner.h"
#include "compiler/planner/EvaluatedTiles.h"
#include "compiler/planner/machines/Catalogue.h"
#include "runtime/mesh/PlanText.h"
#include "runtime/mesh/core/LowerPlan.h"
#include "runtime/mesh/simulator/TensorBlock.h"
#include "tests/unit/planner/AffinizeTestSupport.h"

#include <gtest/gtest.h>
#include <random>

namespace tawa {
namespace {

using reference::ReferenceArgument;

/// Memory of a kernel's arguments: tensors of small f16 numbers.
struct Arguments {
  explicit Arguments(const std::vector<ArgumentFacts> &facts) {
    std::mt19937 random(7);
    storage.reserve(facts.size());
    for (const ArgumentFacts &fact : facts) {
      if (fact.kind != LogicalArgument::Kind::Tensor) {
        bool isFloat = fact.kind != LogicalArgument::Kind::Constant;
        list.push_back(isFloat ? ReferenceArgument::scalar(0.25) : ReferenceArgument::scalar(fact.value));
        continue;
      }
      int64_t elements = 1;
      std::vector<int64_t> strides(fact.shape.size(), 1);
      for (size_t dim = fact.shape.size(); dim-- > 0; elements *= fact.shape[dim])
        strides[dim] = elements;
      std::vector<char> &bytes = storage.emplace_back(elements * elementBytes(fact.elementType));
      for (size_t i = 1; i < bytes.size(); i += 2) // exponents of 1/8 to 1, either sign
        bytes[i] = static_cast<char>(0x30 + random() % 13 + (random() % 2 ? 0x80 : 0));
      list.push_back(ReferenceArgument::tensor(bytes.data(), bytes.size(), fact.shape, strides));
    }
  }
  std::vector<std::vector<char>> storage;
  std::vector<ReferenceArgument> list;
};

std::vector<char> expectedOutput(const AffineKernel &kernel, const std::vector<ArgumentFacts> &facts, size_t output) {
  Arguments arguments(facts);
  auto evaluator = reference::ReferenceKernel::read(kernel.text, "kernel.mlir");
  EXPECT_TRUE(evaluator.isOk());
  Status status = evaluator->run(arguments.list, kernel.grid, uint64_t(1) << 34);
  EXPECT_TRUE(status.isOk()) << status.message();
  return arguments.storage[output];
}

/// What the output has after the plan was simulated with real data.
std::vector<char> simulatedOutput(const AffineKernel &kernel, const mesh::Plan &plan, const mesh::Machine &machine,
                                  const std::vector<ArgumentFacts> &facts, int output) {
  Arguments arguments(facts);
  mesh::SimulationData data;
  size_t at = 0;
  for (size_t i = 0; i < kernel.program.tensors.size(); ++i) {
    const mesh::Tensor &tensor = kernel.program.tensors[i];
    data.tensors.push_back(arguments.storage[tensor.argument]);
    at = tensor.argument == output ? i : at;
  }
  auto tiles = EvaluatedTiles::make(kernel, arguments.list);
  EXPECT_TRUE(tiles.isOk());
  data.computer = &*tiles;
  mesh::Lowered lowered = mesh::lowerPlan(plan, kernel.program, machine);
  EXPECT_TRUE(lowered.isOk()) << lowered.detail;
  mesh::SimulationResult result = mesh::simulate(lowered.program, machine, {}, &data);
  EXPECT_TRUE(result.isFinished()) << result.detail;
  return data.tensors[at];
}

PlanRequest gemmRequest(const std::string &machine, int64_t m, int64_t n, int64_t k) {
  PlanRequest request;
  static const std::string text = kernelText("gemm_param");
  request.kernel.text = text;
  request.kernel.arguments = gemmArguments(m, n, k);
  auto found = lookUpMachine(machine);
  EXPECT_TRUE(found.isOk());
  request.machine = *found;
  return request;
}

TEST(PlannerTest, TheFastestOfTheBestIsFound) {
  PlanRequest request = gemmRequest("wormhole_8x8", 1024, 1024, 512);
  Result<Planned> planned = planKernel(request);
  ASSERT_TRUE(planned.isOk()) << planned.status().message();
  EXPECT_EQ(planned->candidates.size(), 54u); // 6 x 3 x 3 sizes of tiles; GROUP numbers the same ones differently
  ASSERT_EQ(planned->simulated.size(), 5u);
  for (const SimulatedPlan &plan : planned->simulated)
    EXPECT_GE(plan.result.cycles, planned->simulated[planned->fastest].result.cycles);
}

TEST(PlannerTest, RankedPlansComputeWhatTheKernelDoes) {
  PlanRequest request = gemmRequest("wormhole_4x8", 300, 200, 136); // ragged in all dimensions
  request.tiles = {{{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 32}}};
  Result<Planned> planned = planKernel(request);
  ASSERT_TRUE(planned.isOk()) << planned.status().message();
  const AffineKernel &kernel = planned->candidates[0].kernel;
  std::vector<char> expected = expectedOutput(kernel, request.kernel.arguments, 2);
  for (const SimulatedPlan &plan : planned->simulated)
    EXPECT_EQ(simulatedOutput(kernel, plan.ranked.plan, request.machine, request.kernel.arguments, 2), expected);
}

PlanRequest causalRequest(const std::string &machine) {
  PlanRequest request = gemmRequest(machine, 64, 64, 64);
  static const std::string text = kernelText("attention/fwd_causal");
  ArgumentFacts rows = tensorFacts(ElementType::F16, {3 * 320, 64});
  request.kernel.text = text;
  request.kernel.arguments = {
      rows,           rows, rows, rows, tensorFacts(ElementType::F32, {3 * 320}), floatFacts(), integerFacts(320),
      integerFacts(3)};
  request.tiles = {{{"BLOCK_M", 64}, {"BLOCK_N", 32}, {"HEAD_DIM", 64}}};
  return request;
}

/// Loops of 0 to 8 iterations: each of all plans that the model tells apart, with tiles that are shared and kept.
TEST(PlannerTest, PlansOfCausalAttentionComputeWhatTheKernelDoes) {
  PlanRequest request = causalRequest("torus_4x4");
  request.simulated = 12;
  Result<Planned> planned = planKernel(request);
  ASSERT_TRUE(planned.isOk()) << planned.status().message();
  const AffineKernel &kernel = planned->candidates[0].kernel;
  std::vector<char> expected = expectedOutput(kernel, request.kernel.arguments, 3);
  bool isShared = false, isKept = false;
  for (const SimulatedPlan &plan : planned->simulated) {
    EXPECT_EQ(simulatedOutput(kernel, plan.ranked.plan, request.machine, request.kernel.arguments, 3), expected)
        << mesh::str(plan.ranked.plan, kernel.program, request.machine);
    isShared |= plan.ranked.plan.loads[1].movement != mesh::Movement::PerCore;
    isKept |= plan.ranked.plan.loads[1].tiles > 1;
    EXPECT_NEAR(plan.ranked.plan.estimate.cycles / plan.result.cycles, 1, 0.15)
        << mesh::summary(plan.ranked.plan, kernel.program, request.machine);
  }
  EXPECT_TRUE(isShared);
  EXPECT_TRUE(isKept);
}

/// y += x, in y.
const char *const kAddInto = R"(tt.func public @add_into(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %base = arith.muli %pid, %c64 : i32
  %bases = tt.splat %base : i32 -> tensor<64xi32>
  %offsets = arith.addi %bases, %range : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %p = tt.addptr %xs, %offsets : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %q = tt.addptr %ys, %offsets : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f16>>
  %w = tt.load %q : tensor<64x!tt.ptr<f16>>
  %sum = arith.addf %v, %w : tensor<64xf16>
  tt.store %q, %sum : tensor<64x!tt.ptr<f16>>
  tt.return
})";

TEST(PlannerTest, ResultsInPlaceOfAnOperand) {
  PlanRequest request = gemmRequest("torus_4x4", 64, 64, 64);
  request.kernel.text = kAddInto;
  request.kernel.arguments.assign(2, tensorFacts(ElementType::F16, {4096}));
  request.kernel.grid = {64, 1, 1};
  request.tiles = {{}};
  Result<Planned> planned = planKernel(request);
  ASSERT_TRUE(planned.isOk()) << planned.status().message();
  const AffineKernel &kernel = planned->candidates[0].kernel;
  ASSERT_EQ(kernel.program.tensors.size(), 2u);
  std::vector<char> expected = expectedOutput(kernel, request.kernel.arguments, 1);
  for (const SimulatedPlan &plan : planned->simulated)
    EXPECT_EQ(simulatedOutput(kernel, plan.ranked.plan, request.machine, request.kernel.arguments, 1), expected);
  // A core that fetches one block twice and the other one never.
  mesh::Plan wrong = planned->simulated[0].ranked.plan;
  AffineKernel other = kernel;
  for (mesh::TileStep &step : other.program.body)
    if (step.kind == mesh::TileStep::Kind::Load && step.access.operation == 1)
      step.access.start[0].constant += 64;
  EXPECT_NE(simulatedOutput(other, wrong, request.machine, request.kernel.arguments, 1), expected);
}

TEST(PlannerTest, AWrongPlanHasAWrongResult) {
  PlanRequest request = gemmRequest("wormhole_4x8", 256, 256, 64);
  request.tiles = {{{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 32}}};
  Result<Planned> planned = planKernel(request);
  ASSERT_TRUE(planned.isOk()) << planned.status().message();
  const AffineKernel &kernel = planned->candidates[0].kernel;
  std::vector<char> expected = expectedOutput(kernel, request.kernel.arguments, 2);
  mesh::Plan plan = planned->simulated[0].ranked.plan;
  // Cores along the first dimension have different rows of C: what one broadcasts of A is not what the others need.
  plan.splits = {{{0}}, {{1}}};
  plan.waves = {0, 1};
  for (mesh::LoadPlan &load : plan.loads)
    load = {mesh::Movement::Broadcast, {0}, {0}, 3, 1, 0, 2};
  EXPECT_NE(simulatedOutput(kernel, plan, request.machine, request.kernel.arguments, 2), expected);
}

TEST(PlannerTest, RefusesWhatIsNotAffine) {
  PlanRequest request = gemmRequest("wormhole_8x8", 256, 256, 64);
  request.kernel.arguments.pop_back();
  Result<Planned> planned = planKernel(request);
  ASSERT_FALSE(planned.isOk());
  EXPECT_EQ(planned.status().code(), StatusCode::InvalidArgument) << planned.status().message();
}

} // namespace
} // namespace tawa
