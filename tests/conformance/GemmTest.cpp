// The GEMM main loop on every device: every D and P, every number of iterations around them, sizes that are and are not
// multiples of the tile.
#include "runtime/artifact/StreamParts.h"
#include "tests/conformance/PlaceTest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace tawa::conformance {
namespace {

class GemmTest : public PlaceTest {
protected:
  Kernel compile(const std::string &name, const Gemm &gemm, const std::string &config) {
    return runtime->compile(readKernel(name), gemm.specs(/*open=*/true), config, name + ".mlir");
  }
};

struct Tile {
  const char *kernel;
  const char *parameters;
  int64_t rows, columns, depth;
};

/// The printed kernels, and the parameterized one with tiles that no printed kernel has.
const Tile kTiles[] = {{"gemm_tma", "", 128, 256, 64},
                       {"gemm_tma_128", "", 128, 128, 64},
                       {"gemm_param", "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1 ", 64, 128, 32}};

/// Iteration counts at which a ring of depth D or a pipeline of depth P changes its behaviour.
std::set<int64_t> interestingTrips(int depth, int inFlight) {
  return {0, 1, inFlight - 1, inFlight, depth, depth + 1, 2 * depth + 1};
}

TEST_P(GemmTest, EveryDepthAndTripCount) {
  uint32_t seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  for (const Tile &tile : kTiles)
    for (int depth = 1; depth <= 4; ++depth)
      for (int inFlight = 1; inFlight <= std::min(depth, 3); ++inFlight) {
        std::string config =
            tile.parameters + std::string("D=") + std::to_string(depth) + " P=" + std::to_string(inFlight);
        Gemm gemm{tile.rows + 8, tile.columns, tile.depth, tile.rows, tile.columns, seed};
        Kernel kernel = compile(tile.kernel, gemm, config);
        for (int64_t trips : interestingTrips(depth, inFlight)) {
          gemm.depth = trips * tile.depth;
          EXPECT_EQ(gemm.run(*runtime, kernel), "")
              << tile.kernel << " " << config << " iterations " << trips << " seed " << seed;
        }
      }
}

TEST_P(GemmTest, SizesThatAreNoMultiplesOfTheTile) {
  uint32_t seed = std::random_device{}();
  for (const Tile &tile : kTiles) {
    const std::string config = tile.parameters + std::string("D=3 P=2");
    const int64_t sizes[][3] = {{tile.rows, tile.columns, tile.depth},
                                {tile.rows - 1, tile.columns - 8, tile.depth - 8},
                                {1, 8, 8},
                                {tile.rows + 1, tile.columns + 8, 3 * tile.depth + 8},
                                {2 * tile.rows, 2 * tile.columns, 5 * tile.depth},
                                {3 * tile.rows - 5, tile.columns / 2, 200}};
    Kernel kernel = compile(tile.kernel, Gemm{tile.rows, tile.columns, tile.depth}, config);
    for (const auto &[rows, columns, depth] : sizes) {
      Gemm gemm{rows, columns, depth, tile.rows, tile.columns, seed};
      EXPECT_EQ(gemm.run(*runtime, kernel), "")
          << tile.kernel << " M=" << rows << " N=" << columns << " K=" << depth << " seed " << seed;
    }
  }
}

/// What a configuration may ask for beside D and P. The emulator has 3 multiprocessors here.
const char *const kWalks[] = {
    "persistent=1 consumers=1 ",
    "persistent=1 schedule=pingpong consumers=2 ",
    "persistent=1 schedule=pingpong consumers=3 ",
    "persistent=1 raster=2 consumers=1 ",
    "persistent=1 raster=-3 schedule=pingpong consumers=2 ",
    "raster=3 consumers=1 ",
};

/// Fewer tiles than CTAs, as many, and several rounds, of which the last is not full; no iteration, and more and fewer
/// than the ring has slots.
TEST_P(GemmTest, ResidentCtasWalkTheTiles) {
  uint32_t seed = std::random_device{}();
  for (const char *walk : kWalks)
    for (const char *depths : {"D=1 P=1", "D=2 P=2", "D=3 P=1", "D=4 P=3"}) {
      std::string config = walk + std::string("BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 GROUP=1 ");
      config += depths;
      Kernel kernel = compile("gemm_param", Gemm{64, 64, 64, 64, 64}, config);
      for (int64_t tiles : {1, 2, 3, 5, 7})
        for (int64_t trips : {0, 1, 2, 5}) {
          Gemm gemm{64 * tiles - 8, 72, trips * 32, 64, 64, seed};
          EXPECT_EQ(gemm.run(*runtime, kernel), "")
              << config << " M=" << gemm.rows << " K=" << gemm.depth << " seed " << seed;
        }
    }
}

/// Kernels of one tile and kernels that walk their tiles themselves, as Triton prints them.
TEST_P(GemmTest, PrintedKernelsWalkTheTiles) {
  uint32_t seed = std::random_device{}();
  const std::pair<const char *, const char *> cases[] = {{"gemm_tma", "persistent=1 D=3 P=2"},
                                                         {"gemm_tma_128", "persistent=1 schedule=pingpong D=4 P=2"},
                                                         {"gemm_tma_128", "persistent=1 raster=4 D=2 P=1"}};
  for (auto [name, config] : cases) {
    int64_t columns = std::string(name) == "gemm_tma_128" ? 128 : 256;
    Kernel kernel = compile(name, Gemm{128, columns, 64, 128, columns}, config);
    // Of a tile in four pieces, one is stored beside each of the next tile's products, or all beside the first of too
    // few.
    for (int64_t depth : {64, 192, 256, 320}) {
      Gemm gemm{128 * 5 - 16, 2 * columns, depth, 128, columns, seed};
      EXPECT_EQ(gemm.run(*runtime, kernel), "") << name << " " << config << " K=" << depth << " seed " << seed;
    }
  }
}

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The persistent kernel that Triton prints carries a second tile number through its loop. With tiles of 128 columns,
/// which one consumer group can hold, and 3 CTAs instead of 132.
std::string persistentOfThree() {
  std::string text = readKernel("gemm_persistent");
  for (auto [from, to] : {std::pair("256x64x", "128x64x"),
                          {"128x256x", "128x128x"},
                          {"64x256x", "64x128x"},
                          {"constant 256 : i32", "constant 128 : i32"},
                          {"constant 255 : i32", "constant 127 : i32"},
                          {"constant 132 : i32", "constant 3 : i32"}})
    text = replaceAll(text, from, to);
  return text;
}

constexpr int64_t kFiveTiles = int64_t{128} * 5 - 16;

TEST_P(GemmTest, WrittenTileLoopsAreWalkedAsConfigured) {
  std::string text = persistentOfThree();
  for (const char *config : {"D=3 P=2", "D=3 P=2 persistent=1", "D=3 P=2 persistent=1 schedule=pingpong",
                             "D=1 P=1 persistent=1 schedule=pingpong", "D=2 persistent=1 stream=1"}) {
    Gemm gemm{128, 128, 64, 128, 128};
    Kernel kernel = runtime->compile(text, gemm.specs(/*open=*/true), config, "gemm_persistent.mlir");
    for (int64_t depth : {0, 64, 320}) {
      gemm = Gemm{kFiveTiles, int64_t{2} * 128, depth, 128, 128, /*seed=*/7, /*ctas=*/3};
      EXPECT_EQ(gemm.run(*runtime, kernel), "") << config << " K=" << depth;
    }
  }
}

/// Two programs that step over three leave out every third tile, as the text says.
TEST_P(GemmTest, FewerProgramsThanAWrittenTileLoopStepsOver) {
  Gemm gemm{kFiveTiles, int64_t{2} * 128, 64, 128, 128, /*seed=*/7, /*ctas=*/2};
  Kernel kernel = runtime->compile(persistentOfThree(), gemm.specs(), "D=3 P=2 persistent=1", "gemm_persistent.mlir");
  std::string first = gemm.run(*runtime, kernel);
  EXPECT_TRUE(first.starts_with("C[0,128] = ") && first.find("nan") != first.npos) << "of the sixth tile: " << first;
  for (uint32_t programs : {3U, 5U}) { // more take tiles twice
    gemm.ctas = programs;
    EXPECT_EQ(gemm.run(*runtime, kernel), "") << programs;
  }
}

/// Every legal tile of the parameterized kernel.
TEST_P(GemmTest, EveryTileOfTheParameterizedKernel) {
  int compiled = 0;
  for (int64_t rows : {64, 128, 256})
    for (int64_t columns : {64, 128, 256})
      for (int64_t depth : {32, 64, 128})
        for (int consumers : {1, 2}) {
          if (rows * columns / (int64_t{consumers} * 128) > 192)
            continue; // does not fit the registers
          std::string config = "BLOCK_M=" + std::to_string(rows) + " BLOCK_N=" + std::to_string(columns) +
                               " BLOCK_K=" + std::to_string(depth) + " D=2 P=2 consumers=" + std::to_string(consumers);
          Gemm gemm{rows + 8, columns + 8, 3 * depth + 8, rows, columns, 11};
          Kernel kernel = compile("gemm_param", gemm, config);
          EXPECT_EQ(gemm.run(*runtime, kernel), "") << config;
          ++compiled;
        }
  EXPECT_GE(compiled, 39);
}

/// Launches may change sizes, pointers and data without compiling again.
TEST_P(GemmTest, OneKernelServesManyShapes) {
  Kernel kernel = compile("gemm_tma_128", Gemm{128, 128, 64}, "D=4 P=2");
  std::mt19937 random(5);
  for (int round = 0; round < 12; ++round) {
    Gemm gemm{static_cast<int64_t>(random() % 300 + 1),
              static_cast<int64_t>(random() % 40 + 1) * 8,
              static_cast<int64_t>(random() % 40 + 1) * 8,
              128,
              128,
              static_cast<uint32_t>(round)};
    EXPECT_EQ(gemm.run(*runtime, kernel), "") << "M=" << gemm.rows << " N=" << gemm.columns << " K=" << gemm.depth;
  }
}

/// Rows that begin where TMA demands it and end before a multiple of 16 bytes, with NaNs between them.
TEST_P(GemmTest, RowsShorterThanTheyAreApart) {
  constexpr int64_t kRows = 64, kApart = 64;
  for (int64_t depth : {kApart, kApart - 4, kApart - 2, kApart - 1}) {
    std::vector<tawa_arg_t> args = Gemm{kRows, kRows, depth}.specs();
    std::vector<_Float16> operand(kRows * kApart), product(kRows * kRows);
    auto at = [&](int64_t row, int64_t k) { return static_cast<float>((row * 7 + k * 3) % 5 - 2); };
    for (int64_t i = 0; i < kRows * kApart; ++i)
      operand[i] = static_cast<_Float16>(i % kApart < depth ? at(i / kApart, i % kApart) : NAN);
    Memory operands(*runtime, operand.size() * sizeof(_Float16)), result(*runtime, product.size() * sizeof(_Float16));
    operands.copyIn(operand.data());
    for (int tensor = 0; tensor < 2; ++tensor) {
      args[tensor].strides[0] = kApart, args[tensor].strides[1] = 1;
      args[tensor].data = operands.data();
    }
    args[2].data = result.data();
    for (const char *form : {"consumers=0", "consumers=0 D=1", "consumers=1"}) {
      std::string config = std::string("BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 ") + form;
      Kernel kernel = runtime->compile(readKernel("gemm_param"), args, config, "gemm_param.mlir");
      result.fill(0xff);
      tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
      kernel.launch(args, nullptr, options);
      runtime->synchronize();
      result.copyOut(product.data());
      for (int64_t i = 0; i < kRows * kRows; ++i) {
        float expected = 0;
        for (int64_t k = 0; k < depth; ++k)
          expected += at(i / kRows, k) * at(i % kRows, k);
        ASSERT_EQ(static_cast<float>(product[i]), expected) << config << " depth " << depth << " element " << i;
      }
    }
  }
}

/// A kernel in clusters, with numbers of tiles. Where the text walks them itself, the cluster divides their product.
struct ClusterCase {
  const char *kernel;
  const char *parameters;
  int64_t rows, columns, depth; ///< Of a tile.
  int cluster;
  std::vector<std::pair<int64_t, int64_t>> tiles; ///< Rows and columns of tiles.
};

/// Which operand neighbours have in common changes within a launch: B along a column of tiles, A where a group has one
/// row of tiles, nothing where a pair spans the ends of two columns. In groups of two and four rows, clusters of four
/// and eight have both in common, but where the last group has fewer rows.
const ClusterCase kClusterCases[] = {
    {"gemm_param",
     "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1",
     64,
     128,
     32,
     2,
     {{1, 2}, {2, 1}, {3, 2}, {9, 2}, {1, 1}, {3, 1}, {5, 3}}},
    {"gemm_param", "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1 GROUP=1", 64, 128, 32, 2, {{2, 3}, {3, 2}}},
    {"gemm_param",
     "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 consumers=1",
     64,
     64,
     64,
     4,
     {{4, 1}, {1, 4}, {5, 4}, {10, 2}, {1, 1}, {3, 1}, {9, 3}}},
    {"gemm_param",
     "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 consumers=1 GROUP=2",
     64,
     64,
     64,
     4,
     {{2, 4}, {3, 4}, {5, 3}, {1, 1}}},
    {"gemm_param", "BLOCK_M=64 BLOCK_N=48 BLOCK_K=32 consumers=1 GROUP=2", 64, 48, 32, 8, {{2, 8}, {3, 5}}},
    {"gemm_param", "BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 consumers=1 GROUP=4", 64, 64, 32, 8, {{4, 4}, {6, 4}, {7, 3}}},
    {"gemm_tma", "", 128, 256, 64, 2, {{3, 2}, {3, 1}}},
    {"gemm_persistent", "", 128, 256, 64, 2, {{3, 2}}},
    // CTAs that walk the tiles, three of which the emulator holds: one cluster.
    {"gemm_param",
     "BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 consumers=1 persistent=1",
     64,
     64,
     32,
     2,
     {{1, 2}, {5, 2}, {1, 1}, {7, 1}, {3, 3}}},
    {"gemm_param", "BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 persistent=1 schedule=pingpong", 64, 64, 32, 2, {{5, 2}, {7, 1}}},
    {"gemm_param",
     "BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 consumers=1 persistent=1 raster=2",
     64,
     64,
     32,
     2,
     {{5, 2}, {3, 3}}},
};

TEST_P(GemmTest, ClustersShareTiles) {
  for (const ClusterCase &entry : kClusterCases)
    for (const char *depths : {"D=1 P=1", "D=3 P=2", "D=4 P=1"}) {
      std::string config = std::string(entry.parameters) + " cluster=" + std::to_string(entry.cluster) + " " + depths;
      Kernel kernel = compile(entry.kernel, Gemm{entry.rows, entry.columns, entry.depth}, config);
      EXPECT_EQ(kernel.info().cluster[0], isForHopper() ? static_cast<uint32_t>(entry.cluster) : 1) << entry.kernel;
      for (auto [rows, columns] : entry.tiles)
        for (int64_t trips : {0, 1, 7}) {
          Gemm gemm{
              rows * entry.rows - 8, columns * entry.columns - 8, trips * entry.depth, entry.rows, entry.columns, 3};
          EXPECT_EQ(gemm.run(*runtime, kernel), "")
              << entry.kernel << " " << config << " " << rows << " x " << columns << " tiles, iterations " << trips;
        }
    }
}

/// As many CTAs to a program as the configuration says, however many programs there are, with one, two and no
/// iteration for each. Clusters of several programs have up to eight CTAs.
TEST_P(GemmTest, CtasShareSums) {
  for (uint32_t split : {2, 3, 4, 8})
    for (auto [form, programs] : {std::pair("D=1 P=1 consumers=1", 1u),
                                  {"D=3 P=2 consumers=2", 1},
                                  {"D=4 P=1 consumers=1 cluster=2", 2},
                                  {"D=1 P=1 consumers=1 cluster=4", 4}}) {
      std::string config = "BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 split=" + std::to_string(split) + " " + form;
      Kernel kernel = compile("gemm_param", Gemm{64, 64, 32}, config);
      uint32_t ctas = split * programs <= 8 ? split * programs : split;
      EXPECT_EQ(kernel.info().cluster[0], isForHopper() ? ctas : 1) << config;
      for (int64_t trips : {int64_t{0}, int64_t{1}, int64_t{split}, 2 * int64_t{split} + 1}) {
        Gemm gemm{136, 56, trips * 32 - (trips ? 8 : 0), 64, 64, 3};
        EXPECT_EQ(gemm.run(*runtime, kernel), "") << config << ", iterations " << trips;
      }
    }
}

/// Resident CTAs share the iterations of the last tiles: fewer tiles than CTAs, more, and as many again as they divide;
/// more CTAs than iterations, and none; more than a few parts of a long sum; in clusters that have the same part of
/// their tiles. One launch after the other, as each relies on what the one before leaves to it.
TEST_P(GemmTest, ResidentCtasShareTiles) {
  for (const char *form : {"D=1 P=1 consumers=1", "D=3 P=2 consumers=1 raster=2", "D=4 P=1 consumers=2",
                           "D=3 P=2 consumers=1 cluster=2", "D=2 P=1 consumers=1 raster=2 cluster=4"})
    for (auto [rows, columns] : {std::pair<int64_t, int64_t>{64, 64}, {128, 64}}) {
      std::string config = "BLOCK_M=" + std::to_string(rows) + " BLOCK_N=" + std::to_string(columns) +
                           " BLOCK_K=32 persistent=1 stream=1 " + form;
      Kernel kernel = compile("gemm_param", Gemm{rows, columns, 32, rows, columns}, config);
      for (uint32_t note = 0; note < kernel.info().num_diagnostics; ++note)
        EXPECT_EQ(std::string(kernel.diagnostic(note).message).find("is not applied"), std::string::npos) << config;
      for (int64_t tiles : {1, 2, 5, 7, 13, 25})
        for (int64_t trips : {0, 1, 7}) {
          Gemm gemm{rows * tiles - 5, columns - 8, trips * 32 - (trips ? 8 : 0), rows, columns, 3};
          EXPECT_EQ(gemm.run(*runtime, kernel), "") << config << ", tiles " << tiles << ", iterations " << trips;
        }
      Gemm few{rows - 5, columns - 8, (kFewParts + 3) * kLongPart * 32 - 8, rows, columns, 3};
      EXPECT_EQ(few.run(*runtime, kernel), "") << config << ", a long sum";
    }
}

/// More parts of few large tiles than one CTA adds up: by those that are there. So few run at a time on the emulator
/// that most leave before the last part is there. One launch after the other, as each relies on what the one before
/// leaves.
TEST_P(GemmTest, CtasAddUpManyPartsTogether) {
  if (!isForHopper())
    GTEST_SKIP() << "there are no roles";
  runtime = openLargePlace(GetParam());
  for (auto [form, tiles] : {std::pair<const char *, int64_t>{"D=3 P=1 consumers=1", 1},
                             {"D=3 P=2 consumers=2", 2},
                             {"D=3 P=1 consumers=1 cluster=2", 2}}) {
    std::string config = std::string("BLOCK_M=128 BLOCK_N=128 BLOCK_K=32 persistent=1 stream=1 ") + form;
    Kernel kernel = compile("gemm_param", Gemm{128, 128, 32, 128, 128}, config);
    Gemm gemm{128 * tiles - 5, 120, (kFewParts + 3) * kLongPart * 32 - 8, 128, 128, 3};
    for (int again = 0; again < 2; ++again)
      EXPECT_EQ(gemm.run(*runtime, kernel), "") << config;
  }
}

/// Resident CTAs take tiles one by one: fewer tiles than CTAs, as many, and more, with no, one and several iterations.
/// One launch after the other, as each relies on what the one before leaves to it.
TEST_P(GemmTest, ResidentCtasTakeTilesOneByOne) {
  if (!isForHopper())
    GTEST_SKIP() << "there are no roles";
  for (const char *form : {"D=1 P=1 consumers=1", "D=3 P=2 consumers=1 raster=2", "D=4 P=1 consumers=2"})
    for (auto [rows, columns] : {std::pair<int64_t, int64_t>{64, 64}, {128, 64}}) {
      std::string config = "BLOCK_M=" + std::to_string(rows) + " BLOCK_N=" + std::to_string(columns) +
                           " BLOCK_K=32 persistent=1 dynamic=1 " + form;
      Kernel kernel = compile("gemm_param", Gemm{rows, columns, 32, rows, columns}, config);
      for (uint32_t note = 0; note < kernel.info().num_diagnostics; ++note)
        EXPECT_EQ(std::string(kernel.diagnostic(note).message).find("dynamic is not"), std::string::npos) << config;
      for (int64_t tiles : {1, 2, 4, 5, 7, 13, 25})
        for (int64_t trips : {0, 1, 7}) {
          Gemm gemm{rows * tiles - 5, columns - 8, trips * 32 - (trips ? 8 : 0), rows, columns, 3};
          EXPECT_EQ(gemm.run(*runtime, kernel), "") << config << ", tiles " << tiles << ", iterations " << trips;
        }
    }
}

/// CTAs beside each other have a part each of registers and shared memory.
TEST_P(GemmTest, CtasBesideEachOtherHaveAPartEach) {
  if (!isForHopper())
    GTEST_SKIP() << "there are no roles";
  for (auto [tile, form] :
       {std::pair<int64_t, const char *>{128, " D=2 ctas=2"}, {64, " D=3 P=2 ctas=3 persistent=1"}}) {
    std::string size = std::to_string(tile);
    std::string config = "BLOCK_M=" + size + " BLOCK_N=" + size + " BLOCK_K=32 consumers=1" + form;
    Gemm gemm{250, 264, 200, tile, tile, 3};
    Kernel kernel = compile("gemm_param", gemm, config);
    EXPECT_EQ(gemm.run(*runtime, kernel), "") << config;
  }
}

/// Three tiles of a text that walks them itself: one of the second cluster's CTAs has none.
TEST_P(GemmTest, ClustersTakeAnyNumberOfWrittenTiles) {
  if (!isForHopper())
    GTEST_SKIP() << "there are no clusters";
  for (const char *config : {"D=2 cluster=2", "D=2 cluster=2 persistent=1"}) {
    Kernel kernel = compile("gemm_persistent", Gemm{128, 128, 64}, config);
    Gemm gemm{int64_t{3} * 128, 128, 64, 128, 256};
    EXPECT_EQ(gemm.run(*runtime, kernel), "") << config;
  }
}

INSTANTIATE_TEST_SUITE_P(Everywhere, GemmTest, testing::ValuesIn(places()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace tawa::conformance
