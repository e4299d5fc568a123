#include "runtime/device/TensorMapRules.h"

#include <gtest/gtest.h>

using namespace tawa;

namespace {

/// A tensor of f16 at a good address; strides as given, or contiguous.
ArgumentValue tensor(std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
  ArgumentValue value;
  value.kind = LogicalArgument::Kind::Tensor;
  value.elementType = ElementType::F16;
  value.rank = static_cast<uint32_t>(shape.size());
  value.address = 0x10000;
  std::copy(shape.begin(), shape.end(), value.shape.begin());
  setContiguousStrides(shape.data(), value.rank, value.strides.data());
  std::copy(strides.begin(), strides.end(), value.strides.begin());
  return value;
}

TensorMapRecipe recipe(std::vector<uint32_t> box) {
  TensorMapRecipe made;
  made.box = std::move(box);
  made.swizzle = TensorMapRecipe::Swizzle::B128;
  return made;
}

void expectBroken(const TensorMapRecipe &map, const ArgumentValue &value, StatusCode code, std::string_view words) {
  auto geometry = tensorMapGeometry(map, "query", value);
  ASSERT_FALSE(geometry) << words;
  EXPECT_EQ(geometry.status().code(), code) << geometry.status().message();
  EXPECT_NE(geometry.status().message().find("argument 'query'"), std::string::npos);
  EXPECT_NE(geometry.status().message().find(words), std::string::npos) << geometry.status().message();
}

} // namespace

TEST(TensorMapRules, TurnsTheOrderAroundAndCountsBytes) {
  auto map = tensorMapGeometry(recipe({64, 128, 2}), "a", tensor({3, 100, 72}, {8000, 80, 1}));
  ASSERT_TRUE(map) << map.status().message();
  EXPECT_EQ(map->rank, 3u);
  EXPECT_EQ(map->dims[0], 72u);
  EXPECT_EQ(map->dims[1], 100u);
  EXPECT_EQ(map->dims[2], 3u);
  EXPECT_EQ(map->strideBytes[0], 160u);
  EXPECT_EQ(map->strideBytes[1], 16000u);
  EXPECT_EQ(map->box[0], 64u);
  EXPECT_EQ(map->box[2], 2u);
}

TEST(TensorMapRules, RankOneHasNoStrides) {
  auto map = tensorMapGeometry(recipe({64}), "a", tensor({1000}));
  ASSERT_TRUE(map) << map.status().message();
  EXPECT_EQ(map->rank, 1u);
}

TEST(TensorMapRules, RowsThatBeginAtLines) {
  auto rows = [](int64_t stride, uint64_t offset) {
    ArgumentValue value = tensor({100, 64}, {stride, 1});
    value.address += offset;
    return beginsAtLines(*tensorMapGeometry(recipe({64, 128}), "a", value));
  };
  EXPECT_TRUE(rows(128, 0));
  EXPECT_FALSE(rows(72, 0));
  EXPECT_FALSE(rows(128, 16));
}

TEST(TensorMapRules, TensorsOfTheCaller) {
  auto map = recipe({64, 128});
  expectBroken(map, tensor({8, 8, 64}), StatusCode::ShapeMismatch, "rank is 3");
  expectBroken(map, tensor({0, 64}), StatusCode::ShapeMismatch, "dimension 0 is 0");
  expectBroken(map, tensor({16, (int64_t{1} << 32) + 1}, {int64_t{1} << 33, 1}), StatusCode::ShapeMismatch,
               "dimension 1 is 4294967297");
  expectBroken(map, tensor({16, 64}, {128, 2}), StatusCode::ShapeMismatch, "last dimension (1) is 2");
  expectBroken(map, tensor({16, 60}), StatusCode::ShapeMismatch, "stride of dimension 0 is 60 elements of 2 bytes");
  expectBroken(map, tensor({16, 64}, {-64, 1}), StatusCode::ShapeMismatch, "positive strides only");
  expectBroken(map, tensor({16, 64}, {0, 1}), StatusCode::ShapeMismatch, "positive strides only");
  expectBroken(map, tensor({16, 64}, {int64_t{1} << 39, 1}), StatusCode::ShapeMismatch, "less than 2^40");
  ArgumentValue shifted = tensor({16, 64});
  shifted.address += 8;
  expectBroken(map, shifted, StatusCode::InvalidArgument, "address 65544");
  shifted.address = 0;
  expectBroken(map, shifted, StatusCode::InvalidArgument, "address 0");
  ArgumentValue bytes = tensor({16, 64});
  bytes.elementType = ElementType::I8;
  expectBroken(map, bytes, StatusCode::ShapeMismatch, "elements are i8");
}

