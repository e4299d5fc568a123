// The kernels of tests/kernels/attention against attention in double precision (Attention.h), with sizes around the
// tiles: fewer queries than keys and more, rows that see nothing, sequences without keys. All of them are split into
// roles.
#include "tests/conformance/Attention.h"
#include "tests/conformance/PlaceTest.h"
#include "tests/conformance/TileProgram.h"

#include "compiler/reference/Elements.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tawa::conformance {
namespace {

/// One norm for a whole tensor: products of f16 summed in f32, weights rounded to f16 between two of them.
constexpr double kTolerance = 1e-3;
/// tanh.approx is right to 2^-11 (PTX ISA), so a score capped at c is to c * 2^-11, and its exponential.
constexpr double kTanhError = 0x1p-11;

constexpr int64_t kDim = 64;
const std::string kScale = " f32:0.125"; ///< 1 / sqrt(kDim)
constexpr double kScaleNumber = 0.125;

//===--- Heads in the memory of a launch ---===//

/// Where the rows of one head lie: an argument, and the element at which each row starts.
struct Place2D {
  size_t argument;
  std::function<int64_t(int64_t row)> start;
};

/// Contiguous rows from `first` on.
Place2D rowsFrom(size_t argument, int64_t first, int64_t pitch) {
  return {argument, [=](int64_t row) { return first + row * pitch; }};
}

/// Head number `head` of a tensor [heads, rows, width].
Place2D headOf(size_t argument, int64_t head, int64_t rows, int64_t width) {
  return rowsFrom(argument, head * rows * width, width);
}

Rows readRows(const TileProgram &program, const std::vector<char> &bytes, const Place2D &place, int64_t count,
              int64_t width) {
  ElementType type = program.args[place.argument].type;
  Rows rows(count, width);
  for (int64_t row = 0; row < count; ++row)
    for (int64_t column = 0; column < width; ++column)
      rows.at(row, column) =
          reference::readNumber(type, bytes.data() + (place.start(row) + column) * elementBytes(type));
  return rows;
}

Rows inputRows(const TileProgram &program, const Place2D &place, int64_t count, int64_t width = kDim) {
  return readRows(program, program.args[place.argument].bytes, place, count, width);
}

void writeRows(TileProgram &program, const Place2D &place, const Rows &rows) {
  ProgramArgument &arg = program.args[place.argument];
  for (int64_t row = 0; row < rows.count; ++row)
    for (int64_t column = 0; column < rows.width; ++column)
      reference::writeNumber(arg.type, rows.at(row, column),
                             arg.bytes.data() + (place.start(row) + column) * elementBytes(arg.type));
}

/// The distance of two tensors, relative to the one that is right.
double distance(const Rows &got, const Rows &right) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < right.numbers.size(); ++i) {
    difference += std::pow(got.numbers[i] - right.numbers[i], 2);
    size += std::pow(right.numbers[i], 2);
  }
  return difference == 0 ? 0 : std::sqrt(difference / size);
}

std::string text(int64_t number) { return std::to_string(number); }
/// " f16[4,200,64]"
std::string tensor(const char *type, const std::vector<int64_t> &shape) {
  std::string sizes;
  for (int64_t size : shape)
    sizes += (sizes.empty() ? "" : ",") + text(size);
  return " " + std::string(type) + "[" + sizes + "]";
}
std::string scalar(int64_t number) { return " i32:" + text(number); }
std::string grid(int64_t x, int64_t y, int64_t z = 1) { return "grid=" + text(x) + "," + text(y) + "," + text(z); }
int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Tiles of a kernel, and how many groups share the rows of one.
struct Tile {
  int64_t rows, keys;
  int consumers;
  std::string config(const std::string &more = "") const {
    return " config=\"D=2 BLOCK_M=" + text(rows) + " BLOCK_N=" + text(keys) + " HEAD_DIM=" + text(kDim) +
           " consumers=" + text(consumers) + more + "\" args=";
  }
};
/// Resident CTAs take tiles, some of which are longer than others, one by one.
constexpr const char *kOneByOne = " persistent=1 dynamic=1";

const Tile kTiles[] = {{128, 64, 2}, {64, 128, 1}, {128, 128, 2}};

