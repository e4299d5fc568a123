// The kernels of tests/kernels/gemm, which use wgmma in every type and operand order and end in every kind of store:
// all trip counts around the ring's depth, tiles whose rows and columns are split between warp groups, sizes that are
// not multiples of anything. Compared with the reference evaluator.
#include "tests/conformance/Program.h"
#include "tests/conformance/TileProgram.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa::conformance {
namespace {

struct Product {
  const char *kernel;    ///< Below tests/kernels/gemm.
  const char *arguments; ///< The tensors, with M, N and K for the extents; the three follow as scalars.
  int64_t depth;         ///< BLOCK_K
  const char *more = ""; ///< Further words of the configuration.
  int slots = 3;
  friend void PrintTo(const Product &product, std::ostream *stream) { *stream << product.kernel << product.more; }
};

const Product kProducts[] = {
    {"bf16", "bf16[M,K] bf16[N,K] bf16[M,N]", 64},
    {"f16_sum", "f16[M,K] f16[N,K] f16[M,N]", 64},
    {"f16_outer", "f16[K,M] f16[K,N] f16[M,N]", 32},
    {"tf32", "f32[M,K] f32[N,K] f32[M,N]", 32},
    {"tf32_outer", "f32[K,M] f32[K,N] f32[M,N]", 32},
    {"fp8", "f8e4m3[M,K] f8e4m3[N,K] f16[M,N]", 128},
    {"fp8", "f8e4m3[M,K] f8e4m3[N,K] f16[M,N]", 128, " PROMOTE=128"},
    {"fp8", "f8e4m3[M,K] f8e4m3[N,K] f16[M,N]", 128, " PROMOTE=64"},
    {"fp8", "f8e4m3[M,K] f8e4m3[N,K] f16[M,N]", 128, " PROMOTE=96"},
    {"fp8_mixed", "f8e5m2[M,K] f8e4m3[N,K] bf16[M,N]", 64},
    {"fp8_outer", "f8e4m3[K,M] f8e4m3[K,N] f16[M,N]", 64},
    {"fp8_to_fp8", "f8e4m3[M,K] f8e4m3[N,K] f8e4m3[M,N] f32:0.125", 128},
    {"int8", "i8[M,K]=-128..128 i8[N,K]=-128..128 i32[M,N]", 128},
    {"int8_nn", "i8[M,K]=-128..128 i8[K,N]=-128..128 i32[M,N]", 64},
    {"int8_requantized", "i8[M,K]=-128..128 i8[N,K]=-128..128 i8[M,N] f32:0.0005", 128},
    {"bias_gelu_residual", "f16[M,K] f16[N,K] f16[M,N] f32[N] f16[M,N]", 64, "", 2},
    {"f16_store_halves", "f16[M,K] f16[N,K] f16[M,N]", 64},
    {"f16_store_pointers", "f16[M,K] f16[N,K] f16[M,N]", 64},
};

struct Tile {
  int64_t rows, columns;
  int consumers;
};
/// Two groups one above the other, one group alone, and two groups side by side.
const Tile kTiles[] = {{128, 128, 2}, {64, 64, 1}, {64, 128, 2}};

/// Products of few rows, rows and columns in equal parts, and parts shared by groups.
const Tile kTilesBetween[] = {{16, 128, 1}, {80, 128, 2}, {96, 64, 1}, {64, 192, 1}, {160, 128, 2}, {176, 64, 1}};

/// The letters M, N and K of `text`, where they stand for an extent, as numbers.
std::string withExtents(const std::string &text, int64_t rows, int64_t columns, int64_t depth) {
  std::string result;
  for (char c : text)
    if (c == 'M' || c == 'N' || c == 'K')
      result += std::to_string(c == 'M' ? rows : c == 'N' ? columns : depth);
    else
      result += c;
  return result;
}

/// One launch of a product of `told` along K, over tensors that are not empty.
std::string launchOf(const Product &product, const Tile &tile, int64_t rows, int64_t columns, int64_t told) {
  constexpr int64_t kLeastDepth = 16; // a tensor map describes no empty tensor
  int64_t programs = ((rows + tile.rows - 1) / tile.rows) * ((columns + tile.columns - 1) / tile.columns);
  return "grid=" + std::to_string(programs) + " config=\"D=" + std::to_string(product.slots) +
         " P=2 BLOCK_M=" + std::to_string(tile.rows) + " BLOCK_N=" + std::to_string(tile.columns) +
         " BLOCK_K=" + std::to_string(product.depth) + " consumers=" + std::to_string(tile.consumers) + product.more +
         "\" args=" + withExtents(product.arguments, rows, columns, std::max(told, kLeastDepth)) +
         withExtents(" i32:M i32:N i32:", rows, columns, 0) + std::to_string(told);
}

class GemmKernelsTest : public testing::TestWithParam<std::tuple<Product, Place>> {
protected:
  void SetUp() override {
    std::string why;
    runtime = openPlace(std::get<1>(GetParam()), why);
    if (!runtime)
      GTEST_SKIP() << std::get<1>(GetParam()).device << ": " << why;
    text = readKernel(std::string("gemm/") + std::get<0>(GetParam()).kernel);
  }

