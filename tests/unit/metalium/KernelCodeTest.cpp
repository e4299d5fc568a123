// From the text of a kernel to printed code that runs: affinization, a plan, its core program, its code.
#include "tests/unit/metalium/PrintedProgram.h"
#include "tests/unit/planner/AffinizeTestSupport.h"

#include <gtest/gtest.h>

namespace tawa::metalium::tests {
namespace {

/// Rows over y, columns over x, without sharing; or one dimension over all cores.
Code codeOf(const mesh::TileProgram &program) {
  mesh::Plan plan;
  plan.splits =
      program.gridDims == 1 ? std::vector<mesh::GridSplit>{{{0, 1}}} : std::vector<mesh::GridSplit>{{{0}}, {{1}}};
  for (int grid = 0; grid < program.gridDims; ++grid)
    plan.waves.push_back(grid);
  for (const mesh::TileProgram::Place &place : program.loads())
    plan.loads.push_back(
        {mesh::Movement::PerCore, {}, {}, static_cast<int>(plan.waves.size() + place.loops.size()), 1, 0, 2});
  plan.stores = {{2, 0}};
  return print(plan, program, mesh::examples::grid(2, 2));
}

void expectRight(const Result<AffineKernel> &kernel, const std::string &mainBody) {
  ASSERT_TRUE(kernel) << describe(kernel);
  Code code = codeOf(kernel->program);
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  PrintedProgram printed(code);
  EXPECT_EQ(printed.compile(), "");
  EXPECT_EQ(printed.run(mainBody), "");
}

std::string mainOfGemm(const std::string &name) {
  return "  Matrix a(200, 160, tt::DataFormat::Float16), b(300, 160, tt::DataFormat::Float16),\n"
         "      c(200, 300, tt::DataFormat::Float16);\n"
         "  a.fill(1); b.fill(2); a.upload(); b.upload();\n"
         "  run(create_" +
         name +
         "(device, \".\", a.buffer(), b.buffer(), c.buffer()));\n"
         "  c.download();\n"
         "  return compare(c, [&](size_t r, size_t q) {\n"
         "    float sum = 0;\n"
         "    for (size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(q, k);\n"
         "    return sum;\n  });\n";
}

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

/// Reductions and attention are refused, by name.
TEST(KernelCode, Refused) {
  ArgumentFacts rows = tensorFacts(ElementType::F16, {128, 4096});
  Result<AffineKernel> softmax =
      affinizeText(kernelText("softmax_rows"), {rows, rows, integerFacts(4096), integerFacts(4096)},
                   std::array<uint32_t, 3>{128, 1, 1});
  ASSERT_TRUE(softmax) << describe(softmax);
  Code code = codeOf(softmax->program);
  EXPECT_FALSE(code.isOk());
  EXPECT_EQ(code.refusal, Refusal::Block) << code.detail; // rows of one element
}

} // namespace
} // namespace tawa::metalium::tests
