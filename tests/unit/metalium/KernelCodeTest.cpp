// From the text of a kernel to printed code that runs: affinization, a plan, its core program, its code.
#include "tests/unit/metalium/KernelCodeSupport.h"
#include "tests/unit/planner/AffinizeTestSupport.h"

#include <gtest/gtest.h>

namespace tawa::metalium::tests {
namespace {

/// B is transposed by an operation of the kernel.
TEST(KernelCode, GemmThroughDescriptors) {
  expectRight(affinizeText(kernelText("gemm_param"), gemmArguments(200, 300, 160), std::nullopt),
              mainOfGemm("gemm_param"));
}

/// B is transposed by its pointers.
TEST(KernelCode, GemmThroughPointers) {
  std::vector<ArgumentFacts> arguments = gemmArguments(256, 512, 128);
  for (int64_t stride : {128, 128, 512})
    arguments.push_back(integerFacts(stride));
  Result<AffineKernel> kernel = affinizeText(kernelText("gemm_ptr"), arguments, std::array<uint32_t, 3>{4, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  const mesh::TileOperator &dot = kernel->program.body[0].body[2].op;
  ASSERT_EQ(dot.reads.size(), 3u);
  EXPECT_FALSE(dot.reads[0].isTransposed);
  EXPECT_TRUE(dot.reads[1].isTransposed);
  EXPECT_EQ(dot.reads[2].kind, mesh::TileOperand::Kind::Carried);
  Code code = codeOf(kernel->program);
  EXPECT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
}

TEST(KernelCode, VectorAddition) {
  ArgumentFacts vector = tensorFacts(ElementType::F32, {9000});
  expectRight(affinizeText(kernelText("vec_add"), {vector, vector, vector, integerFacts(9000)},
                           std::array<uint32_t, 3>{9, 1, 1}),
              "  Matrix x(1, 9000, tt::DataFormat::Float32, true), y(1, 9000, tt::DataFormat::Float32, true),\n"
              "      z(1, 9000, tt::DataFormat::Float32, true);\n"
              "  x.fill(1); y.fill(2, 0.1f); x.upload(); y.upload();\n"
              "  run(create_vec_add(device, \".\", x.buffer(), y.buffer(), z.buffer()));\n"
              "  z.download();\n"
              "  return compare(z, [&](size_t r, size_t c) { return x.at(r, c) + y.at(r, c); });\n");
}

/// A row of 4096 elements is four pages; maximum and sum are of all of them.
TEST(KernelCode, SoftmaxOfRows) {
  ArgumentFacts rows = tensorFacts(ElementType::F16, {24, 4096});
  expectRight(affinizeText(kernelText("softmax_rows"), {rows, rows, integerFacts(4096), integerFacts(4096)},
                           std::array<uint32_t, 3>{24, 1, 1}),
              "  Matrix x(24, 4096, tt::DataFormat::Float16, true), y(24, 4096, tt::DataFormat::Float16, true);\n"
              "  x.fill(1, 0.125f); x.upload();\n"
              "  run(create_softmax_rows(device, \".\", x.buffer(), y.buffer()));\n"
              "  y.download();\n"
              "  return compare(y, [&](size_t r, size_t c) {\n"
              "    float most = x.at(r, 0), sum = 0;\n"
              "    for (size_t k = 0; k < x.columns; ++k) most = std::max(most, x.at(r, k));\n"
              "    for (size_t k = 0; k < x.columns; ++k) sum += std::exp(x.at(r, k) - most);\n"
              "    return std::exp(x.at(r, c) - most) / sum;\n  }, 3e-3f);\n");
}

Result<AffineKernel> attention() {
  ArgumentFacts matrix = tensorFacts(ElementType::F16, {256, 64});
  return affinizeText(kernelText("attention/fwd"),
                      {matrix, matrix, matrix, matrix, tensorFacts(ElementType::F32, {256}), floatFacts(),
                       integerFacts(128), integerFacts(2)},
                      std::nullopt, {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"HEAD_DIM", 64}});
}

TEST(KernelCode, Attention) { expectRight(attention(), kMainOfAttention); }

/// A loop of one iteration, which is none in the core program: the first 64 keys of each head.
TEST(KernelCode, LoopOfOneIteration) {
  Result<AffineKernel> kernel = attention();
  ASSERT_TRUE(kernel) << describe(kernel);
  kernel->program.indices.back().extent = 1;
  std::string main = kMainOfAttention, all = "n < length";
  for (size_t at = main.find(all); at != std::string::npos; at = main.find(all, at))
    main.replace(at, all.size(), "n < 64");
  expectRight(kernel, main);
}

/// A loop that is longer in later rows of blocks, and on other cores: the first 64 keys, or all.
TEST(KernelCode, AttentionToBlocksOfEarlierKeys) {
  Result<AffineKernel> kernel = attention();
  ASSERT_TRUE(kernel) << describe(kernel);
  ASSERT_EQ(kernel->program.indices[0].extent, 2);
  kernel->program.indices.back().trips = mesh::TripCount{{{1, 0}, 1}, 1, 2};
  std::string main = kMainOfAttention, all = "n < length";
  for (size_t at = main.find(all); at != std::string::npos; at = main.find(all, at))
    main.replace(at, all.size(), "n < (row % length / 64 + 1) * 64");
  expectRight(kernel, main);
}

/// Sums of blocks up to each, of the lower triangle: what the loop carries is not read after it.
const char *const kRunningSum = R"(tt.func public @running(
    %x: !tt.tensordesc<tensor<32x32xf32>>, %x_rows: i32, %x_cols: i32, %x_row_stride: i64, %x_col_stride: i64,
    %y: !tt.tensordesc<tensor<32x32xf32>>, %y_rows: i32, %y_cols: i32, %y_row_stride: i64, %y_col_stride: i64) {
  %zero = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c32 : i32
  %end = arith.addi %row, %c32 : i32
  %sum = scf.for %k = %zero to %end step %c32 iter_args(%before = %none) -> (tensor<32x32xf32>) : i32 {
    %tile = tt.descriptor_load %x[%row, %k] : !tt.tensordesc<tensor<32x32xf32>> -> tensor<32x32xf32>
    %now = arith.addf %before, %tile : tensor<32x32xf32>
    tt.descriptor_store %y[%row, %k], %now : !tt.tensordesc<tensor<32x32xf32>>, tensor<32x32xf32>
    scf.yield %now : tensor<32x32xf32>
  }
  tt.return
})";

TEST(KernelCode, RunningSumOfATriangle) {
  ArgumentFacts matrix = tensorFacts(ElementType::F32, {256, 256});
  expectRight(affinizeText(kRunningSum, {matrix, matrix}, std::array<uint32_t, 3>{8, 1, 1}),
              "  Matrix x(256, 256, tt::DataFormat::Float32), y(256, 256, tt::DataFormat::Float32);\n"
              "  x.fill(1); y.fill(2); x.upload(); y.upload();\n"
              "  run(create_running(device, \".\", x.buffer(), y.buffer()));\n"
              "  Matrix before = y;\n"
              "  y.download();\n"
              "  return compare(y, [&](size_t r, size_t c) {\n"
              "    if (c / 32 > r / 32) return before.at(r, c);\n"
              "    float sum = 0;\n"
              "    for (size_t k = c % 32; k <= c; k += 32) sum += x.at(r, k);\n"
              "    return sum;\n  });\n");
}

/// 5 blocks of 32 in the sum, of which row m of blocks has (3 m + 2) / 2.
Result<AffineKernel> triangularGemm() {
  Result<AffineKernel> kernel = affinizeText(kernelText("gemm_param"), gemmArguments(200, 300, 160), std::nullopt,
                                             {{"BLOCK_M", 64}, {"BLOCK_N", 128}, {"BLOCK_K", 32}});
  if (kernel)
    kernel->program.indices[2].trips = mesh::TripCount{{{3, 0}, 2}, 2, 5};
  return kernel;
}

TEST(KernelCode, GemmOfATriangle) {
  std::string main = mainOfGemm("gemm_param"), all = "k < a.columns";
  main.replace(main.find(all), all.size(), "k < std::min<size_t>(5, (3 * (r / 64) + 2) / 2) * 32");
  expectRight(triangularGemm(), main);
}

/// B is sent along the rows of blocks, to cores that need more of it than others.
mesh::Plan triangularPlan() {
  mesh::Plan plan;
  plan.splits = {{{0}}, {{1}}};
  plan.waves = {0, 1};
  plan.loads = {{mesh::Movement::Broadcast, {1}, {0}, 3, 1, 0, 2}, {mesh::Movement::Broadcast, {0}, {1}, 3, 1, 0, 2}};
  plan.stores = {{2, 0}};
  return plan;
}

void expectRightTriangle(const mesh::Plan &plan) {
  Result<AffineKernel> kernel = triangularGemm();
  ASSERT_TRUE(kernel) << describe(kernel);
  std::string main = mainOfGemm("gemm_param"), all = "k < a.columns";
  main.replace(main.find(all), all.size(), "k < std::min<size_t>(5, (3 * (r / 64) + 2) / 2) * 32");
  expectRight(print(plan, kernel->program, mesh::examples::grid(2, 2)), main);
}

TEST(KernelCode, GemmOfATriangleWithBroadcasts) { expectRightTriangle(triangularPlan()); }

/// The second wave begins with the last row; B is kept for both.
TEST(KernelCode, GemmOfATriangleInTurningWaves) {
  mesh::Plan plan = triangularPlan();
  plan.splits[0].turns = true;
  plan.waves = {1, 0};
  plan.loads[1].level = 1;
  plan.loads[1].tiles = 5;
  expectRightTriangle(plan);
}

/// 0, 1, 3 and 4 of 5 blocks: the sum of the first rows is what it begins with.
TEST(KernelCode, LoopsWithoutIterations) {
  Result<AffineKernel> kernel = triangularGemm();
  ASSERT_TRUE(kernel) << describe(kernel);
  kernel->program.indices[2].trips->affine.constant = 0;
  std::string main = mainOfGemm("gemm_param"), all = "k < a.columns";
  main.replace(main.find(all), all.size(), "k < 3 * (r / 64) / 2 * 32");
  expectRight(kernel, main);
}

/// An argument in all elements.
TEST(KernelCode, LoopThatBeginsWithAnArgument) {
  Result<AffineKernel> kernel = affinizeText(kernelText("gemm_param"), gemmArguments(200, 300, 160), std::nullopt,
                                             {{"BLOCK_M", 64}, {"BLOCK_N", 128}, {"BLOCK_K", 32}});
  ASSERT_TRUE(kernel) << describe(kernel);
  kernel->program.scalars = {"bias"};
  kernel->program.body[0].carries[0].first = {mesh::TileOperand::Kind::Argument, 0};
  std::string main = mainOfGemm("gemm_param"), buffers = "c.buffer()", zero = "sum = 0";
  main.replace(main.find(buffers), buffers.size(), "c.buffer(), 2.5f");
  main.replace(main.find(zero), zero.size(), "sum = 2.5f");
  expectRight(kernel, main);
}

struct Fault {
  const char *name;
  std::string Code::*file;
  const char *before, *after;
  const char *message; ///< Of the model, or of the comparison.
};
class MutilatedAttention : public testing::TestWithParam<Fault> {};

/// A line of the right code is changed.
TEST_P(MutilatedAttention, IsNoticed) {
  Result<AffineKernel> kernel = attention();
  ASSERT_TRUE(kernel) << describe(kernel);
  Code code = codeOf(kernel->program);
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  std::string &text = code.*GetParam().file;
  size_t at = text.find(GetParam().before);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, std::string(GetParam().before).size(), GetParam().after);
  std::string noticed = PrintedProgram(code).run(kMainOfAttention);
  EXPECT_TRUE(noticed.starts_with("./main")) << noticed; // It compiles.
  EXPECT_NE(noticed.find(GetParam().message), std::string::npos) << noticed;
}

INSTANTIATE_TEST_SUITE_P(
    , MutilatedAttention,
    testing::Values(Fault{"FactorsOfReductions", &Code::reader, "i % 128 < 8", "i % 128 < 16", "first rows of faces"},
                    Fault{"Transposition", &Code::compute, "mm_init_short(cb_q, cb_k, 1);",
                          "mm_init_short(cb_q, cb_k, 0);", "is"},
                    Fault{"Maximum", &Code::compute, "reduce_tile<PoolType::MAX", "reduce_tile<PoolType::SUM", "is"},
                    Fault{"Beginning", &Code::compute, "fill_tile(0, -__builtin_inff())", "fill_tile(0, 1e30f)", "is"}),
    [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tawa::metalium::tests
