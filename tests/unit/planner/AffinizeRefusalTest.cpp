// Each reason for which a kernel has no tile program, with the operation and line that it is said of.
#include "tests/unit/planner/AffinizeTestSupport.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

/// A kernel over x and y (64 x 64 floats), indices t (64 integers) and n, with these lines between declarations and
/// stores.
std::string kernelWith(const std::string &lines, const std::string &address = "%p") {
  return R"(tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %t: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %base = arith.muli %pid, %c64 : i32
  %bases = tt.splat %base : i32 -> tensor<64xi32>
  %offsets = arith.addi %bases, %range : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %q = tt.addptr %ys, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
)" + lines +
         "\n  %v = tt.load " + address + R"( : tensor<64x!tt.ptr<f32>>
  tt.store %q, %v : tensor<64x!tt.ptr<f32>>
  tt.return
})";
}

constexpr uint32_t kPrograms = 64;

std::string reasonOf(const std::string &text, uint32_t programs = kPrograms) {
  ArgumentFacts matrix = tensorFacts(ElementType::F32, {64, 64});
  Result<AffineKernel> kernel =
      affinizeText(text, {matrix, matrix, tensorFacts(ElementType::I32, {64}), integerFacts(64)},
                   std::array<uint32_t, 3>{programs, 1, 1});
  return kernel ? "" : kernel.status().message();
}

testing::AssertionResult refuses(const std::string &message, const std::string &place, AffinizeReason reason) {
  if (message == "kernel.mlir:" + place + " " + std::string(textOf(reason)))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << message << "'";
}

TEST(AffinizeRefusal, TheKernelOfTheseTestsIsAffine) { EXPECT_EQ(reasonOf(kernelWith("")), ""); }

TEST(AffinizeRefusal, ControlFlow) {
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %address = tt.addptr %t, %i : !tt.ptr<i32>, i32
    %next = tt.load %address : !tt.ptr<i32>
    %more = arith.cmpi slt, %next, %n : i32
    scf.condition(%more) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  %to = tt.addptr %t, %end : !tt.ptr<i32>, i32
  tt.store %to, %end : !tt.ptr<i32>)")),
                      "15:10: error: 'scf.while'", AffinizeReason::WhileLoop));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %first = arith.cmpi eq, %pid, %zero : i32
  scf.if %first {
    tt.store %t, %n : !tt.ptr<i32>
  })")),
                      "16:3: error: 'scf.if'", AffinizeReason::Condition));
}

TEST(AffinizeRefusal, Effects) {
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %true = arith.constant true
  %old = tt.atomic_rmw add, acq_rel, gpu, %t, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32)")),
                      "16:10: error: 'tt.atomic_rmw'", AffinizeReason::Atomic));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  tt.print "n" {hex = false, isSigned = array<i32: 1>} : %n : i32)")),
                      "15:3: error: 'tt.print'", AffinizeReason::SideEffect));
}

TEST(AffinizeRefusal, Addresses) {
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %ts = tt.splat %t : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %from = tt.addptr %ts, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %rows = tt.load %from : tensor<64x!tt.ptr<i32>>
  %gather = tt.addptr %xs, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>)",
                                          "%gather")),
                      "19:8: error: 'tt.load'", AffinizeReason::AddressDependsOnData));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %squares = arith.muli %range, %range : tensor<64xi32>
  %far = tt.addptr %xs, %squares : tensor<64x!tt.ptr<f32>>, tensor<64xi32>)",
                                          "%far")),
                      "17:8: error: 'tt.load'", AffinizeReason::AddressNotAffine));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %sixty = arith.constant dense<60> : tensor<64xi32>
  %around = arith.remsi %offsets, %sixty : tensor<64xi32>
  %wrapped = tt.addptr %xs, %around : tensor<64x!tt.ptr<f32>>, tensor<64xi32>)",
                                          "%wrapped")),
                      "18:8: error: 'tt.load'", AffinizeReason::RemainderWrapsInTile));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %two = arith.constant dense<2> : tensor<64xi32>
  %even = arith.muli %range, %two : tensor<64xi32>
  %spread = tt.addptr %xs, %even : tensor<64x!tt.ptr<f32>>, tensor<64xi32>)",
                                          "%spread")),
                      "18:8: error: 'tt.load'", AffinizeReason::NotABlock));
}

// A table of rows that only each program knows.
TEST(AffinizeRefusal, TensorsThatDifferBetweenPrograms) {
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %one64 = arith.constant 1 : i64
  %row = tt.addptr %x, %base : !tt.ptr<f32>, i32
  %d = tt.make_tensor_descriptor %row, [%c64], [%one64] : <f32>, <tensor<64xf32>>
  %part = tt.descriptor_load %d[%zero] : !tt.tensordesc<tensor<64xf32>> -> tensor<64xf32>
  tt.store %q, %part : tensor<64x!tt.ptr<f32>>)")),
                      "18:11: error: 'tt.descriptor_load'", AffinizeReason::TensorNotFixed));
}

TEST(AffinizeRefusal, MasksFromMemory) {
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %length = tt.load %t : !tt.ptr<i32>
  %lengths = tt.splat %length : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %range, %lengths : tensor<64xi32>
  %some = tt.load %p, %mask : tensor<64x!tt.ptr<f32>>
  tt.store %q, %some : tensor<64x!tt.ptr<f32>>)")),
                      "18:11: error: 'tt.load'", AffinizeReason::MaskDependsOnData));
}