TEST(TensorMapRules, LargestLegalValuesPass) {
  EXPECT_TRUE(tensorMapGeometry(recipe({64, 256}), "a", tensor({int64_t{1} << 32, 64})));
  EXPECT_TRUE(tensorMapGeometry(recipe({64, 256}), "a", tensor({16, 64}, {(int64_t{1} << 39) - 8, 1})));
  EXPECT_TRUE(tensorMapGeometry(recipe({8, 1, 1, 1, 1}), "a", tensor({2, 2, 2, 2, 8})));
}

// No copy steps along a dimension of extent 1, and frameworks put anything into its stride.
TEST(TensorMapRules, StridesOfExtentOneDoNotMatter) {
  auto map = tensorMapGeometry(recipe({64, 128, 1}), "a", tensor({1, 1, 60}, {7, 3, 1}));
  ASSERT_TRUE(map) << map.status().message();
  EXPECT_EQ(map->strideBytes[0] % 16, 0u);
  EXPECT_EQ(map->strideBytes[1] % 16, 0u);
  EXPECT_GE(map->strideBytes[0], 120u);
  EXPECT_TRUE(tensorMapGeometry(recipe({64, 128}), "a", tensor({100, 1}, {8, 5})));
}

TEST(TensorMapRules, RecipesOfTheCompiler) {
  auto value = tensor({128, 128});
  expectBroken(recipe({}), value, StatusCode::Internal, "rank 0");
  expectBroken(recipe({8, 1, 1, 1, 1, 1}), value, StatusCode::Internal, "rank 6");
  expectBroken(recipe({64, 257}), value, StatusCode::Internal, "box dimension 0 is 257");
  expectBroken(recipe({0, 64}), value, StatusCode::Internal, "box dimension 1 is 0");
  expectBroken(recipe({60, 64}), value, StatusCode::Internal, "inner box is 120 bytes");
  expectBroken(recipe({128, 64}), value, StatusCode::Internal, "its swizzle spans 128");
  TensorMapRecipe narrow = recipe({64, 64});
  narrow.swizzle = TensorMapRecipe::Swizzle::B64;
  expectBroken(narrow, value, StatusCode::Internal, "its swizzle spans 64");
  TensorMapRecipe nan = recipe({64, 64});
  nan.elementType = ElementType::I16;
  nan.fill = TensorMapRecipe::Fill::NaN;
  expectBroken(nan, value, StatusCode::Internal, "fills with NaN");
}

// What is known when a kernel is compiled is judged by the same rules, with the same words.
TEST(TensorMapRules, OfAPromiseWhatIsKnown) {
  TensorMapRecipe map = recipe({64, 128});
  auto isLegal = [&](std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
    return checkPromisedTensor(map, "query", tensor(std::move(shape), std::move(strides))).isOk();
  };
  ArgumentValue odd = tensor({100, 63});
  EXPECT_EQ(checkPromisedTensor(map, "query", odd).message(), tensorMapGeometry(map, "query", odd).status().message());
  EXPECT_FALSE(isLegal({100, 63}));
  EXPECT_FALSE(isLegal({100, kUnknownExtent}, {63, 1}));
  EXPECT_FALSE(isLegal({8, 8}, {64, 2}));
  EXPECT_FALSE(isLegal({-1, 64}));
  EXPECT_FALSE(isLegal({1, 1, 64}));
  EXPECT_TRUE(isLegal({100, 64}));
  EXPECT_TRUE(isLegal({kUnknownExtent, kUnknownExtent}, {kUnknownExtent, kUnknownExtent}));
  EXPECT_TRUE(isLegal({kUnknownExtent, 63})); // of one row any stride will do
  EXPECT_TRUE(isLegal({0, 64}));              // a launch of no programs makes no map
  ArgumentValue nowhere = tensor({100, 64});
  nowhere.address = 0;
  EXPECT_TRUE(checkPromisedTensor(map, "query", nowhere));
}
