// Code of masks: selections by comparisons of indices.
#include "tests/unit/metalium/KernelCodeSupport.h"

#include <gtest/gtest.h>

namespace tawa::metalium::tests {
namespace {

Result<AffineKernel> causalAttention(int64_t rows, int64_t keys, int64_t heads = 2) {
  ArgumentFacts matrix = tensorFacts(ElementType::F16, {128 * heads, 64});
  return affinizeText(kernelText("attention/fwd_causal"),
                      {matrix, matrix, matrix, matrix, tensorFacts(ElementType::F32, {128 * heads}), floatFacts(),
                       integerFacts(128), integerFacts(heads)},
                      std::nullopt, {{"BLOCK_M", rows}, {"BLOCK_N", keys}, {"HEAD_DIM", 64}});
}

/// Keys up to the row.
std::string mainOfCausalAttention(int64_t heads = 2) {
  std::string main = kMainOfAttention;
  auto replaceAll = [&](const std::string &before, const std::string &after) {
    for (size_t at = main.find(before); at != std::string::npos; at = main.find(before, at + after.size()))
      main.replace(at, before.size(), after);
  };
  replaceAll("n < length", "n <= row % length");
  replaceAll("create_fwd(", "create_fwd_causal(");
  replaceAll("256", std::to_string(128 * heads));
  return main;
}

/// Of the first rows no block is before the diagonal: the first loop has no iterations. The second one has one.
TEST(MaskCode, CausalAttention) { expectRight(causalAttention(64, 64), mainOfCausalAttention()); }

/// The second loop has two iterations; the mask depends on the loop's index.
TEST(MaskCode, CausalAttentionInNarrowBlocks) { expectRight(causalAttention(64, 32), mainOfCausalAttention()); }

/// Three heads on two rows of cores: half of them have nothing to do in the second wave.
TEST(MaskCode, CausalAttentionWithIdleCores) { expectRight(causalAttention(64, 64, 3), mainOfCausalAttention(3)); }

/// The keys before the diagonal are sent along the columns of cores: all stay in the loop until the longest has ended.
TEST(MaskCode, CausalAttentionWithBroadcasts) {
  Result<AffineKernel> kernel = causalAttention(64, 32);
  ASSERT_TRUE(kernel) << describe(kernel);
  mesh::Plan plan = planOf(kernel->program);
  for (int load : {1, 2})
    plan.loads[load] = {mesh::Movement::Broadcast, {0}, {1}, 3, 1, 0, 2};
  expectRight(print(plan, kernel->program, mesh::examples::grid(2, 2)), mainOfCausalAttention());
}

/// Elements of a band below the diagonal are doubled, other ones are -1; those of the diagonal are 7. The last columns
/// are cut off by a comparison of vectors.
const char *const kBand = R"(tt.func public @band(
    %x: !tt.tensordesc<tensor<64x64xf32>>, %x_rows: i32, %x_cols: i32, %x_row_stride: i64, %x_col_stride: i64,
    %y: !tt.tensordesc<tensor<64x64xf32>>, %y_rows: i32, %y_cols: i32, %y_row_stride: i64, %y_col_stride: i64) {
  %c64 = arith.constant 64 : i32
  %width = arith.constant dense<40> : tensor<64x64xi32>
  %bound = arith.constant dense<150> : tensor<64xi32>
  %two = arith.constant dense<2.0> : tensor<64x64xf32>
  %seven = arith.constant dense<7.0> : tensor<64x64xf32>
  %other = arith.constant dense<-1.0> : tensor<64x64xf32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %pid_m = tt.get_program_id x : i32
  %pid_n = tt.get_program_id y : i32
  %row = arith.muli %pid_m, %c64 : i32
  %column = arith.muli %pid_n, %c64 : i32
  %first_row = tt.splat %row : i32 -> tensor<64xi32>
  %first_column = tt.splat %column : i32 -> tensor<64xi32>
  %rows = arith.addi %first_row, %range : tensor<64xi32>
  %columns = arith.addi %first_column, %range : tensor<64xi32>
  %row_column = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %r = tt.broadcast %row_column : tensor<64x1xi32> -> tensor<64x64xi32>
  %column_row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %c = tt.broadcast %column_row : tensor<1x64xi32> -> tensor<64x64xi32>
  %end = arith.addi %c, %width : tensor<64x64xi32>
  %below = arith.cmpi sge, %r, %c : tensor<64x64xi32>
  %near = arith.cmpi slt, %r, %end : tensor<64x64xi32>
  %inside = arith.cmpi sle, %columns, %bound : tensor<64xi32>
  %inside_row = tt.expand_dims %inside {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
  %insides = tt.broadcast %inside_row : tensor<1x64xi1> -> tensor<64x64xi1>
  %strip = arith.andi %below, %near : tensor<64x64xi1>
  %band = arith.andi %strip, %insides : tensor<64x64xi1>
  %equal = arith.cmpi eq, %r, %c : tensor<64x64xi32>
  %tile = tt.descriptor_load %x[%row, %column] : !tt.tensordesc<tensor<64x64xf32>> -> tensor<64x64xf32>
  %double = arith.mulf %tile, %two : tensor<64x64xf32>
  %kept = arith.select %band, %double, %other : tensor<64x64xi1>, tensor<64x64xf32>
  %result = arith.select %equal, %seven, %kept : tensor<64x64xi1>, tensor<64x64xf32>
  tt.descriptor_store %y[%row, %column], %result : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
})";

TEST(MaskCode, Band) {
  ArgumentFacts matrix = tensorFacts(ElementType::F32, {256, 192});
  expectRight(affinizeText(kBand, {matrix, matrix}, std::array<uint32_t, 3>{4, 3, 1}),
              "  Matrix x(256, 192, tt::DataFormat::Float32), y(256, 192, tt::DataFormat::Float32);\n"
              "  x.fill(1); x.upload();\n"
              "  run(create_band(device, \".\", x.buffer(), y.buffer()));\n"
              "  y.download();\n"
              "  return compare(y, [&](size_t r, size_t c) {\n"
              "    if (r == c) return 7.0f;\n"
              "    return c <= r && r < c + 40 && c <= 150 ? 2 * x.at(r, c) : -1.0f;\n  });\n");
}

/// Vectors lie in rows of pages. The sign changes at element 5000.
const char *const kStep = R"(tt.func public @step(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %c2048 = arith.constant 2048 : i32
  %bound = arith.constant dense<5000> : tensor<2048xi32>
  %range = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c2048 : i32
  %starts = tt.splat %start : i32 -> tensor<2048xi32>
  %i = arith.addi %starts, %range : tensor<2048xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %from = tt.addptr %xs, %i : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  %to = tt.addptr %ys, %i : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  %value = tt.load %from : tensor<2048x!tt.ptr<f32>>
  %negative = arith.negf %value : tensor<2048xf32>
  %late = arith.cmpi sgt, %i, %bound : tensor<2048xi32>
  %result = arith.select %late, %negative, %value : tensor<2048xi1>, tensor<2048xf32>
  tt.store %to, %result : tensor<2048x!tt.ptr<f32>>
  tt.return
})";

