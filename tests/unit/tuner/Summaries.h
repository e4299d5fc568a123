// Work summaries as the compiler would make them, for tests of search space, model and tuner.
#pragma once

#include "runtime/artifact/WorkSummary.h"
#include "runtime/hardware/Catalogue.h"

namespace tawa::test {

inline ArgumentValue matrix(int64_t rows, int64_t columns) {
  ArgumentValue value;
  value.kind = LogicalArgument::Kind::Tensor;
  value.elementType = ElementType::F16;
  value.rank = 2;
  value.shape = {rows, columns};
  value.strides = {columns, 1};
  return value;
}
inline ArgumentValue integer(int64_t number) {
  ArgumentValue value;
  value.bits = static_cast<uint64_t>(number);
  return value;
}
/// a[m, k], b[n, k], c[m, n], k
inline std::vector<ArgumentValue> productArguments(int64_t m, int64_t n, int64_t k) {
  return {matrix(m, k), matrix(n, k), matrix(m, n), integer(k)};
}

/// A product whose programs (x: rows modulo `rows`, y: columns) sum up blocks of m x k times n x k in a loop.
inline WorkSummary product(int64_t m, int64_t n, int64_t k, int64_t rows = 1 << 20) {
  WorkSummary summary;
  auto add = [&](WorkValue::Op op, int32_t a = -1, int32_t b = -1, int64_t number = 0) {
    summary.values.push_back({op, a, b, -1, number});
    return static_cast<int32_t>(summary.values.size()) - 1;
  };
  using Op = WorkValue::Op;
  int32_t zero = add(Op::Constant), one = add(Op::Constant, -1, -1, 1), depth = add(Op::Scalar, 3);
  int32_t step = add(Op::Constant, -1, -1, k);
  int32_t inside = add(Op::Rem, add(Op::Program, 0), add(Op::Constant, -1, -1, rows));
  int32_t row = add(Op::Mul, inside, add(Op::Constant, -1, -1, m));
  int32_t column = add(Op::Mul, add(Op::Program, 1), add(Op::Constant, -1, -1, n));
  auto loop = [&](std::vector<WorkStep> (*body)(int32_t, int32_t, int32_t, int64_t, int64_t, int64_t)) {
    WorkStep steps;
    steps.kind = WorkStep::Kind::Loop;
    steps.lower = zero;
    steps.upper = depth;
    steps.step = step;
    steps.induction = add(Op::Induction);
    steps.body = body(row, column, steps.induction, m, n, k);
    return steps;
  };
  auto loads = +[](int32_t row, int32_t column, int32_t at, int64_t m, int64_t n, int64_t k) {
    WorkStep a, b;
    a.kind = b.kind = WorkStep::Kind::Load;
    a.access = {0, {m, k}, {row, at}, 2, 0, true, true};
    b.access = {1, {n, k}, {column, at}, 2, 0, true, true};
    return std::vector<WorkStep>{a, b};
  };
  auto dots = +[](int32_t, int32_t, int32_t, int64_t m, int64_t n, int64_t k) {
    WorkStep dot;
    dot.kind = WorkStep::Kind::Dot;
    dot.m = m;
    dot.n = n;
    dot.k = k;
    dot.bits = 16;
    dot.isWgmma = dot.isPipelined = true;
    return std::vector<WorkStep>{dot};
  };
  WorkStep convert, store;
  convert.operations = static_cast<double>(m * n);
  store.kind = WorkStep::Kind::Store;
  store.access = {2, {m, n}, {row, column}, 2, -1, true, true};
  summary.roles = {{RoleKind::Producer, 4, {loop(loads)}}, {RoleKind::Consumer, 4, {loop(dots), convert, store}}};
  summary.rings = {{(m + n) * k * 2, true}};
  summary.panelBytes = 2048;
  summary.sumBytes = m * n * 4;
  summary.consumerRegisters = {{0, 232, 160, 112}, {216, 96, 64, 48}, {120, 56, 40, 32}}; // by ctas, by groups
  summary.entry = "product";
  summary.arguments.resize(4);
  static_cast<void>(one);
  return summary;
}

/// Sections of 32 programs along y, of 32 iterations and less.
inline WorkSummary unevenProduct(int64_t m, int64_t n, int64_t k) {
  WorkSummary summary = product(m, n, k);
  auto add = [&](WorkValue::Op op, int32_t a, int32_t b, int64_t number = 0) {
    summary.values.push_back({op, a, b, -1, number});
    return static_cast<int32_t>(summary.values.size()) - 1;
  };
  using Op = WorkValue::Op;
  int32_t width = add(Op::Constant, -1, -1, k), most = add(Op::Constant, -1, -1, 32);
  int32_t trips = add(Op::Sub, most, add(Op::Rem, add(Op::Program, 1, -1), most));
  int32_t length = add(Op::Mul, trips, width);
  for (RoleWork &role : summary.roles)
    role.steps[0].upper = length;
  return summary;
}

inline HardwareDescription h200() {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::open("");
  return *catalogue->find("h200");
}

/// The rows of each product in equal products of one loop.
inline void splitRows(WorkSummary &summary, int64_t products) {
  for (RoleWork &role : summary.roles)
    for (WorkStep &loop : role.steps) {
      auto dot = std::ranges::find(loop.body, WorkStep::Kind::Dot, &WorkStep::kind);
      if (dot == loop.body.end())
        continue;
      dot->m /= products;
      loop.body.insert(dot, static_cast<size_t>(products - 1), WorkStep(*dot));
    }
}

} // namespace tawa::test
