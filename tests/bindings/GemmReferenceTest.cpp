// The GEMM check must accept a correct product and reject every kind of wrong one.
#include "bindings/cli/GemmReference.h"

#include <gtest/gtest.h>

using namespace tawa::cli;

namespace {

struct Product {
  HostTensor a, b, c;
  GemmForm form;

  /// A right product, computed by the plainest loop.
  Product(int64_t m, int64_t n, int64_t k, GemmForm form = GemmForm::TransposedB)
      : a(TAWA_F16, {m, k}), b(TAWA_F16, form == GemmForm::TransposedB ? std::vector{n, k} : std::vector{k, n}),
        c(TAWA_F16, {m, n}), form(form) {
    a.fillNormal(1);
    b.fillNormal(2);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t x = 0; x < k; ++x)
          sum += static_cast<float>(a.at(i * k + x) * b.at(form == GemmForm::TransposedB ? j * k + x : x * n + j));
        set(i, j, sum);
      }
  }
  void set(int64_t row, int64_t column, double value) {
    writeElement(c.bytes.data(), row * c.shape[1] + column, c.type, value);
  }
  GemmCheck check() const { return checkGemm(a, b, c, form, 7); }
};

TEST(GemmReference, PassesARightProduct) {
  for (GemmForm form : {GemmForm::TransposedB, GemmForm::PlainB}) {
    GemmCheck check = Product(33, 17, 65, form).check();
    EXPECT_TRUE(check.passed) << check.firstWrong;
    EXPECT_EQ(check.compared, 33u * 17u);
    EXPECT_LT(check.relativeError, 5e-4);
    EXPECT_NEAR(check.relativeError, check.outputRounding, 1e-5);
  }
}

TEST(GemmReference, SeesOneWrongEntry) {
  Product product(33, 17, 65);
  product.set(5, 3, product.c.at(5 * 17 + 3) + 0.5);
  GemmCheck check = product.check();
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.wrong, 1u);
  EXPECT_NE(check.firstWrong.find("C[5,3]"), std::string::npos) << check.firstWrong;
}

TEST(GemmReference, SeesAnUnwrittenEntry) {
  Product product(33, 17, 65);
  HostTensor clean = product.c;
  product.c.poison();
  std::copy(clean.bytes.begin(), clean.bytes.end() - 2, product.c.bytes.begin()); // all but the last entry written
  GemmCheck check = product.check();
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.notFinite, 1u);
}

TEST(GemmReference, SeesAWrongTransposition) {
  Product product(32, 32, 32, GemmForm::PlainB);
  product.form = GemmForm::TransposedB;
  EXPECT_FALSE(product.check().passed);
}

TEST(GemmReference, SamplesOfALargeProductCoverEveryRow) {
  // Too large for a full reference: each row with one wrong entry in every column must be seen whichever column is
  // sampled, and so must each column.
  constexpr int64_t n = 2048;
  HostTensor a(TAWA_F16, {n, n}), b(TAWA_F16, {n, n}), c(TAWA_F16, {n, n});
  a.fillNormal(1); // B is zero, so C must be zero.
  EXPECT_TRUE(checkGemm(a, b, c, GemmForm::TransposedB, 3).passed);
  for (int64_t column = 0; column < n; ++column)
    writeElement(c.bytes.data(), 1234 * n + column, TAWA_F16, 1.0);
  EXPECT_GE(checkGemm(a, b, c, GemmForm::TransposedB, 3).wrong, 4u);
}

TEST(GemmReference, RefusesShapesThatAreNoGemm) {
  HostTensor a(TAWA_F16, {4, 8}), b(TAWA_F16, {5, 8}), c(TAWA_F16, {4, 5}), d(TAWA_F16, {5, 4});
  EXPECT_EQ(gemmShapeProblem(a, b, c, GemmForm::TransposedB), "");
  EXPECT_NE(gemmShapeProblem(a, b, d, GemmForm::TransposedB), "");
  EXPECT_NE(gemmShapeProblem(a, b, c, GemmForm::PlainB), "");
}

TEST(HostTensor, RandomNumbersAreNormalAndRepeatable) {
  HostTensor first(TAWA_F32, {100000}), second = first;
  first.fillNormal(1);
  second.fillNormal(1);
  EXPECT_EQ(first.bytes, second.bytes);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < first.elements(); ++i) {
    sum += first.at(i);
    squares += first.at(i) * first.at(i);
  }
  EXPECT_NEAR(sum / 100000, 0, 0.02);
  EXPECT_NEAR(squares / 100000, 1, 0.02);
  second.fillNormal(2);
  EXPECT_NE(first.bytes, second.bytes);
}

} // namespace
