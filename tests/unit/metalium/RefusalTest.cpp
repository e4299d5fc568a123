// What has no code, and why; and that a fault in printed code is noticed by the model that runs it.
#include "tests/unit/mesh/Examples.h"
#include "tests/unit/metalium/PrintedProgram.h"

#include <gtest/gtest.h>

namespace tawa::metalium::tests {
namespace {

using mesh::TileStep;

/// All loads by each core.
mesh::Plan planOf(const mesh::TileProgram &program, std::vector<int> spatial = {0, 1}) {
  mesh::Plan plan;
  plan.splits.resize(program.gridDims);
  for (int dim : spatial)
    plan.splits[std::min<size_t>(dim, program.gridDims - 1)].spatial.push_back(dim);
  for (int grid = 0; grid < program.gridDims; ++grid)
    plan.waves.push_back(grid);
  for (const mesh::TileProgram::Place &place : program.loads()) {
    int loops = static_cast<int>(plan.waves.size() + place.loops.size());
    plan.loads.push_back({mesh::Movement::PerCore, {}, {}, loops, 1, 0, 2});
  }
  plan.stores.assign(program.stores().size(), {2, 0});
  return plan;
}

Code codeOf(const mesh::TileProgram &program) { return print(planOf(program), program, mesh::examples::grid(2, 2)); }

constexpr mesh::examples::GemmSizes kSizes{128, 128, 128, 64, 64, 32};

TEST(Refusal, OperatorWithoutCounterpartIsNamed) {
  mesh::TileProgram program = exactGemm(kSizes);
  TileStep erf;
  erf.op.name = "math.erf";
  erf.op.reads = {step(0)};
  program.body.insert(program.body.begin() + 1, erf);
  program.body[2].stored = step(1);
  Code code = codeOf(program);
  EXPECT_EQ(code.refusal, Refusal::Operator);
  EXPECT_EQ(code.detail, "math.erf");
  EXPECT_EQ(code.reader, "");
}

/// Where operands are not known exactly, a product could be of the wrong ones.
TEST(Refusal, UnknownOperands) {
  mesh::TileProgram program = exactGemm(kSizes);
  program.body[0].body[2].op.reads[1] = {};
  Code code = codeOf(program);
  EXPECT_EQ(code.refusal, Refusal::Operands);
  EXPECT_EQ(code.detail, "tt.dot of what is not at hand");
}

TEST(Refusal, UnknownReader) {
  Code code = codeOf(mesh::examples::gemm(kSizes));
  EXPECT_EQ(code.refusal, Refusal::Operands);
  EXPECT_EQ(code.detail, "tt.dot whose result nothing reads");
}

TEST(Refusal, TransposedValue) {
  mesh::TileProgram program = exactGemm(kSizes);
  program.body[1].stored.isTransposed = true;
  EXPECT_EQ(codeOf(program).refusal, Refusal::Operands);
}

TEST(Refusal, ProductAddedToOtherThanZeros) {
  mesh::TileProgram program = exactGemm(kSizes);
  program.body[0].body[2].op.reads[2] = constant(1);
  EXPECT_EQ(codeOf(program).refusal, Refusal::Accumulator);
}

TEST(Refusal, ReductionOfColumns) {
  mesh::TileProgram program = exactGemm(kSizes);
  TileStep sums;
  sums.op = {
      .name = "tt.reduce", .operands = {0}, .reads = {step(0)}, .shape = {64}, .axis = 0, .combines = "arith.addf"};
  program.body.insert(program.body.begin() + 1, sums);
  program.body[2].stored = step(1);
  Code code = codeOf(program);
  EXPECT_EQ(code.refusal, Refusal::Operator);
  EXPECT_EQ(code.detail, "tt.reduce of dimension 0 by arith.addf");
}

TEST(Refusal, ReductionByAnotherFunction) {
  mesh::TileProgram program = exactGemm(kSizes);
  TileStep products;
  products.op = {
      .name = "tt.reduce", .operands = {0}, .reads = {step(0)}, .shape = {64}, .axis = 1, .combines = "arith.mulf"};
  program.body.insert(program.body.begin() + 1, products);
  program.body[2].stored = step(1);
  Code code = codeOf(program);
  EXPECT_EQ(code.refusal, Refusal::Operator);
  EXPECT_EQ(code.detail, "tt.reduce of dimension 1 by arith.mulf");
}

TEST(Refusal, BlockOfNoWholeTiles) {
  Code code = codeOf(exactGemm({128, 128, 128, 64, 64, 16}));
  EXPECT_EQ(code.refusal, Refusal::Block);
}

TEST(Refusal, StartBetweenTiles) {
  mesh::TileProgram program = exactGemm(kSizes);
  program.body[0].body[0].access.start[0].constant = 16;
  EXPECT_EQ(codeOf(program).refusal, Refusal::Alignment);
}

TEST(Refusal, ElementType) {
  mesh::TileProgram program = exactGemm(kSizes);
  program.tensors[0].type = ElementType::F64;
  Code code = codeOf(program);
  EXPECT_EQ(code.refusal, Refusal::Element);
  EXPECT_EQ(code.detail, "a of f64");
}

TEST(Refusal, AccumulatorsExceedTheLocalMemory) {
  Code code = codeOf(exactGemm({1024, 1024, 64, 512, 512, 32}));
  EXPECT_EQ(code.refusal, Refusal::LocalMemory);
}

/// The outer loop does not say what it hands on.
TEST(Refusal, ProductInTwoLoops) {
  mesh::TileProgram program = exactGemm({128, 128, 128, 64, 64, 32});
  TileStep outer;
  outer.kind = TileStep::Kind::Loop;
  outer.index = 3;
  outer.body = {program.body[0]};
  program.body[0] = outer;
  program.indices.push_back({"again", 2});
  Code code = codeOf(program);
  EXPECT_EQ(code.refusal, Refusal::Operands);
  EXPECT_EQ(code.detail, "a store of a value from elsewhere");
}

/// The program of a multicast GEMM with one line of a kernel taken out or changed.
struct Fault {
  const char *name;
  std::string Code::*file;
  const char *before, *after;
  const char *message; ///< Of the model.
};
class MutilatedCode : public testing::TestWithParam<Fault> {};

TEST_P(MutilatedCode, IsNoticed) {
  mesh::TileProgram program = exactGemm(kSizes);
  mesh::Plan plan = planOf(program);
  plan.loads[0] = {mesh::Movement::Broadcast, {1}, {0}, 3, 1, 0, 2};
  Code code = print(plan, program, mesh::examples::grid(2, 2));
  ASSERT_TRUE(code.isOk());
  std::string &text = code.*GetParam().file;
  size_t at = text.find(GetParam().before);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, std::string(GetParam().before).size(), GetParam().after);
  std::string noticed =
      PrintedProgram(code).run("  Matrix a(128, 128, tt::DataFormat::Float16), b(128, 128, tt::DataFormat::Float16),\n"
                               "      c(128, 128, tt::DataFormat::Float16);\n"
                               "  a.fill(1); b.fill(2); a.upload(); b.upload();\n"
                               "  run(create_gemm(device, \".\", a.buffer(), b.buffer(), c.buffer()));\n"
                               "  c.download();\n"
                               "  return compare(c, [&](size_t r, size_t q) {\n"
                               "    float sum = 0;\n"
                               "    for (size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(k, q);\n"
                               "    return sum;\n  });\n");
  EXPECT_TRUE(noticed.starts_with("./main")) << noticed; // It compiles.
  EXPECT_NE(noticed.find(GetParam().message), std::string::npos) << noticed;
}

INSTANTIATE_TEST_SUITE_P(
    , MutilatedCode,
    testing::Values(
        Fault{"ReadBarrier", &Code::reader, "noc_async_read_barrier();", "", "element 0, 64"},
        Fault{"Receivers", &Code::reader, "4096, 1);", "4096, 2);", "a multicast to 2 cores"},
        Fault{"LengthOfMulticast", &Code::reader, "4096, 1);", "2048, 1);", "element 32, 64"},
        Fault{"Signal", &Code::reader, "noc_semaphore_inc(", "if (i_k != 2) noc_semaphore_inc(", "deadlock"},
        Fault{"FirstIteration", &Code::compute, "if (i_k != 0)", "if (i_k > 1)", "deadlock"},
        Fault{"Format", &Code::compute, "reconfig_data_format_srca(cb_accumulators_3);", "", "another format"},
        Fault{"Order", &Code::compute, "2 * r + c);", "r + 2 * c);", "element 0, 32"},
        Fault{"LastCore", &Code::host, "noc(core_y, 1)", "noc(core_y, 0)", "a multicast to 1 cores"}),
    [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tawa::metalium::tests
