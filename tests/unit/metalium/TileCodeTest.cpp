// Code of kernels without a product: operators on tiles and on vectors, in registers.
#include "tests/unit/mesh/Examples.h"
#include "tests/unit/metalium/PrintedProgram.h"

#include <gtest/gtest.h>

namespace tawa::metalium::tests {
namespace {

using mesh::Affine;
using mesh::TileStep;

TileStep load(mesh::TileAccess access) {
  TileStep made;
  made.kind = TileStep::Kind::Load;
  made.access = std::move(access);
  return made;
}

TileStep store(mesh::TileAccess access, int position) {
  TileStep made;
  made.kind = TileStep::Kind::Store;
  made.access = std::move(access);
  made.stored = step(position);
  return made;
}

TileStep op(const char *name, std::vector<mesh::TileOperand> reads) {
  TileStep made;
  made.op.name = name;
  made.op.reads = std::move(reads);
  return made;
}

/// z = exp(x - y) * (x + 0.375), of matrices in blocks of 64 x 32.
mesh::TileProgram scaled(int64_t rows, int64_t columns) {
  mesh::TileProgram program;
  program.name = "scaled";
  program.indices = {{"m", (rows + 63) / 64}, {"n", (columns + 31) / 32}};
  program.gridDims = 2;
  for (auto [name, type] : {std::pair{"x", ElementType::F16}, {"y", ElementType::BF16}, {"z", ElementType::F32}})
    program.tensors.push_back({name, {rows, columns}, {columns, 1}, type});
  Affine m{{64, 0}}, n{{0, 32}};
  program.body = {load({0, {64, 32}, {m, n}, 0}),
                  load({1, {64, 32}, {m, n}, 1}),
                  op("arith.subf", {step(0), step(1)}),
                  op("math.exp", {step(2)}),
                  op("arith.addf", {step(0), constant(0.375)}),
                  op("arith.mulf", {step(3), step(4)}),
                  store({2, {64, 32}, {m, n}, 0}, 5)};
  return program;
}

/// y = -|x| of a vector in blocks of 2048.
mesh::TileProgram negated(int64_t size) {
  mesh::TileProgram program;
  program.name = "negated";
  program.indices = {{"i", (size + 2047) / 2048}};
  program.gridDims = 1;
  program.tensors = {{"x", {size}, {1}, ElementType::F32}, {"y", {size}, {1}, ElementType::F32}};
  Affine start{{2048}};
  program.body = {load({0, {2048}, {start}, 0}), op("math.absf", {step(0)}), op("arith.negf", {step(1)}),
                  store({1, {2048}, {start}, 0}, 2)};
  return program;
}

mesh::Plan planOf(const mesh::TileProgram &program, std::vector<mesh::GridSplit> splits) {
  mesh::Plan plan;
  plan.splits = std::move(splits);
  for (int grid = 0; grid < program.gridDims; ++grid)
    plan.waves.push_back(grid);
  plan.loads.assign(program.loads().size(), {mesh::Movement::PerCore, {}, {}, program.gridDims, 1, 0, 2});
  plan.stores = {{2, 0}};
  return plan;
}

void expectRight(const Code &code, const std::string &mainBody) {
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  PrintedProgram printed(code);
  EXPECT_EQ(printed.compile(), "");
  EXPECT_EQ(printed.run(mainBody), "");
}

std::string mainOfScaled(int64_t rows, int64_t columns) {
  std::string size = "(" + std::to_string(rows) + ", " + std::to_string(columns) + ", tt::DataFormat::";
  return "  Matrix x" + size + "Float16), y" + size + "Float16_b), z" + size +
         "Float32);\n"
         "  x.fill(1); y.fill(2); x.upload(); y.upload();\n"
         "  run(create_scaled(device, \".\", x.buffer(), y.buffer(), z.buffer()));\n"
         "  z.download();\n"
         "  return compare(z, [&](size_t r, size_t c) {\n"
         "    return std::exp(x.at(r, c) - y.at(r, c)) * (x.at(r, c) + 0.375f);\n  }, 1e-6f);\n";
}

TEST(TileCode, EightByEight) {
  mesh::TileProgram program = scaled(1000, 300);
  expectRight(print(planOf(program, {{{0}}, {{1}}}), program, mesh::examples::grid(8, 8)), mainOfScaled(1000, 300));
}

TEST(TileCode, OneRowOfEight) {
  mesh::TileProgram program = scaled(200, 300);
  expectRight(print(planOf(program, {{{0}}, {{1}}}), program, mesh::examples::grid(1, 8)), mainOfScaled(200, 300));
}

/// 32-bit elements pass through no narrower ones.
TEST(TileCode, Vector) {
  mesh::TileProgram program = negated(9001);
  expectRight(print(planOf(program, {{{0, 1}}}), program, mesh::examples::grid(2, 2)),
              "  Matrix x(1, 9001, tt::DataFormat::Float32, true), y(1, 9001, tt::DataFormat::Float32, true);\n"
              "  x.fill(1, 1.0f / 3); x.upload();\n"
              "  run(create_negated(device, \".\", x.buffer(), y.buffer()));\n"
              "  y.download();\n"
              "  return compare(y, [&](size_t r, size_t c) { return -std::abs(x.at(r, c)); });\n");
}

} // namespace
} // namespace tawa::metalium::tests
