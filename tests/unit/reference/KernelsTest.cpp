// Kernels that Triton printed, evaluated and compared with a C++ loop over the same data.
#include "tests/unit/reference/ReferenceTestSupport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

namespace tawa::reference {
namespace {

std::string readKernel(const std::string &name) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

using Halves = std::vector<_Float16>;

template <typename T> std::vector<T> randomValues(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<T> values(count);
  for (T &value : values)
    value = static_cast<T>(normal(random));
  return values;
}

/// C = A B^T with sizes that are no multiples of the tile where the kernel allows it.
struct Gemm {
  int64_t rows, columns, depth;
  Halves a = randomValues<_Float16>(rows * depth, 1), b = randomValues<_Float16>(columns * depth, 2),
         c = Halves(rows * columns);

  void check() const {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum += static_cast<double>(a[row * depth + k]) * static_cast<double>(b[column * depth + k]);
        ASSERT_NEAR(static_cast<double>(c[row * columns + column]), sum, std::fabs(sum) / 2048 + 1e-6)
            << row << "," << column;
      }
  }

  std::vector<ReferenceArgument> sizes() const {
    return {ReferenceArgument::scalar(rows), ReferenceArgument::scalar(columns), ReferenceArgument::scalar(depth)};
  }
  std::vector<ReferenceArgument> described() {
    std::vector<ReferenceArgument> args{tensorOf(a, {rows, depth}), tensorOf(b, {columns, depth}),
                                        tensorOf(c, {rows, columns})};
    for (const ReferenceArgument &size : sizes())
      args.push_back(size);
    return args;
  }
  std::vector<ReferenceArgument> pointed(bool strides) {
    std::vector<ReferenceArgument> args{tensorOf(a), tensorOf(b), tensorOf(c)};
    for (const ReferenceArgument &size : sizes())
      args.push_back(size);
    if (strides)
      for (int64_t stride : {depth, depth, columns})
        args.push_back(ReferenceArgument::scalar(stride));
    return args;
  }
};

TEST(KernelsTest, GemmThroughDescriptors) {
  for (const char *name : {"gemm_tma", "gemm_tma_128", "gemm_persistent"}) {
    SCOPED_TRACE(name);
    Gemm gemm{136, 264, 72};
    Status status = evaluateText(readKernel(name), gemm.described(), {6, 1, 1});
    ASSERT_TRUE(status.isOk()) << status.message();
    gemm.check();
  }
}

TEST(KernelsTest, GemmWithTileParameters) {
  Gemm gemm{70, 130, 72};
  Status status = evaluateText(readKernel("gemm_param"), gemm.described(), {6, 1, 1});
  ASSERT_TRUE(status.isOk()) << status.message();
  gemm.check();
}

TEST(KernelsTest, GemmThatMakesItsDescriptors) {
  Gemm gemm{136, 264, 72};
  Status status = evaluateText(readKernel("gemm_tma_ws"), gemm.pointed(/*strides=*/false), {4, 1, 1});
  ASSERT_TRUE(status.isOk()) << status.message();
  gemm.check();
}

TEST(KernelsTest, GemmThroughPointers) {
  Gemm whole{128, 256, 128};
  Status status = evaluateText(readKernel("gemm_ptr"), whole.pointed(/*strides=*/true), {1, 1, 1});
  ASSERT_TRUE(status.isOk()) << status.message();
  whole.check();

  Gemm partial{136, 264, 72};
  status = evaluateText(readKernel("gemm_ptr_masked"), partial.pointed(/*strides=*/true), {4, 1, 1});
  ASSERT_TRUE(status.isOk()) << status.message();
  partial.check();
  EXPECT_EQ(evaluateText(readKernel("gemm_ptr"), partial.pointed(/*strides=*/true), {4, 1, 1}).code(),
            StatusCode::Emulator)
      << "without masks it reads past the end";
}

TEST(KernelsTest, SoftmaxOfRows) {
  const int64_t rows = 2, columns = 1000;
  Halves x = randomValues<_Float16>(rows * columns, 3), y(rows * columns);
  Status status = evaluateText(
      readKernel("softmax_rows"),
      {tensorOf(x), tensorOf(y), ReferenceArgument::scalar(columns), ReferenceArgument::scalar(columns)}, {rows, 1, 1});
  ASSERT_TRUE(status.isOk()) << status.message();
  for (int64_t row = 0; row < rows; ++row) {
    double total = 0;
    for (int64_t i = 0; i < columns; ++i)
      total += std::exp(static_cast<double>(x[row * columns + i]));
    for (int64_t i = 0; i < columns; ++i) {
      double expected = std::exp(static_cast<double>(x[row * columns + i])) / total;
      ASSERT_NEAR(static_cast<double>(y[row * columns + i]), expected, expected / 1000 + 1e-7);
    }
  }
}

TEST(KernelsTest, VectorAddition) {
  const int64_t count = 1500;
  std::vector<float> x = randomValues<float>(count, 4), y = randomValues<float>(count, 5), z(count);
  Status status = evaluateText(readKernel("vec_add"),
                               {tensorOf(x), tensorOf(y), tensorOf(z), ReferenceArgument::scalar(count)}, {2, 1, 1});
  ASSERT_TRUE(status.isOk()) << status.message();
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(z[i], x[i] + y[i]);
}

TEST(KernelsTest, StepLimit) {
  Gemm gemm{128, 256, 128};
  EXPECT_EQ(evaluateText(readKernel("gemm_tma"), gemm.described(), {1, 1, 1}, 1000).code(), StatusCode::Timeout);
}

} // namespace
} // namespace tawa::reference