class AttentionTest : public PlaceTest {
protected:
  TileProgram load(const std::string &kernel, const std::string &launch) {
    TileProgram program;
    program.name = kernel;
    program.text = readKernel("attention/" + kernel);
    Status status = readLaunch(launch, /*seed=*/20251121, program);
    EXPECT_TRUE(status) << launch << ": " << status.message();
    return program;
  }

  /// What the launch leaves; the kernel is split into roles where there are any.
  Outputs run(const TileProgram &program) {
    EXPECT_EQ(whyOneRole(*runtime, program).empty(), isForHopper()) << program.name;
    return runOn(*runtime, program, GetParam().schedule);
  }

  struct Head {
    int64_t queries, keys;
    Place2D q, k, v, o, lse;
    AttentionRule rule;
  };

  /// Launches a forward kernel and compares every head.
  void checkForward(const std::string &kernel, const std::string &launch, const std::vector<Head> &heads) {
    SCOPED_TRACE(kernel + " " + launch);
    TileProgram program = load(kernel, launch);
    Outputs outputs = run(program);
    for (const Head &head : heads) {
      Rows q = inputRows(program, head.q, head.queries), k = inputRows(program, head.k, head.keys);
      AttentionForward right = attend(q, k, inputRows(program, head.v, head.keys), head.rule);
      compareForward(head, right, readRows(program, outputs[head.o.argument], head.o, head.queries, kDim),
                     readRows(program, outputs[head.lse.argument], head.lse, head.queries, 1));
    }
  }

  static void compareForward(const Head &head, const AttentionForward &right, const Rows &output, const Rows &lse) {
    double tolerance = kTolerance + head.rule.cap * kTanhError;
    EXPECT_LE(distance(output, right.output), tolerance);
    for (int64_t row = 0; row < head.queries; ++row)
      if (std::isinf(right.lse.at(row, 0))) {
        EXPECT_EQ(lse.at(row, 0), right.lse.at(row, 0)) << "row " << row << " sees nothing";
        for (int64_t column = 0; column < kDim; ++column)
          EXPECT_EQ(output.at(row, column), 0.0) << "row " << row << " sees nothing";
      } else {
        EXPECT_NEAR(lse.at(row, 0), right.lse.at(row, 0), tolerance) << "row " << row;
      }
  }
};

/// The last query is aligned with the last key, and sees it and those before.
AttentionRule causal(int64_t queries, int64_t keys) {
  return {[=](int64_t query, int64_t key) { return key <= query + keys - queries; }, kScaleNumber};
}

//===--- Forward ---===//

TEST_P(AttentionTest, GroupedQuery) {
  constexpr int64_t heads = 4, group = 2;
  for (const Tile &tile : kTiles)
    for (auto [queries, keys] : {std::pair<int64_t, int64_t>{72, 200}, {128, 256}, {200, 40}}) {
      std::vector<Head> all;
      all.reserve(heads);
      for (int64_t head = 0; head < heads; ++head)
        all.push_back({queries, keys, headOf(0, head, queries, kDim), headOf(1, head / group, keys, kDim),
                       headOf(2, head / group, keys, kDim), headOf(3, head, queries, kDim), headOf(4, head, queries, 1),
                       AttentionRule{.scale = kScaleNumber}});
      std::string rows = tensor("f16", {heads, queries, kDim}), columns = tensor("f16", {heads / group, keys, kDim});
      checkForward("grouped_query",
                   grid(ceilDiv(queries, tile.rows), heads) + tile.config() + rows + columns + columns + rows +
                       tensor("f32", {heads, queries}) + kScale + scalar(group) + scalar(queries) + scalar(keys),
                   all);
    }
}

