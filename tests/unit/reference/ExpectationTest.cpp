// The comparison used by conformance tests: it accepts results of another order or of a fused product, and nothing
// else.
#include "compiler/reference/Expectation.h"

#include "compiler/reference/Elements.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tawa::reference {
namespace {

/// Sums rows of 64 numbers, and stores their products and what they are as integers.
const char *const kText = R"(module {
  tt.func public @k(%p: !tt.ptr<f32>, %sum: !tt.ptr<f32>, %product: !tt.ptr<f32>, %whole: !tt.ptr<i32>) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %a = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %at = tt.addptr %a, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %x = tt.load %at : tensor<64x!tt.ptr<f32>>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<64xf32>) -> f32
    tt.store %sum, %s : !tt.ptr<f32>
    %y = arith.maxnumf %x, %x : tensor<64xf32>
    %b = tt.splat %product : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %bt = tt.addptr %b, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %bt, %y : tensor<64x!tt.ptr<f32>>
    %n = arith.fptosi %x : tensor<64xf32> to tensor<64xi32>
    %c = tt.splat %whole : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %ct = tt.addptr %c, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %ct, %n : tensor<64x!tt.ptr<i32>>
    tt.return
  }
})";

class ExpectationTest : public testing::Test {
protected:
  ExpectationTest() {
    program.text = kText;
    program.name = "k.mlir";
    for (auto [type, count] : {std::pair(ElementType::F32, 64), std::pair(ElementType::F32, 1),
                               std::pair(ElementType::F32, 64), std::pair(ElementType::I32, 64)}) {
      LaunchArgument arg;
      arg.type = type;
      arg.shape = {count};
      arg.bytes.resize(arg.byteCount());
      program.args.push_back(arg);
    }
    for (int i = 0; i < 64; ++i)
      writeNumber(ElementType::F32, 100 * std::sin(i + 1), program.args[0].bytes.data() + 4 * i);
    expectation.emplace(program);
  }

  /// What comparison says when an element of a right result is moved.
  std::string moved(size_t argument, size_t element, double by) {
    Outputs outputs = expectation->outputs();
    char *at = outputs[argument].data() + element * elementBytes(program.args[argument].type);
    writeNumber(program.args[argument].type, readNumber(program.args[argument].type, at) + by, at);
    return expectation->compare(outputs, tally);
  }

  LaunchedText program;
  std::optional<Expectation> expectation;
  Tally tally;
};

TEST_F(ExpectationTest, TakesTheExactResult) {
  ASSERT_EQ(expectation->status().message(), "");
  EXPECT_EQ(expectation->compare(expectation->outputs(), tally), "");
  EXPECT_EQ(tally.close + tally.undefined, 0u);
  EXPECT_EQ(tally.equal, 1 + 64 + 63u); // one of the integers is 0, as it was
}

TEST_F(ExpectationTest, TakesRoundingWhereThereIsSome) {
  EXPECT_EQ(moved(1, 0, 1e-5), "");
  EXPECT_EQ(tally.close, 1u);
  EXPECT_NE(moved(1, 0, 1e-2), "");
}

TEST_F(ExpectationTest, TakesNoneWhereThereIsNone) {
  EXPECT_NE(moved(2, 3, 1e-5), "");
  EXPECT_NE(moved(3, 3, 1), "");
}

// Programs that store the same number: perturbed, each has a little different one.
TEST_F(ExpectationTest, TakesRoundingWhereProgramsStoreTheSame) {
  program.grid = {3, 1, 1};
  expectation.emplace(program);
  ASSERT_EQ(expectation->status().message(), "");
  EXPECT_EQ(moved(1, 0, 1e-5), "");
  EXPECT_NE(moved(1, 0, 1e-2), "");
  EXPECT_NE(moved(2, 3, 1e-5), "");
}

TEST_F(ExpectationTest, NoticesWhatMustNotBeTouched) { EXPECT_NE(moved(0, 5, 1), ""); }

} // namespace
} // namespace tawa::reference
