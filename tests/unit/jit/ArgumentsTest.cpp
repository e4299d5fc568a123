#include "runtime/jit/Arguments.h"

#include "tests/unit/jit/TestDevice.h"

#include <gtest/gtest.h>

using namespace tawa;
using namespace tawa::test;

static void expectBreach(const LogicalArgument &logical, const ArgumentValue &promised, const ArgumentValue &given,
                         StatusCode code, const std::string &message) {
  auto value = resolveArgument(logical, promised, given);
  ASSERT_FALSE(value) << message;
  EXPECT_EQ(value.status().code(), code);
  EXPECT_EQ(value.status().message(), "argument '" + logical.name + "': " + message);
}

TEST(Arguments, KindAndType) {
  ArgumentValue matrix = tensorValue(256, {8, 8});
  expectBreach(integerArgument("M"), integerValue(0), matrix, StatusCode::InvalidArgument,
               "is a tensor, the kernel takes a scalar");
  ArgumentValue bytes = matrix;
  bytes.elementType = ElementType::I8;
  expectBreach(tensorArgument("a", 2), matrix, bytes, StatusCode::ShapeMismatch, "has type i8, the kernel takes f16");
}

TEST(Arguments, RankZeroTakesThePromisedShape) {
  auto value = resolveArgument(tensorArgument("a", 2), tensorValue(0, {8, 24}), tensorValue(512, {}));
  ASSERT_TRUE(value) << value.status().message();
  EXPECT_EQ(value->address, 512u);
  EXPECT_EQ(value->rank, 2u);
  EXPECT_EQ(value->shape[1], 24);
  EXPECT_EQ(value->strides[0], 24);
  ArgumentValue partly = tensorValue(0, {kUnknownExtent, 24});
  expectBreach(tensorArgument("a", 2), partly, tensorValue(512, {}), StatusCode::ShapeMismatch,
               "has rank 0, the kernel takes rank 2");
}

TEST(Arguments, PromisesAreKept) {
  LogicalArgument a = tensorArgument("a", 2);
  ArgumentValue promised = tensorValue(0, {kUnknownExtent, 24});
  EXPECT_TRUE(resolveArgument(a, promised, tensorValue(512, {7, 24})));
  expectBreach(a, promised, tensorValue(512, {7, 25}), StatusCode::ShapeMismatch,
               "dimension 1 is 25, the kernel was compiled for 24");
  expectBreach(a, promised, tensorValue(512, {7, 24}, {32, 1}), StatusCode::ShapeMismatch,
               "stride of dimension 0 is 32, the kernel was compiled for 24");
  EXPECT_TRUE(resolveArgument(a, promised, tensorValue(512, {1, 24}, {999, 1})))
      << "strides along extent 1 do not matter";
  expectBreach(a, promised, tensorValue(512, {-1, 24}), StatusCode::ShapeMismatch, "dimension 0 is -1");
}

TEST(Arguments, BarePointersTakeAnyShape) {
  EXPECT_TRUE(resolveArgument(tensorArgument("p", 0), tensorValue(0, {}), tensorValue(512, {})));
  EXPECT_TRUE(resolveArgument(tensorArgument("p", 0), tensorValue(0, {}), tensorValue(512, {3, 4, 5})));
}

TEST(Arguments, StridesTheCodeReliesOn) {
  LogicalArgument a = tensorArgument("a", 2);
  a.strideDivisor = 8;
  EXPECT_TRUE(resolveArgument(a, tensorValue(0, {}), tensorValue(512, {7, 20}, {24, 1})));
  EXPECT_TRUE(resolveArgument(a, tensorValue(0, {}), tensorValue(512, {1, 20}, {20, 1}))) << "one row";
  expectBreach(a, tensorValue(0, {}), tensorValue(512, {7, 20}), StatusCode::InvalidArgument,
               "stride 20 of dimension 0 is not a multiple of 8 elements, which the code relies on; compile again for "
               "this tensor");
}

TEST(Arguments, ColumnsTheCodeReliesOn) {
  LogicalArgument a = tensorArgument("a", 2);
  a.columnDivisor = 8;
  EXPECT_TRUE(resolveArgument(a, tensorValue(0, {}), tensorValue(512, {7, 24}, {32, 1})));
  EXPECT_TRUE(resolveArgument(tensorArgument("a", 2), tensorValue(0, {}), tensorValue(512, {7, 20}, {32, 1})));
  expectBreach(
      a, tensorValue(0, {}), tensorValue(512, {8, 20}, {32, 1}), StatusCode::InvalidArgument,
      "extent 20 of dimension 1 is not a multiple of 8, which the code relies on; compile again for this tensor");
}

TEST(Arguments, AlignmentTheCodeReliesOn) {
  expectBreach(tensorArgument("a", 0, 16), tensorValue(0, {}), tensorValue(24, {}), StatusCode::InvalidArgument,
               "address 24 is not a multiple of 16, which the code relies on");
  expectBreach(integerArgument("M", 16), integerValue(0), integerValue(40), StatusCode::InvalidArgument,
               "value 40 is not a multiple of 16, which the code relies on");
  EXPECT_TRUE(resolveArgument(integerArgument("M", 16), integerValue(0), integerValue(48)));
}

TEST(Arguments, ConstantsAreRepeatedAsCompiled) {
  auto constant = [](int32_t number) { return integerValue(number, LogicalArgument::Kind::Constant); };
  EXPECT_TRUE(resolveArgument(constantArgument("C", -1), constant(-1), constant(-1)));
  expectBreach(constantArgument("C", -1), constant(-1), constant(7), StatusCode::InvalidArgument,
               "is a constant compiled in as -1; compile again for another value");
}