TEST_P(AttentionTest, SlidingWindow) {
  struct Window {
    int64_t left, right, queries, keys;
  };
  for (const Tile &tile : kTiles)
    for (Window window : {Window{100, 0, 336, 336}, Window{40, 24, 200, 300}, Window{500, 0, 200, 104},
                          Window{16, 0, 300, 130}, Window{0, 0, 128, 128}}) {
      auto [left, right, queries, keys] = window;
      int64_t shift = keys - queries, before = left, after = right;
      auto sees = [=](int64_t query, int64_t key) {
        return key >= query + shift - before && key <= query + shift + after;
      };
      Head head{queries,
                keys,
                headOf(0, 0, queries, kDim),
                headOf(1, 0, keys, kDim),
                headOf(2, 0, keys, kDim),
                headOf(3, 0, queries, kDim),
                headOf(4, 0, queries, 1),
                {sees, kScaleNumber}};
      std::string rows = tensor("f16", {1, queries, kDim}), columns = tensor("f16", {1, keys, kDim});
      checkForward("window",
                   grid(ceilDiv(queries, tile.rows), 1) + tile.config() + rows + columns + columns + rows +
                       tensor("f32", {1, queries}) + kScale + scalar(left) + scalar(right) + scalar(queries) +
                       scalar(keys),
                   {head});
    }
}

TEST_P(AttentionTest, CappedScores) {
  for (const Tile &tile : kTiles)
    for (int64_t length : {100, 256}) {
      AttentionRule rule = causal(length, length);
      rule.cap = 2;
      Head head{length,
                length,
                headOf(0, 0, length, kDim),
                headOf(1, 0, length, kDim),
                headOf(2, 0, length, kDim),
                headOf(3, 0, length, kDim),
                headOf(4, 0, length, 1),
                rule};
      std::string rows = tensor("f16", {1, length, kDim});
      checkForward("softcap",
                   grid(ceilDiv(length, tile.rows), 1) + tile.config() + rows + rows + rows + rows +
                       tensor("f32", {1, length}) + kScale + " f32:2" + scalar(length),
                   {head});
    }
}

/// One token, fewer keys than queries, no keys at all, longer than a tile.
TEST_P(AttentionTest, VariableLength) {
  constexpr int64_t heads = 2, group = 2, total = 400, keys = 420;
  const std::vector<int64_t> q{0, 200, 201, 251, 280, 400}, k{0, 150, 250, 270, 270, 420};
  for (const Tile &tile : kTiles) {
    std::vector<Head> all;
    for (size_t i = 0; i + 1 < q.size(); ++i)
      for (int64_t head = 0; head < heads; ++head)
        all.push_back({q[i + 1] - q[i], k[i + 1] - k[i], rowsFrom(0, q[i] * heads * kDim + head * kDim, heads * kDim),
                       rowsFrom(1, k[i] * kDim, kDim), rowsFrom(2, k[i] * kDim, kDim),
                       rowsFrom(3, q[i] * heads * kDim + head * kDim, heads * kDim),
                       rowsFrom(4, head * total + q[i], 1), causal(q[i + 1] - q[i], k[i + 1] - k[i])});
    std::string rows = tensor("f16", {total, heads * kDim}), columns = tensor("f16", {keys, kDim});
    for (const char *more : {"", kOneByOne})
      checkForward("variable_length",
                   grid(ceilDiv(200, tile.rows), heads, 5) + tile.config(more) + rows + columns + columns + rows +
                       tensor("f32", {heads, total}) + " i32[6]=0,200,201,251,280,400 i32[6]=0,150,250,270,270,420" +
                       kScale + scalar(group) + scalar(total) + scalar(heads * kDim),
                   all);
  }
}

TEST_P(AttentionTest, PagedCache) {
  constexpr int64_t heads = 2, group = 2, queries = 70, pages = 24, tablePitch = 16;
  const std::vector<int64_t> lengths{150, 33, 0};
  for (int64_t page : {16, 64})
    for (const Tile &tile : kTiles) {
      std::string line = grid(ceilDiv(queries, tile.rows), 3 * heads) + tile.config(" PAGE=" + text(page)) +
                         tensor("f16", {3 * heads, queries, kDim}) + tensor("f16", {pages, page, kDim}) +
                         tensor("f16", {pages, page, kDim}) + tensor("f16", {3 * heads, queries, kDim}) +
                         tensor("f32", {3 * heads, queries}) + " i32[3,16]=0..24 i32[3]=150,33,0" + kScale +
                         scalar(heads) + scalar(group) + scalar(tablePitch) + scalar(kDim) + scalar(queries);
      TileProgram program = load("paged", line);
      auto cached = [&, page = page](size_t argument, int64_t sequence) {
        return Place2D{argument, [=, &program](int64_t row) {
                         const char *entry = program.args[5].bytes.data() + 4 * (sequence * tablePitch + row / page);
                         auto number = static_cast<int64_t>(reference::readNumber(ElementType::I32, entry));
                         return (number * page + row % page) * kDim;
                       }};
      };
      std::vector<Head> all;
      for (int64_t head = 0; head < 3 * heads; ++head) {
        int64_t sequence = head / heads, keys = lengths[sequence];
        all.push_back({queries, keys, headOf(0, head, queries, kDim), cached(1, sequence), cached(2, sequence),
                       headOf(3, head, queries, kDim), headOf(4, head, queries, 1), causal(queries, keys)});
      }
      checkForward("paged", line, all);
    }
}

