// Integer hints of a text (tt.divisibility): those that make an access wider become alignments that a launch checks,
// the others do not.
#include "compiler/pipeline/Compiler.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace tawa;

/// y[i] = x[i] for i < n, at an offset that no access can profit from.
static std::string copyKernel(const std::string &attributesOfN) {
  return R"(
tt.func public @copy(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32)" +
         attributesOfN + R"(, %unused: i32 {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %xp, %m : tensor<1024x!tt.ptr<f32>>
  %us = tt.splat %unused : i32 -> tensor<1024xi32>
  %uf = arith.sitofp %us : tensor<1024xi32> to tensor<1024xf32>
  %s = arith.addf %v, %uf : tensor<1024xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %yp, %s, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
})";
}

static Result<CompileOutput> layOut(const std::string &text, std::vector<ArgumentFacts> facts = {}) {
  CompileInput input;
  input.arguments = std::move(facts);
  input.text = text;
  input.name = "copy.mlir";
  input.emit = EmitStage::Tawa;
  return compileKernel(input);
}

TEST(Hints, ReliedOnWhereAnAccessIsWiderForThem) {
  auto output = layOut(copyKernel(" {tt.divisibility = 16 : i32}"));
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_NE(output->text.find("tawa.vector = 4"), std::string::npos);
  const auto &arguments = output->artifact.arguments;
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].alignment, 16u); // pointers always
  EXPECT_EQ(arguments[2].alignment, 16u) << "the mask is whole groups only if n is a multiple";
  EXPECT_EQ(arguments[3].alignment, 0u) << "no access asks for it";
}

TEST(Hints, WithoutThemAccessesAreNarrowAndNothingIsChecked) {
  auto output = layOut(copyKernel(""));
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_EQ(output->text.find("tawa.vector = 4"), std::string::npos);
  EXPECT_EQ(output->artifact.arguments[2].alignment, 0u);
}

TEST(Hints, ReliedOnWhereColumnsDoNotWrapForThem) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/framework/gemm_lora_shrink.mlir");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto output = layOut(text); // columns modulo n, in tiles of 16, are loaded by TMA
  ASSERT_TRUE(output) << output.status().message();
  for (const LogicalArgument &argument : output->artifact.arguments)
    if (argument.name == "n" || argument.name == "m")
      EXPECT_EQ(argument.alignment, argument.name == "n" ? 16u : 0u) << argument.name;
}

TEST(Hints, ReliedOnWhereStoredRowsEndAtWholePiecesForThem) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/gemm_ptr_masked.mlir");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto output = layOut(text); // TMA stores whole 16 bytes, and the mask ends at N
  ASSERT_TRUE(output) << output.status().message();
  for (const LogicalArgument &argument : output->artifact.arguments)
    if (argument.name == "N" || argument.name == "M")
      EXPECT_EQ(argument.alignment, argument.name == "N" ? 16u : 0u) << argument.name;
}

TEST(Hints, ACallersPromiseCountsLikeTheTexts) {
  ArgumentFacts pointer, number;
  pointer.kind = LogicalArgument::Kind::Tensor;
  pointer.elementType = ElementType::F32;
  number.kind = LogicalArgument::Kind::Scalar;
  number.elementType = ElementType::I32;
  ArgumentFacts promised = number;
  promised.alignment = 8;
  auto output = layOut(copyKernel(""), {pointer, pointer, promised, number});
  ASSERT_TRUE(output) << output.status().message();
  EXPECT_NE(output->text.find("tawa.vector = 4"), std::string::npos);
  EXPECT_EQ(output->artifact.arguments[2].alignment, 8u);
}
