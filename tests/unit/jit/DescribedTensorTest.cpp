// Tensors that a kernel describes by its arguments.
#include "runtime/jit/DescribedTensor.h"

#include <gtest/gtest.h>

namespace tawa {
namespace {

constexpr uint64_t kAddress = 0x1000;

/// Arguments: a pointer, a 32-bit scalar, a tensor of 4 x 6 with rows of 8.
struct Described : testing::Test {
  KernelArtifact artifact;
  TensorMapRecipe recipe;
  std::array<ArgumentValue, 3> arguments;

  void SetUp() override {
    artifact.entry = "k";
    recipe.elementType = ElementType::F16;
    recipe.shape = {"a1", "a2_shape1"};
    recipe.strides = {"(a2_stride0 * 2)", "1"};
    arguments[0] = {LogicalArgument::Kind::Tensor, ElementType::F16, 0, kAddress, 0, {}, {}};
    arguments[1] = {LogicalArgument::Kind::Scalar, ElementType::I32, 0, 0, 12, {}, {}};
    arguments[2] = {LogicalArgument::Kind::Tensor, ElementType::F32, 2, 0x2000, 0, {4, 6}, {8, 1}};
  }
};

TEST_F(Described, AnArgumentIsTakenAsItIs) {
  recipe.shape.clear();
  recipe.argument = 2;
  auto tensor = describedTensor(artifact, recipe, arguments);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(*tensor, arguments[2]);
}

TEST_F(Described, ShapeAndStridesAreComputed) {
  auto tensor = describedTensor(artifact, recipe, arguments);
  ASSERT_TRUE(tensor) << tensor.status().message();
  EXPECT_EQ(tensor->address, kAddress);
  EXPECT_EQ(tensor->rank, 2u);
  EXPECT_EQ(tensor->shape[0], 12);
  EXPECT_EQ(tensor->shape[1], 6);
  EXPECT_EQ(tensor->strides[0], 16);
  EXPECT_EQ(tensor->strides[1], 1);
}

TEST_F(Described, OffsetsCountElements) {
  recipe.offset = "(a1 * 10)";
  auto tensor = describedTensor(artifact, recipe, arguments);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->address, kAddress + 240);
}

TEST_F(Described, ScalarsHaveSigns) {
  arguments[1].bits = 0xFFFFFFF0; // -16
  recipe.shape[0] = "(0 - a1)";
  auto tensor = describedTensor(artifact, recipe, arguments);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->shape[0], 16);
}

TEST_F(Described, WhatHasNoValueIsSaid) {
  for (const char *expression : {"a7", "a0", "a2_shape2", "a1_shape0", "a1 / 0", "b1"}) {
    recipe.shape[0] = expression;
    auto tensor = describedTensor(artifact, recipe, arguments);
    ASSERT_FALSE(tensor) << expression;
    EXPECT_EQ(tensor.status().code(), StatusCode::InvalidArgument);
    EXPECT_NE(tensor.status().message().find("kernel 'k' describes a tensor"), std::string::npos);
  }
}

} // namespace
} // namespace tawa