/// What a program reads of a tensor that it stores to.
std::string inPlace(const std::string &lines) {
  return kernelWith(R"(
  %row = arith.constant dense<64> : tensor<64xi32>
  %more = arith.addi %offsets, %row : tensor<64xi32>
  %beside = tt.addptr %ys, %more : tensor<64x!tt.ptr<f32>>, tensor<64xi32>)" +
                    lines);
}

TEST(AffinizeRefusal, TensorsThatAreReadAndWritten) {
  EXPECT_EQ(reasonOf(inPlace(R"(
  %before = tt.load %q : tensor<64x!tt.ptr<f32>>
  tt.store %q, %before : tensor<64x!tt.ptr<f32>>)")),
            "");
  // What the next program stores.
  EXPECT_TRUE(refuses(reasonOf(inPlace(R"(
  %before = tt.load %beside : tensor<64x!tt.ptr<f32>>
  tt.store %q, %before : tensor<64x!tt.ptr<f32>>)")),
                      "18:13: error: 'tt.load'", AffinizeReason::ReadsWhatItWrites));
  // What the same program has stored.
  EXPECT_TRUE(refuses(reasonOf(inPlace(R"(
  %before = tt.load %q : tensor<64x!tt.ptr<f32>>
  tt.store %q, %before : tensor<64x!tt.ptr<f32>>
  %after = tt.load %q : tensor<64x!tt.ptr<f32>>
  tt.store %q, %after : tensor<64x!tt.ptr<f32>>)")),
                      "20:12: error: 'tt.load'", AffinizeReason::ReadsWhatItWrites));
  // In an earlier iteration.
  EXPECT_TRUE(refuses(reasonOf(inPlace(R"(
  scf.for %i = %zero to %n step %one : i32 {
    %before = tt.load %q : tensor<64x!tt.ptr<f32>>
    tt.store %q, %before : tensor<64x!tt.ptr<f32>>
  })")),
                      "19:15: error: 'tt.load'", AffinizeReason::ReadsWhatItWrites));
}

std::string loopTo(const std::string &before, const std::string &bound) {
  return kernelWith(before + R"(
  scf.for %i = %zero to )" +
                    bound + R"( step %one : i32 {
    %w = tt.load %p : tensor<64x!tt.ptr<f32>>
    tt.store %q, %w : tensor<64x!tt.ptr<f32>>
  })");
}

TEST(AffinizeRefusal, TripCounts) {
  EXPECT_TRUE(refuses(reasonOf(loopTo("  %length = tt.load %t : !tt.ptr<i32>", "%length")), "15:3: error: 'scf.for'",
                      AffinizeReason::TripCountDependsOnData));
  EXPECT_EQ(reasonOf(loopTo("", "%pid")), "");
  EXPECT_TRUE(refuses(reasonOf(loopTo("  %square = arith.muli %pid, %pid : i32", "%square")), "15:3: error: 'scf.for'",
                      AffinizeReason::TripCountNotAffine));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  scf.for %i = %zero to %n step %one : i32 {
    scf.for %j = %zero to %i step %one : i32 {
      %w = tt.load %p : tensor<64x!tt.ptr<f32>>
      tt.store %q, %w : tensor<64x!tt.ptr<f32>>
    }
  })")),
                      "16:5: error: 'scf.for'", AffinizeReason::TripCountDependsOnLoop));
}

TEST(AffinizeRefusal, Grids) {
  EXPECT_TRUE(refuses(reasonOf(kernelWith(R"(
  %square = arith.muli %pid, %pid : i32
  %far = tt.addptr %x, %square : !tt.ptr<f32>, i32
  %fars = tt.splat %far : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %there = tt.addptr %fars, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>)",
                                          "%there")),
                      "19:8: error: 'tt.load'", AffinizeReason::GridNotABox));
  EXPECT_TRUE(refuses(reasonOf(kernelWith(""), 1 << 21), "1:1: error: 'tt.func'", AffinizeReason::GridTooLarge));
}

TEST(AffinizeRefusal, Arguments) {
  std::vector<ArgumentFacts> arguments = gemmArguments(1024, 2048, 512);
  auto reason = [&](const char *name, auto change) {
    std::vector<ArgumentFacts> changed = arguments;
    change(changed);
    return describe(affinizeText(kernelText(name), changed, std::array<uint32_t, 3>{64, 1, 1}));
  };
  EXPECT_EQ(reason("gemm_tma", [](auto &facts) { facts.pop_back(); }),
            "kernel.mlir: the kernel takes 6 arguments, not 5");
  EXPECT_EQ(reason("gemm_tma", [](auto &facts) { facts[0].shape = {1}; }),
            "kernel.mlir: argument 'a' needs a shape of positive numbers, 2 of them");
  EXPECT_EQ(reason("gemm_tma", [](auto &facts) { facts[0] = integerFacts(1); }),
            "kernel.mlir: argument 'a' is a tensor and needs a shape");
  EXPECT_EQ(reason("gemm_tma", [](auto &facts) { facts[5] = facts[0]; }), "kernel.mlir: argument 'K' is a scalar");
  EXPECT_EQ(reason("gemm_tma", [](auto &facts) { facts[5].kind = LogicalArgument::Kind::Scalar; }),
            "kernel.mlir: argument 'K' is an integer and needs a value");
  EXPECT_EQ(describe(affinizeText(kernelText("gemm_tma"), arguments, std::nullopt)),
            "kernel.mlir: the text does not say its grid (tawa.grid); give one");
}

} // namespace
} // namespace tawa
