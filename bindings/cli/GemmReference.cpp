// The double-precision GEMM reference of GemmReference.h.
#include "bindings/cli/GemmReference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <utility>

namespace tawa::cli {
namespace {

/// Maximum number of multiply-adds for which the whole product is computed (about 4 s on one core).
constexpr double kFullReferenceLimit = 4e9;

struct Problem {
  const HostTensor &a, &b, &c;
  size_t m, n, k;
  size_t strideN, strideK;   ///< Of B, in elements.
  double absolute, relative; ///< Tolerances.

  double expected(size_t row, size_t column) const {
    double sum = 0;
    for (size_t i = 0; i < k; ++i)
      sum += a.at(row * k + i) * b.at(column * strideN + i * strideK);
    return sum;
  }
};

/// Sums of one worker; added up under a lock at its end.
struct Partial {
  GemmCheck check;
  double errorSquares = 0, referenceSquares = 0, roundingSquares = 0;

  void compare(const Problem &problem, size_t row, size_t column, double reference) {
    double got = problem.c.at(row * problem.n + column), error = std::fabs(got - reference);
    double rounded = 0;
    writeAndRead(problem.c.type, reference, rounded);
    ++check.compared;
    errorSquares += error * error;
    referenceSquares += reference * reference;
    roundingSquares += (rounded - reference) * (rounded - reference);
    check.maxError = std::max(check.maxError, error);
    if (error <= problem.absolute + problem.relative * std::fabs(reference)) // False for NaN.
      return;
    if (check.wrong++ == 0) {
      char text[120];
      std::snprintf(text, sizeof(text), "C[%zu,%zu] = %.6g, expected %.6g", row, column, got, reference);
      check.firstWrong = text;
    }
  }

  void add(const Partial &other) {
    check.compared += other.check.compared;
    if (check.firstWrong.empty())
      check.firstWrong = other.check.firstWrong;
    check.wrong += other.check.wrong;
    check.notFinite += other.check.notFinite;
    check.maxError = std::max(check.maxError, other.check.maxError);
    errorSquares += other.errorSquares;
    referenceSquares += other.referenceSquares;
    roundingSquares += other.roundingSquares;
  }

private:
  static void writeAndRead(tawa_dtype_t type, double value, double &rounded) {
    unsigned char storage[8];
    writeElement(storage, 0, type, value);
    rounded = readElement(storage, 0, type);
  }
};

/// Rows of B^T and of A as doubles, converted once: the inner loop of a full product is then plain arithmetic.
std::vector<double> widen(const HostTensor &tensor, size_t rows, size_t columns, size_t rowStride,
                          size_t columnStride) {
  std::vector<double> wide(rows * columns);
  parallelFor(rows, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (size_t column = 0; column < columns; ++column)
        wide[row * columns + column] = tensor.at(row * rowStride + column * columnStride);
  });
  return wide;
}

template <typename Work> Partial inParallel(size_t count, const Work &work) {
  Partial total;
  std::mutex lock;
  parallelFor(count, [&](size_t begin, size_t end) {
    Partial partial;
    for (size_t i = begin; i < end; ++i)
      work(i, partial);
    std::lock_guard guard(lock);
    total.add(partial);
  });
  return total;
}

Partial compareAll(const Problem &problem) {
  std::vector<double> a = widen(problem.a, problem.m, problem.k, problem.k, 1);
  std::vector<double> b = widen(problem.b, problem.n, problem.k, problem.strideN, problem.strideK);
  return inParallel(problem.m * problem.n, [&](size_t entry, Partial &partial) {
    size_t row = entry / problem.n, column = entry % problem.n;
    double sum = 0;
    for (size_t i = 0; i < problem.k; ++i)
      sum += a[row * problem.k + i] * b[column * problem.k + i];
    partial.compare(problem, row, column, sum);
  });
}

Partial compareSamples(const Problem &problem, uint64_t seed, size_t samples) {
  // Entry e < m*samples checks row e/samples at a random column; the rest check columns at random rows.
  size_t byRow = problem.m * samples, byColumn = problem.n * samples;
  return inParallel(byRow + byColumn, [&](size_t entry, Partial &partial) {
    bool isRow = entry < byRow;
    size_t row = isRow ? entry / samples : randomBits(seed, entry) % problem.m;
    size_t column = isRow ? randomBits(seed, entry) % problem.n : (entry - byRow) / samples;
    partial.compare(problem, row, column, problem.expected(row, column));
  });
}

} // namespace

std::string gemmShapeProblem(const HostTensor &a, const HostTensor &b, const HostTensor &c, GemmForm form) {
  if (a.shape.size() != 2 || b.shape.size() != 2 || c.shape.size() != 2)
    return "a GEMM check needs three tensors of rank 2";
  bool transposed = form == GemmForm::TransposedB;
  int64_t n = b.shape[transposed ? 0 : 1], k = b.shape[transposed ? 1 : 0];
  if (a.shape[1] == k && c.shape[0] == a.shape[0] && c.shape[1] == n)
    return "";
  return "shapes " + a.describe() + ", " + b.describe() + ", " + c.describe() + " are no A [M,K], B " +
         (transposed ? "[N,K]" : "[K,N]") + ", C [M,N]";
}

GemmCheck checkGemm(const HostTensor &a, const HostTensor &b, const HostTensor &c, GemmForm form, uint64_t seed,
                    size_t samples) {
  bool transposed = form == GemmForm::TransposedB;
  auto extent = [](const HostTensor &tensor, size_t dimension) { return static_cast<size_t>(tensor.shape[dimension]); };
  size_t m = extent(a, 0), k = extent(a, 1), n = extent(b, transposed ? 0 : 1);
  // One rounding of the output, plus accumulation in f32: elements of normal data have standard deviation sqrt(K), and
  // a wrong product is off by about that much, a thousand times the tolerance.
  Problem problem{a,
                  b,
                  c,
                  m,
                  n,
                  k,
                  transposed ? k : 1,
                  transposed ? 1 : n,
                  1e-3 * std::sqrt(static_cast<double>(k)),
                  elementEpsilon(c.type)};
  double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  Partial total = work <= kFullReferenceLimit ? compareAll(problem) : compareSamples(problem, seed, samples);
  Partial finite =
      inParallel(c.elements(), [&](size_t i, Partial &partial) { partial.check.notFinite += !std::isfinite(c.at(i)); });

  GemmCheck check = std::move(total.check);
  check.notFinite = finite.check.notFinite;
  double scale = total.referenceSquares > 0 ? total.referenceSquares : 1;
  check.relativeError = std::sqrt(total.errorSquares / scale);
  check.outputRounding = std::sqrt(total.roundingSquares / scale);
  check.passed = check.wrong == 0 && check.notFinite == 0;
  return check;
}

} // namespace tawa::cli