//===--- Backward ---===//

/// One head, its forward pass and what the backward pass should give.
struct Gradients {
  Rows q, k, v, dOutput;
  AttentionForward forward;
  AttentionBackward right;

  Gradients(const TileProgram &program, int64_t head, int64_t queries, int64_t keys, bool isCausal)
      : q(inputRows(program, headOf(0, head, queries, kDim), queries)),
        k(inputRows(program, headOf(1, head, keys, kDim), keys)),
        v(inputRows(program, headOf(2, head, keys, kDim), keys)),
        dOutput(inputRows(program, headOf(3, head, queries, kDim), queries)) {
    AttentionRule rule = isCausal ? causal(queries, keys) : AttentionRule{.scale = kScaleNumber};
    forward = attend(q, k, v, rule);
    right = attendBackward(q, k, v, dOutput, forward, rule);
  }
};

constexpr int64_t kGradientHeads = 2;

struct GradientCase {
  int64_t queries, keys;
  bool isCausal;

  /// The tensors of a launch: those with a row for each query, for each key, and numbers of queries.
  std::string rows(const char *type = "f16") const { return tensor(type, {kGradientHeads, queries, kDim}); }
  std::string columns() const { return tensor("f16", {kGradientHeads, keys, kDim}); }
  std::string statistics() const { return tensor("f32", {kGradientHeads, queries}); }
  std::string config(const Tile &tile) const { return tile.config(isCausal ? " CAUSAL=1" : " CAUSAL=0"); }
  std::string scalars() const { return kScale + scalar(queries) + scalar(keys); }
};
const GradientCase kGradientCases[] = {{200, 200, true}, {256, 256, true}, {104, 200, false}, {128, 128, false}};

/// What is right for every head. The log-sum-exp of the forward pass becomes argument `statistics`, delta the next.
std::vector<Gradients> prepare(TileProgram &program, const GradientCase &sizes, size_t statistics) {
  std::vector<Gradients> heads;
  for (int64_t head = 0; head < kGradientHeads; ++head) {
    heads.emplace_back(program, head, sizes.queries, sizes.keys, sizes.isCausal);
    writeRows(program, headOf(statistics, head, sizes.queries, 1), heads.back().forward.lse);
    writeRows(program, headOf(statistics + 1, head, sizes.queries, 1), heads.back().right.delta);
  }
  return heads;
}

/// Compares argument `argument`, times `scale`, with one gradient of every head.
void compareGradient(const TileProgram &program, const Outputs &outputs, size_t argument,
                     const std::vector<Gradients> &heads, Rows AttentionBackward::*which, double scale = 1) {
  for (size_t head = 0; head < heads.size(); ++head) {
    const Rows &right = heads[head].right.*which;
    int64_t rows = right.numbers.size() / kDim;
    Rows found = readRows(program, outputs[argument], headOf(argument, head, rows, kDim), rows, kDim);
    for (double &number : found.numbers)
      number *= scale;
    EXPECT_LE(distance(found, right), kTolerance) << "argument " << argument << ", head " << head;
  }
}

