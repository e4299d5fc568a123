// Affinization of the kernels of tests/kernels: the tile program of each, and which program runs which tile.
#include "tests/unit/planner/AffinizeTestSupport.h"

#include "compiler/reference/ReferenceKernel.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace tawa {
namespace {

constexpr ElementType F16 = ElementType::F16, F32 = ElementType::F32;
using Grid = std::array<uint32_t, 3>;

std::string gemmText(const std::string &head, const std::string &m, const std::string &n) {
  return head + R"(
  for k in 0..8
    load a[128 * )" +
         m + R"(, 64 * k], 128 x 64
    load b[256 * )" +
         n + R"(, 64 * k], 256 x 64
    tt.dot 128 x 256 x 64
  store c[128 * )" +
         m + ", 256 * " + n + "], 128 x 256\n";
}

TEST(Affinize, GemmThroughDescriptors) {
  Result<AffineKernel> kernel = affinizeText(kernelText("gemm_tma"), gemmArguments(1024, 2048, 512), Grid{64, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  EXPECT_EQ(kernel->program.str(), gemmText("gemm_tma: om in 0..8 on in 0..8", "om", "on"));
  EXPECT_EQ(kernel->program.gridDims, 2);
  EXPECT_EQ(kernel->program.carriedBytes, 128 * 256 * 4);
  ASSERT_EQ(kernel->program.tensors.size(), 3u);
  EXPECT_EQ(kernel->program.tensors[1].name, "b");
  EXPECT_EQ(kernel->program.tensors[1].shape, (std::vector<int64_t>{2048, 512}));
  EXPECT_EQ(kernel->program.tensors[1].type, F16);
  const mesh::TileStep &loop = kernel->program.body.front();
  EXPECT_EQ(loop.index, 2);
  EXPECT_EQ(loop.body[1].access.operation, 1);
  EXPECT_EQ(loop.body[2].op.unit, mesh::Unit::Matrix);
  EXPECT_EQ(loop.body[2].op.operands, (std::vector<int>{0, 1}));
}

/// Tiles of the grouped raster that the kernels print, for groups of 8 rows.
std::pair<int64_t, int64_t> rasterTile(int64_t program, int64_t rows, int64_t columns) {
  int64_t width = 8 * columns, first = program / width * 8, height = std::min<int64_t>(rows - first, 8);
  return {first + program % width % height, program % width / height};
}

// 12 rows of tiles: the second group has four of them, and its programs count otherwise than those of the first.
TEST(Affinize, KnowsTheProgramOfEachTile) {
  Result<AffineKernel> kernel = affinizeText(kernelText("gemm_tma"), gemmArguments(1536, 2048, 512), Grid{96, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  EXPECT_EQ(kernel->program.str(), gemmText("gemm_tma: om in 0..12 on in 0..8", "om", "on"));
  ASSERT_EQ(kernel->programs.size(), 96u);
  for (int64_t tile = 0; tile < 96; ++tile)
    EXPECT_EQ(rasterTile(kernel->programs[tile], 12, 8), std::pair(tile / 8, tile % 8)) << tile;
}

TEST(Affinize, GemmThroughPointers) {
  std::vector<ArgumentFacts> arguments = gemmArguments(1024, 2048, 512);
  for (int64_t stride : {512, 512, 2048})
    arguments.push_back(integerFacts(stride));
  for (std::string name : {"gemm_ptr", "gemm_ptr_masked"}) {
    Result<AffineKernel> kernel = affinizeText(kernelText(name), arguments, Grid{64, 1, 1});
    EXPECT_EQ(describe(kernel), gemmText(name + ": rm in 0..8 rn in 0..8", "rm", "rn"));
  }
}

// A loop over tiles, launched with one program per tile: each runs it once.
TEST(Affinize, GemmWithALoopOverTiles) {
  std::vector<ArgumentFacts> arguments = gemmArguments(1024, 2048, 512);
  Result<AffineKernel> kernel = affinizeText(kernelText("gemm_persistent"), arguments, Grid{64, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  EXPECT_EQ(kernel->program.indices[0].extent, 8);
  EXPECT_EQ(kernel->program.indices[1].extent, 8);
  EXPECT_EQ(kernel->program.indices[2].extent, 1);
  EXPECT_NE(describe(kernel).find("store c[128 * om, 256 * on], 128 x 256\n"), std::string::npos) << describe(kernel);
  Result<AffineKernel> resident =
      affinizeText(kernelText("gemm_persistent"), gemmArguments(4096, 2048, 512), Grid{132, 1, 1});
  EXPECT_NE(describe(resident).find(textOf(AffinizeReason::AddressNotAffine)), std::string::npos) << describe(resident);
}

TEST(Affinize, GemmOfBatches) {
  std::vector<ArgumentFacts> arguments = gemmArguments(1024, 2048, 512);
  for (auto [index, rows] : {std::pair{0, 8 * 1024}, {1, 8 * 2048}, {2, 8 * 1024}})
    arguments[index].shape[0] = rows;
  EXPECT_EQ(describe(affinizeText(kernelText("gemm_batched"), arguments, Grid{64, 8, 1})),
            R"(gemm_batched: z in 0..8 om in 0..8 on in 0..8
  for k in 0..8
    load a[1024 * z + 128 * om, 64 * k], 128 x 64
    load b[2048 * z + 256 * on, 64 * k], 256 x 64
    tt.dot 128 x 256 x 64
  store c[1024 * z + 128 * om, 256 * on], 128 x 256
)");
}

// Sizes that no tile divides; the grid is the text's.
TEST(Affinize, GemmOfAllTileSizes) {
  for (int64_t m : {64, 128, 256})
    for (int64_t n : {64, 128, 256}) {
      Result<AffineKernel> kernel = affinizeText(kernelText("gemm_param"), gemmArguments(1000, 2000, 500), std::nullopt,
                                                 {{"BLOCK_M", m}, {"BLOCK_N", n}});
      ASSERT_TRUE(kernel) << describe(kernel);
      const mesh::TileProgram &program = kernel->program;
      ASSERT_EQ(program.gridDims, 2);
      EXPECT_EQ(program.indices[0].name, "m_tile");
      EXPECT_EQ(program.indices[0].extent, (1000 + m - 1) / m);
      EXPECT_EQ(program.indices[1].name, "n_tile");
      EXPECT_EQ(program.indices[1].extent, (2000 + n - 1) / n);
      EXPECT_EQ(program.indices[2].extent, 8);
      EXPECT_EQ(program.stores().at(0).step->access.start[0], (mesh::Affine{{m, 0, 0}, 0}));
      EXPECT_EQ(program.stores().at(0).step->access.block, (std::vector<int64_t>{m, n}));
    }
}

std::vector<ArgumentFacts> attentionArguments(int64_t length, int64_t heads) {
  ArgumentFacts rows = tensorFacts(F16, {length * heads, 128});
  return {rows,
          rows,
          rows,
          rows,
          tensorFacts(F32, {heads, length}),
          floatFacts(),
          integerFacts(length),
          integerFacts(length * heads)};
}

TEST(Affinize, Attention) {
  Result<AffineKernel> kernel = affinizeText(kernelText("attn_full"), attentionArguments(1024, 2), Grid{8, 2, 1});
  EXPECT_EQ(describe(kernel), R"(attn_fwd: pm in 0..8 base in 0..2
  arith.mulf 1
  load q[128 * pm + 1024 * base, 0], 128 x 128
  for n in 0..8
    load k[1024 * base + 128 * n, 0], 128 x 128
    tt.dot 128 x 128 x 128
    tt.reduce 16384
    arith.mulf 128
    arith.maxnumf 128
    arith.mulf 16384
    arith.subf 16384
    math.exp2 16384
    arith.subf 128
    math.exp2 128
    tt.reduce 16384
    arith.mulf 16384
    load v[1024 * base + 128 * n, 0], 128 x 128
    arith.truncf 16384
    tt.dot 128 x 128 x 128
    arith.mulf 128
    arith.addf 128
  math.log2 128
  arith.addf 128
  store lse[base, 128 * pm], 1 x 128
  arith.divf 16384
  store o[128 * pm + 1024 * base, 0], 128 x 128
)");
  const std::vector<mesh::TileStep> &body = kernel->program.body.at(2).body;
  EXPECT_EQ(body.at(6).op.operands, (std::vector<int>{4, 5})); // s * scale - max
  EXPECT_EQ(body.at(14).op.operands, (std::vector<int>{11, 12, 13}));
  EXPECT_EQ(kernel->program.body.at(3).op.operands, (std::vector<int>{2})); // of the loop
  EXPECT_EQ(kernel->program.carriedBytes, 128 * 128 * 4 + 2 * 128 * 4);
}

// Keys before the tile's first row, then those of the diagonal: the first loop has no iterations in the first programs.
TEST(Affinize, CausalAttention) {
  Result<AffineKernel> kernel = affinizeText(kernelText("attn_causal"), attentionArguments(1024, 2), Grid{8, 2, 1});
  std::string text = describe(kernel);
  ASSERT_TRUE(kernel) << text;
  EXPECT_NE(text.find("  for n in 0..min(pm, 7)\n    load k[1024 * base + 128 * n, 0], 128 x 128\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  load k[128 * pm + 1024 * base, 0], 128 x 128\n"), std::string::npos) << text;
}

/// Rows see the keys up to their own: key - row - 1 is negative.
TEST(Affinize, MasksAreComparisonsOfIndices) {
  ArgumentFacts tensor = tensorFacts(F16, {1024, 64});
  Result<AffineKernel> kernel = affinizeText(
      kernelText("attention/fwd_causal"),
      {tensor, tensor, tensor, tensor, tensorFacts(F32, {1024}), floatFacts(), integerFacts(512), integerFacts(2)},
      Grid{4, 2, 1}, {{"BLOCK_M", 128}, {"BLOCK_N", 64}, {"HEAD_DIM", 64}});
  ASSERT_TRUE(kernel) << describe(kernel);
  ASSERT_EQ(kernel->program.masks.size(), 1u);
  ASSERT_EQ(kernel->program.masks[0].negative.size(), 1u);
  const mesh::TileMask::Sum &sum = kernel->program.masks[0].negative[0];
  EXPECT_EQ(sum.steps, (std::vector<int64_t>{-1, 1}));
  ASSERT_EQ(kernel->program.indices.size(), 4u);                     // program, head, two loops
  EXPECT_EQ(sum.start.at(std::vector<int64_t>{3, 1, 5, 1}), 64 - 1); // Keys begin at the tile's first row.
}

std::string lengthOf(int64_t rows, int64_t length, int64_t blockM, int64_t blockN) {
  ArgumentFacts tensor = tensorFacts(F16, {2 * length, 64});
  Result<AffineKernel> kernel = affinizeText(kernelText("attention/fwd_causal"),
                                             {tensor, tensor, tensor, tensor, tensorFacts(F32, {2 * length}),
                                              floatFacts(), integerFacts(length), integerFacts(2)},
                                             Grid{static_cast<uint32_t>(rows), 2, 1},
                                             {{"BLOCK_M", blockM}, {"BLOCK_N", blockN}, {"HEAD_DIM", 64}});
  std::string text = describe(kernel);
  size_t at = text.find("0..min(");
  return at == std::string::npos ? text : text.substr(at, text.find('\n', at) - at);
}

TEST(Affinize, LoopsOfUnequalLength) {
  EXPECT_EQ(lengthOf(4, 512, 128, 64), "0..min(2 * program, 6)");
  EXPECT_EQ(lengthOf(8, 512, 64, 64), "0..min(program, 7)");
  EXPECT_EQ(lengthOf(8, 512, 64, 128), "0..min((program + 1) / 2, 4)");
}

TEST(Affinize, Rows) {
  ArgumentFacts rows = tensorFacts(F16, {100, 4000}), columns = tensorFacts(F16, {4000});
  std::string softmax = R"(softmax_rows: r in 0..100
  load x[r, 0], 1 x 4096
  tt.reduce 4096
  arith.subf 4096
  math.exp 4096
  tt.reduce 4096
  arith.divf 4096
  store y[r, 0], 1 x 4096
)";
  EXPECT_EQ(describe(affinizeText(kernelText("softmax_rows"), {rows, rows, integerFacts(4000), integerFacts(4000)},
                                  Grid{100, 1, 1})),
            softmax);
  Result<AffineKernel> layernorm = affinizeText(
      kernelText("layernorm_rows"),
      {rows, rows, columns, columns, integerFacts(4000), integerFacts(4000), floatFacts()}, Grid{100, 1, 1});
  ASSERT_TRUE(layernorm) << describe(layernorm);
  EXPECT_NE(describe(layernorm).find("load w[0], 4096\n"), std::string::npos) << describe(layernorm);
  EXPECT_NE(describe(layernorm).find("math.rsqrt 1\n"), std::string::npos) << describe(layernorm);
  EXPECT_EQ(layernorm->program.loads().size(), 3u);
}

// The mask ends before the tensor does: what is beyond it must stay.
TEST(Affinize, MasksInsideOfATensorAreNoted) {
  ArgumentFacts rows = tensorFacts(F16, {100, 4000});
  Result<AffineKernel> kernel =
      affinizeText(kernelText("softmax_rows"), {rows, rows, integerFacts(4000), integerFacts(3999)}, Grid{100, 1, 1});
  EXPECT_NE(describe(kernel).find("store y[r, 0], 1 x 4096, masked\n"), std::string::npos) << describe(kernel);
}

TEST(Affinize, Elementwise) {
  ArgumentFacts vector = tensorFacts(F32, {1000000});
  EXPECT_EQ(
      describe(affinizeText(kernelText("vec_add"), {vector, vector, vector, integerFacts(1000000)}, Grid{977, 1, 1})),
      R"(vec_add: i in 0..977
  load x[1024 * i], 1024
  load y[1024 * i], 1024
  arith.addf 1024
  store z[1024 * i], 1024
)");
  // The same kernel over rows of 4096: four programs a row, though the text knows nothing of rows.
  ArgumentFacts rows = tensorFacts(F32, {8, 4096});
  EXPECT_EQ(describe(affinizeText(kernelText("vec_add"), {rows, rows, rows, integerFacts(8 * 4096)}, Grid{32, 1, 1})),
            R"(vec_add: tile in 0..8 tile_1 in 0..4
  load x[tile, 1024 * tile_1], 1 x 1024
  load y[tile, 1024 * tile_1], 1 x 1024
  arith.addf 1024
  store z[tile, 1024 * tile_1], 1 x 1024
)");
}

// What a tile program counts operations in is a kernel that runs.
TEST(Affinize, TextIsAKernel) {
  ArgumentFacts vector = tensorFacts(F32, {2000});
  Result<AffineKernel> kernel =
      affinizeText(kernelText("vec_add"), {vector, vector, vector, integerFacts(2000)}, Grid{2, 1, 1});
  ASSERT_TRUE(kernel) << describe(kernel);
  Result<reference::ReferenceKernel> reference = reference::ReferenceKernel::read(kernel->text, "specialized.mlir");
  ASSERT_TRUE(reference) << reference.status().message();
  std::vector<float> x(2000), y(2000, 0.5f), z(2000);
  std::iota(x.begin(), x.end(), 0.0f);
  auto memory = [](std::vector<float> &data) {
    return reference::ReferenceArgument::tensor(data.data(), data.size() * sizeof(float));
  };
  std::vector<reference::ReferenceArgument> arguments = {memory(x), memory(y), memory(z),
                                                         reference::ReferenceArgument::scalar(int64_t(2000))};
  Status status = reference->run(arguments, kernel->grid, 1 << 20);
  ASSERT_TRUE(status) << status.message();
  EXPECT_EQ(z[1999], 1999.5f);
}

} // namespace
} // namespace tawa
