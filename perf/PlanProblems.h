// Problems of the plan study: kernels with arguments, as one tile program per block shape.
#pragma once

#include "compiler/planner/model/Ranking.h"
#include "compiler/planner/space/Templates.h"
#include "runtime/support/Status.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace tawa::perf {

[[noreturn]] inline void fail(const std::string &message) {
  std::fprintf(stderr, "tawa-plan-study: %s\n", message.c_str());
  std::exit(1);
}

template <typename T> T need(Result<T> result) {
  return result ? std::move(*result) : (fail(result.status().message()), std::move(*result));
}

std::string readFile(const std::string &path);

using Tile = std::map<std::string, int64_t>;

struct Problem {
  std::string name; ///< Its sizes as members of a JSON object.
  double operations = 0;
  std::vector<Tile> tiles = {};
  std::vector<mesh::TileProgram> programs = {};

  /// The block shapes that a template has a meaning for: one block over a whole side leaves a grid of one dimension.
  Problem with(mesh::planner::Template only, const mesh::Machine &machine) const;
};

struct Gemm {
  int64_t m, n, k;
  double operations() const { return double(m) * double(n) * double(k); }
  std::string name() const;
};

/// `text` is tests/kernels/gemm_param.mlir; blocks of its own values that do not exceed the product. A library has few,
/// too.
Problem gemmProblem(const Gemm &gemm, const std::string &text, const std::vector<int64_t> &sides = {64, 128, 256},
                    const std::vector<int64_t> &depths = {64, 128});

/// Five columns of one K each, with the 28 pairs M >= N of the powers of two from 256 to 16384: the paper's count, its
/// own list is not printed in it. The smallest first.
std::vector<Gemm> sweep();

/// A hidden width of 2048 shared by the heads; the batch makes up 8192 tokens.
struct Attention {
  int64_t heads, keys;
  int64_t width() const;
  int64_t rows() const { return heads * 8192; }
  double operations() const { return 2.0 * double(rows()) * double(keys) * double(width()); }
  std::string name() const { return "\"heads\": " + std::to_string(heads) + ", \"keys\": " + std::to_string(keys); }
};
/// `text` is tests/kernels/attention/fwd.mlir.
Problem attentionProblem(const Attention &attention, const std::string &text);

} // namespace tawa::perf