TEST_P(AttentionTest, BackwardDelta) {
  constexpr int64_t rows = 200;
  for (bool clears : {false, true}) {
    SCOPED_TRACE(clears);
    std::string half = tensor("f16", {rows, kDim});
    TileProgram program =
        load("backward_delta",
             grid(ceilDiv(rows, 32), 1) + " config=\"BLOCK_M=32 HEAD_DIM=64 CLEAR=" + std::to_string(clears) +
                 "\" args=" + half + half + tensor("f32", {rows}) + tensor("f32", {rows, kDim}) + scalar(rows));
    Outputs outputs = runOn(*runtime, program, GetParam().schedule);
    Rows o = inputRows(program, rowsFrom(0, 0, kDim), rows), dO = inputRows(program, rowsFrom(1, 0, kDim), rows);
    Rows sums = clears ? Rows(rows, kDim) : inputRows(program, rowsFrom(3, 0, kDim), rows);
    Rows right(rows, 1);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < kDim; ++column)
        right.at(row, 0) += o.at(row, column) * dO.at(row, column);
    EXPECT_LE(distance(readRows(program, outputs[2], rowsFrom(2, 0, 1), rows, 1), right), 1e-6);
    EXPECT_EQ(readRows(program, outputs[3], rowsFrom(3, 0, kDim), rows, kDim).numbers, sums.numbers);
  }
}

TEST_P(AttentionTest, BackwardKeys) {
  for (const Tile &tile : {Tile{64, 128, 2}, Tile{64, 64, 1}, Tile{128, 64, 1}})
    for (const GradientCase &sizes : kGradientCases) {
      std::string line = grid(ceilDiv(sizes.keys, tile.keys), kGradientHeads) + sizes.config(tile) + sizes.rows() +
                         sizes.columns() + sizes.columns() + sizes.rows() + sizes.columns() + sizes.columns() +
                         sizes.statistics() + sizes.statistics() + sizes.scalars();
      SCOPED_TRACE(line);
      TileProgram program = load("backward_keys", line);
      std::vector<Gradients> heads = prepare(program, sizes, 6);
      Outputs outputs = run(program);
      compareGradient(program, outputs, 4, heads, &AttentionBackward::dk);
      compareGradient(program, outputs, 5, heads, &AttentionBackward::dv);
    }
}

TEST_P(AttentionTest, BackwardQueries) {
  for (const Tile &tile : kTiles)
    for (const GradientCase &sizes : kGradientCases) {
      std::string line = grid(ceilDiv(sizes.queries, tile.rows), kGradientHeads) + sizes.config(tile) + sizes.rows() +
                         sizes.columns() + sizes.columns() + sizes.rows() + sizes.rows() + sizes.statistics() +
                         sizes.statistics() + sizes.scalars();
      SCOPED_TRACE(line);
      TileProgram program = load("backward_queries", line);
      std::vector<Gradients> heads = prepare(program, sizes, 5);
      compareGradient(program, run(program), 4, heads, &AttentionBackward::dq);
    }
}

/// All three gradients in one kernel; the sums of dQ are not scaled yet. A CTA for each block of keys, and resident
/// ones.
TEST_P(AttentionTest, BackwardFused) {
  for (const Tile &tile : {Tile{64, 128, 2}, Tile{128, 128, 2}, Tile{64, 64, 1}})
    for (const GradientCase &sizes : kGradientCases)
      for (const char *residence : {"", " persistent=1"}) {
        std::string causal = sizes.isCausal ? " CAUSAL=1" : " CAUSAL=0";
        std::string line = grid(ceilDiv(sizes.keys, tile.keys), kGradientHeads) + tile.config(causal + residence) +
                           sizes.rows() + sizes.columns() + sizes.columns() + sizes.rows() + sizes.rows("f32") + "=0" +
                           sizes.columns() + sizes.columns() + sizes.statistics() + sizes.statistics() +
                           sizes.scalars();
        SCOPED_TRACE(line);
        TileProgram program = load("backward", line);
        std::vector<Gradients> heads = prepare(program, sizes, 7);
        Outputs outputs = run(program);
        compareGradient(program, outputs, 4, heads, &AttentionBackward::dq, kScaleNumber);
        compareGradient(program, outputs, 5, heads, &AttentionBackward::dk);
        compareGradient(program, outputs, 6, heads, &AttentionBackward::dv);
      }
}

INSTANTIATE_TEST_SUITE_P(Attention, AttentionTest, testing::ValuesIn(places()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace tawa::conformance
