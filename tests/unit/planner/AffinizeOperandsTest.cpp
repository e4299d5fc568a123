// What operators read exactly, which code of them is printed from.
#include "tests/unit/planner/AffinizeTestSupport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tawa {
namespace {

using mesh::TileOperand;
using mesh::TileStep;

class AttentionOperands : public testing::Test {
protected:
  void SetUp() override {
    ArgumentFacts matrix = tensorFacts(ElementType::F16, {256, 64});
    Result<AffineKernel> made = affinizeText(kernelText("attention/fwd"),
                                             {matrix, matrix, matrix, matrix, tensorFacts(ElementType::F32, {256}),
                                              floatFacts(), integerFacts(128), integerFacts(2)},
                                             std::nullopt, {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"HEAD_DIM", 64}});
    ASSERT_TRUE(made) << describe(made);
    program = made->program;
    auto found = std::ranges::find(program.body, TileStep::Kind::Loop, &TileStep::kind);
    ASSERT_NE(found, program.body.end());
    loop = *found;
    atLoop = static_cast<int>(found - program.body.begin());
  }

  /// The only, or the first, of this name.
  const mesh::TileOperator &inLoop(const std::string &name, int number = 0) const {
    for (const TileStep &step : loop.body)
      if (step.op.name == name && number-- == 0)
        return step.op;
    ADD_FAILURE() << "no " << name;
    return loop.op;
  }

  mesh::TileProgram program;
  TileStep loop;
  int atLoop = -1;
};

TEST_F(AttentionOperands, LoopCarriesOutputSumAndMaximum) {
  ASSERT_EQ(loop.carries.size(), 3u);
  EXPECT_EQ(loop.carries[0].first.value, 0);
  EXPECT_EQ(loop.carries[2].first.kind, TileOperand::Kind::Constant);
  EXPECT_EQ(loop.carries[2].first.value, -INFINITY);
  EXPECT_EQ(loop.body[loop.carries[0].next.step].op.name, "tt.dot");
  EXPECT_EQ(loop.body[loop.carries[2].next.step].op.name, "arith.maxnumf");
  const TileOperand &most = inLoop("arith.maxnumf").reads[0];
  EXPECT_EQ(most.kind, TileOperand::Kind::Carried);
  EXPECT_EQ(most.result, 2);
}

TEST_F(AttentionOperands, Reductions) {
  const mesh::TileOperator &most = inLoop("tt.reduce"), &sum = inLoop("tt.reduce", 1);
  EXPECT_EQ(most.combines, "arith.maxnumf");
  EXPECT_EQ(sum.combines, "arith.addf");
  EXPECT_EQ(most.axis, 1);
  EXPECT_EQ(most.shape, std::vector<int64_t>{64});
}

/// The maximum of each row is subtracted in all columns; the scale is one number, and computed before the loop.
TEST_F(AttentionOperands, RepeatedValues) {
  const mesh::TileOperator &difference = inLoop("arith.subf");
  EXPECT_EQ(difference.reads[1].spread, TileOperand::Spread::Columns);
  EXPECT_EQ(loop.body[difference.reads[1].step].op.name, "arith.maxnumf");
  const TileOperand &scale = inLoop("arith.mulf").reads[1];
  EXPECT_EQ(scale.spread, TileOperand::Spread::All);
  EXPECT_EQ(scale.outer, 1);
  ASSERT_EQ(scale.kind, TileOperand::Kind::Step);
  const mesh::TileOperator &factor = program.body[scale.step].op;
  EXPECT_EQ(factor.reads[0].kind, TileOperand::Kind::Argument);
  EXPECT_EQ(program.scalars, std::vector<std::string>{"scale"});
}

/// Q is loaded outside of the loop, K is transposed; the second product reads narrowed weights.
TEST_F(AttentionOperands, Products) {
  const mesh::TileOperator &scores = inLoop("tt.dot"), &output = inLoop("tt.dot", 1);
  EXPECT_EQ(scores.reads[0].outer, 1);
  EXPECT_EQ(program.body[scores.reads[0].step].kind, TileStep::Kind::Load);
  EXPECT_TRUE(scores.reads[1].isTransposed);
  const mesh::TileOperator &narrowed = loop.body[output.reads[0].step].op;
  EXPECT_EQ(narrowed.name, "arith.truncf");
  EXPECT_EQ(narrowed.type, ElementType::F16);
}

TEST_F(AttentionOperands, ResultsOfTheLoop) {
  auto last = std::ranges::find(program.body, "arith.divf", [](const TileStep &step) { return step.op.name; });
  ASSERT_NE(last, program.body.end());
  EXPECT_EQ(last->op.reads[0].step, atLoop);
  EXPECT_EQ(last->op.reads[0].result, 0);
  EXPECT_EQ(last->op.reads[1].result, 1);
  EXPECT_EQ(last->op.reads[1].spread, TileOperand::Spread::Columns);
}

} // namespace
} // namespace tawa