TEST(MaskCode, Vector) {
  ArgumentFacts vector = tensorFacts(ElementType::F32, {8192});
  expectRight(affinizeText(kStep, {vector, vector}, std::array<uint32_t, 3>{4, 1, 1}),
              "  Matrix x(1, 8192, tt::DataFormat::Float32, true), y(1, 8192, tt::DataFormat::Float32, true);\n"
              "  x.fill(1, 1.0f / 3); x.upload();\n"
              "  run(create_step(device, \".\", x.buffer(), y.buffer()));\n"
              "  y.download();\n"
              "  return compare(y, [&](size_t r, size_t c) { return c > 5000 ? -x.at(r, c) : x.at(r, c); });\n");
}

/// A bound beyond what a float counts.
TEST(MaskCode, IndicesBeyondFloatsAreRefused) {
  ArgumentFacts vector = tensorFacts(ElementType::F32, {8192});
  std::string text = kStep, bound = "dense<5000>";
  text.replace(text.find(bound), bound.size(), "dense<16777216>");
  Result<AffineKernel> kernel = affinizeText(text, {vector, vector}, std::array<uint32_t, 3>{4, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  Code code = codeOf(kernel->program);
  EXPECT_EQ(code.refusal, Refusal::Mask);
  EXPECT_TRUE(code.detail.starts_with("arith.select by indices up to 1678")) << code.detail;
}

/// A condition that is no conjunction of comparisons by size.
TEST(MaskCode, OtherConditionsAreRefused) {
  ArgumentFacts vector = tensorFacts(ElementType::F32, {8192});
  std::string text = kStep, condition = "cmpi sgt, %i, ";
  text.replace(text.find(condition), condition.size(), "cmpi ne, %i, ");
  Result<AffineKernel> kernel = affinizeText(text, {vector, vector}, std::array<uint32_t, 3>{4, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  Code code = codeOf(kernel->program);
  EXPECT_EQ(code.refusal, Refusal::Operands);
  EXPECT_EQ(code.detail, "arith.select of a value from elsewhere");
}

struct Fault {
  const char *name;
  std::string Code::*file;
  const char *before, *after;
};
class MutilatedMask : public testing::TestWithParam<Fault> {};

/// A line of the right code is changed: the comparison fails.
TEST_P(MutilatedMask, IsNoticed) {
  Result<AffineKernel> kernel = causalAttention(64, 32);
  ASSERT_TRUE(kernel) << describe(kernel);
  Code code = codeOf(kernel->program);
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  std::string &text = code.*GetParam().file;
  size_t at = text.find(GetParam().before);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, std::string(GetParam().before).size(), GetParam().after);
  std::string noticed = PrintedProgram(code).run(mainOfCausalAttention());
  EXPECT_TRUE(noticed.starts_with("./main")) << noticed; // It compiles.
  EXPECT_NE(noticed.find("expected"), std::string::npos) << noticed;
}

INSTANTIATE_TEST_SUITE_P(, MutilatedMask,
                         testing::Values(Fault{"Rows", &Code::reader, "-16, 16, -1, 1", "-16, 16, 1, 1"},
                                         Fault{"Tile", &Code::compute, "32 * i_n_1 + -1", "32 * i_n_1 + 0"},
                                         Fault{"Selection", &Code::compute, "where_fp32_tile(0, 1, 2, 0)",
                                               "where_fp32_tile(0, 2, 1, 0)"}),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tawa::metalium::tests