  void check(const std::string &launch) {
    TileProgram program;
    program.name = std::get<0>(GetParam()).kernel;
    program.text = text;
    Status status = readLaunch(launch, /*seed=*/20251121, program);
    ASSERT_TRUE(status) << launch << ": " << status.message();
    Expectation expectation(program);
    ASSERT_TRUE(expectation.status()) << launch << ": " << expectation.status().message();
    try {
      Tally tally;
      EXPECT_EQ(expectation.compare(runOn(*runtime, program, std::get<1>(GetParam()).schedule), tally), "") << launch;
    } catch (const Error &error) {
      FAIL() << launch << ": " << error.what();
    }
  }

  std::optional<Runtime> runtime;
  std::string text;
};

/// From none to one more than the ring has slots.
TEST_P(GemmKernelsTest, EveryTripCount) {
  const Product &product = std::get<0>(GetParam());
  for (int64_t trips = 0; trips <= 4; ++trips)
    check(launchOf(product, {64, 64, 1}, 64, 64, trips * product.depth));
}

TEST_P(GemmKernelsTest, SizesThatAreNoMultiplesOfTheTile) {
  const Product &product = std::get<0>(GetParam());
  for (const Tile &tile : kTiles)
    check(launchOf(product, tile, tile.rows + 16, tile.columns + 16, 2 * product.depth - 16));
}

TEST_P(GemmKernelsTest, TilesBetweenPowersOfTwo) {
  if (text.find("| 176") == std::string::npos)
    GTEST_SKIP() << "the text does not list them";
  const Product &product = std::get<0>(GetParam());
  for (const Tile &tile : kTilesBetween)
    check(launchOf(product, tile, tile.rows + 16, tile.columns + 16, 3 * product.depth - 16));
}

/// Rows that are no multiples of 16 bytes: of 8, 4, 2 and 1 where elements are as small. Each of the three tensors for
/// itself, and all.
TEST_P(GemmKernelsTest, RowsThatTmaCannotTake) {
  const Product &product = std::get<0>(GetParam());
  if (text.find("%N: i32 {tt.divisibility") != std::string::npos)
    GTEST_SKIP() << "this text promises that N is a multiple of 16";
  const int64_t even = 16,
                extents[][3] = {{3, 5, 7}, {2, 6, 10}, {4, 12, 20}, {even, even, 1}, {even, 1, even}, {1, even, even}};
  for (const Tile &tile : {kTiles[0], kTiles[1]})
    for (const auto &[rows, columns, depth] : extents)
      check(launchOf(product, tile, tile.rows + rows, tile.columns + columns, 2 * product.depth + depth));
}

/// CTAs that add up what each of them has of a sum: fewer iterations than CTAs, as many, and more, the last one partly
/// outside.
TEST_P(GemmKernelsTest, CtasShareTheSum) {
  for (const char *split : {" split=2", " split=3", " split=8"})
    for (int64_t trips : {0, 1, 3, 5}) {
      Product product = std::get<0>(GetParam());
      std::string more = product.more + std::string(split);
      product.more = more.c_str();
      check(launchOf(product, {64, 64, 1}, 80, 80, std::max<int64_t>(trips * product.depth - 16, 0)));
    }
}

/// CTAs that share tiles: no iteration, fewer than CTAs, and more, the last one partly outside.
TEST_P(GemmKernelsTest, CtasShareTiles) {
  for (const Tile &tile : kTiles)
    for (int64_t tiles : {1, 5})
      for (int64_t trips : {0, 1, 4}) {
        Product product = std::get<0>(GetParam());
        std::string more = product.more + std::string(" persistent=1 stream=1");
        product.more = more.c_str();
        int64_t depth = std::max<int64_t>(trips * product.depth - 16, 0);
        check(launchOf(product, tile, tiles * tile.rows - 16, tile.columns - 16, depth));
      }
}

std::vector<std::tuple<Product, Place>> casesOf() {
  std::vector<std::tuple<Product, Place>> cases;
  for (const Product &product : kProducts)
    for (const Place &place : places())
      if (place.schedule.empty() || place.schedule == "wgmma-late")
        cases.emplace_back(product, place);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Gemm, GemmKernelsTest, testing::ValuesIn(casesOf()), [](const auto &info) {
  std::string name = std::get<0>(info.param).kernel + std::string(std::get<0>(info.param).more);
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name + "_on_" + std::get<1>(info.param).name();
});

} // namespace
} // namespace tawa::conformance
