// Code of GEMM plans: all movements, hoisted loads, ragged sizes, on arrays of 2 x 2, 1 x 8 and 8 x 8 cores. Each is
// compiled and run, and gives the exact product.
#include "tests/unit/mesh/Examples.h"
#include "tests/unit/metalium/PrintedProgram.h"

#include <gtest/gtest.h>
#include <random>

namespace tawa::metalium::tests {
namespace {

using mesh::Movement;

constexpr int kY = 0, kX = 1;           ///< Dimensions of the example's grid.
constexpr int kAlongX = 0, kAlongY = 1; ///< Its networks.

struct GemmPlan {
  int64_t rows = 2, columns = 2;
  mesh::examples::GemmSizes sizes;
  mesh::Plan plan;

  mesh::Machine machine() const { return mesh::examples::grid(rows, columns); }
  mesh::TileProgram program() const { return exactGemm(sizes); }
};

/// A load in the innermost loop.
mesh::LoadPlan load(Movement movement, std::vector<int> along = {}, std::vector<int> networks = {}) {
  return {movement, std::move(along), std::move(networks), 3, 1, 0, 2};
}

/// Rows of the product over y, columns over x.
GemmPlan twoDimensional(int64_t rows, int64_t columns, mesh::examples::GemmSizes sizes, mesh::LoadPlan a,
                        mesh::LoadPlan b) {
  GemmPlan made{rows, columns, sizes, {}};
  made.plan.splits = {{{kY}}, {{kX}}};
  made.plan.waves = {0, 1};
  made.plan.loads = {std::move(a), std::move(b)};
  made.plan.stores = {{2, 0}};
  return made;
}

/// Rows of the product over all cores, which need the same columns.
GemmPlan oneDimensional(int64_t rows, int64_t columns, mesh::examples::GemmSizes sizes, mesh::LoadPlan b) {
  GemmPlan made = twoDimensional(rows, columns, sizes, load(Movement::PerCore), std::move(b));
  made.plan.splits = {{{kY, kX}}, {{}}};
  return made;
}

const mesh::LoadPlan kPerCore = load(Movement::PerCore);
const mesh::LoadPlan kRowBroadcast = load(Movement::Broadcast, {kX}, {kAlongX});
const mesh::LoadPlan kColumnBroadcast = load(Movement::Broadcast, {kY}, {kAlongY});
constexpr mesh::examples::GemmSizes kSmall{128, 128, 128, 64, 64, 32};
constexpr mesh::examples::GemmSizes kRagged{200, 150, 100, 64, 64, 32};

std::string mainOf(const mesh::examples::GemmSizes &sizes) {
  std::string m = std::to_string(sizes.m), n = std::to_string(sizes.n), k = std::to_string(sizes.k);
  return "  Matrix a(" + m + ", " + k + ", tt::DataFormat::Float16), b(" + k + ", " + n +
         ", tt::DataFormat::Float16), c(" + m + ", " + n + ", tt::DataFormat::Float16);\n" +
         "  a.fill(1); b.fill(2); a.upload(); b.upload();\n"
         "  run(create_gemm(device, \".\", a.buffer(), b.buffer(), c.buffer()));\n"
         "  c.download();\n"
         "  return compare(c, [&](size_t r, size_t q) {\n"
         "    float sum = 0;\n"
         "    for (size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(k, q);\n"
         "    return sum;\n  });\n";
}

/// Compiles and runs.
void expectRight(const GemmPlan &gemm) {
  Code code = print(gemm.plan, gemm.program(), gemm.machine());
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  PrintedProgram printed(code);
  EXPECT_EQ(printed.compile(), "");
  EXPECT_EQ(printed.run(mainOf(gemm.sizes)), "");
}

TEST(GemmCode, PerCore) { expectRight(twoDimensional(2, 2, kSmall, kPerCore, kPerCore)); }

TEST(GemmCode, BroadcastAlongRowsAndColumns) {
  expectRight(twoDimensional(2, 2, kSmall, kRowBroadcast, kColumnBroadcast));
}

TEST(GemmCode, BroadcastRagged) { expectRight(twoDimensional(2, 2, kRagged, kRowBroadcast, kColumnBroadcast)); }

TEST(GemmCode, RowsThenColumns) {
  expectRight(oneDimensional(2, 2, kRagged, load(Movement::RowsThenColumns, {kX, kY}, {kAlongX, kAlongY})));
}

TEST(GemmCode, Wavefront) {
  expectRight(oneDimensional(2, 3, kRagged, load(Movement::Wavefront, {kX, kY}, {kAlongX, kAlongY})));
}

TEST(GemmCode, OneRowOfEight) {
  expectRight(oneDimensional(1, 8, {600, 100, 128, 64, 64, 64}, load(Movement::Broadcast, {kX}, {kAlongX})));
}

TEST(GemmCode, EightByEight) {
  expectRight(twoDimensional(8, 8, {512, 512, 128, 32, 64, 64}, kRowBroadcast, kColumnBroadcast));
}

/// A row of A is fetched once and kept while the columns of the product go by.
TEST(GemmCode, HoistedLoad) {
  mesh::LoadPlan a = kRowBroadcast;
  a.level = 1;
  a.tiles = 4;
  expectRight(twoDimensional(2, 2, {256, 300, 128, 64, 64, 32}, a, kColumnBroadcast));
}

TEST(GemmCode, OneStepOfK) {
  expectRight(twoDimensional(2, 2, {130, 128, 64, 64, 64, 64}, kRowBroadcast, kColumnBroadcast));
}

/// Blocks whose tiles do not divide into squares of registers.
TEST(GemmCode, OddBlocks) {
  expectRight(twoDimensional(2, 2, {192, 320, 192, 96, 160, 96}, kRowBroadcast, kColumnBroadcast));
}

/// A load at any level, with the tiles that its address then needs at once: of `dependent` loops further in.
mesh::LoadPlan randomLoad(std::mt19937 &random, const std::vector<mesh::LoadPlan> &movements,
                          const std::vector<int64_t> &extents, const std::vector<bool> &dependent) {
  mesh::LoadPlan load = movements[random() % movements.size()];
  load.level = static_cast<int>(random() % (extents.size() + 1));
  for (size_t i = load.level; i < extents.size(); ++i)
    load.tiles *= dependent[i] ? extents[i] : 1;
  load.slots = 1 + static_cast<int>(random() % 2);
  return load;
}

GemmPlan randomPlan(unsigned seed) {
  std::mt19937 random(seed);
  auto upTo = [&](int64_t most) { return 1 + static_cast<int64_t>(random() % most); };
  mesh::examples::GemmSizes sizes{upTo(300), upTo(300), upTo(150), 32 * upTo(2), 32 * upTo(3), 32 * upTo(2)};
  GemmPlan made = random() % 2 ? twoDimensional(upTo(3), upTo(3), sizes, kPerCore, kPerCore)
                               : oneDimensional(upTo(3), upTo(3), sizes, kPerCore);
  std::vector<mesh::LoadPlan> a{kPerCore}, b{kPerCore, kColumnBroadcast};
  if (made.plan.splits[0].spatial.size() == 1) {
    a.push_back(kRowBroadcast);
    a.push_back(load(Movement::Wavefront, {kX}, {kAlongX}));
  } else {
    b = {kRowBroadcast, load(Movement::RowsThenColumns, {kX, kY}, {kAlongX, kAlongY}),
         load(Movement::Wavefront, {kY, kX}, {kAlongY, kAlongX})};
  }
  if (random() % 2)
    std::swap(made.plan.waves[0], made.plan.waves[1]);
  std::vector<int64_t> extents;
  for (int grid : made.plan.waves)
    extents.push_back(made.plan.waveExtent(grid, made.program(), made.machine()));
  extents.push_back(made.program().indices[2].extent);
  bool mFirst = made.plan.waves[0] == 0;
  made.plan.loads = {randomLoad(random, a, extents, {mFirst, !mFirst, true}),
                     randomLoad(random, b, extents, {!mFirst, mFirst, true})};
  return made;
}

class RandomGemmCode : public testing::TestWithParam<unsigned> {};

TEST_P(RandomGemmCode, IsRight) { expectRight(randomPlan(GetParam())); }

INSTANTIATE_TEST_SUITE_P(, RandomGemmCode, testing::Range(0u, 4u));

/// B lies as n x k.
TEST(GemmCode, TransposedOperand) {
  GemmPlan gemm = twoDimensional(2, 2, {150, 200, 100, 64, 96, 32}, kRowBroadcast, kColumnBroadcast);
  mesh::TileProgram program = gemm.program();
  std::swap(program.tensors[1].shape[0], program.tensors[1].shape[1]);
  mesh::TileAccess &b = program.body[0].body[1].access;
  std::swap(b.block[0], b.block[1]);
  std::swap(b.start[0], b.start[1]);
  program.body[0].body[2].op.reads[1].isTransposed = true;
  Code code = print(gemm.plan, program, gemm.machine());
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  PrintedProgram printed(code);
  EXPECT_EQ(printed.compile(), "");
  EXPECT_EQ(printed.run("  Matrix a(150, 100, tt::DataFormat::Float16), b(200, 100, tt::DataFormat::Float16),\n"
                        "      c(150, 200, tt::DataFormat::Float16);\n"
                        "  a.fill(1); b.fill(2); a.upload(); b.upload();\n"
                        "  run(create_gemm(device, \".\", a.buffer(), b.buffer(), c.buffer()));\n"
                        "  c.download();\n"
                        "  return compare(c, [&](size_t r, size_t q) {\n"
                        "    float sum = 0;\n"
                        "    for (size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(q, k);\n"
                        "    return sum;\n  });\n"),
            "");
}

/// c = max(a * b / 2 + d, 1): operators on the accumulators, and a load after the loop.
TEST(GemmCode, Epilogue) {
  GemmPlan gemm = twoDimensional(2, 2, kRagged, kRowBroadcast, kColumnBroadcast);
  gemm.plan.loads.push_back({Movement::PerCore, {}, {}, 2, 1, 0, 1});
  mesh::TileProgram program = gemm.program();
  program.tensors.push_back(program.tensors[2]);
  program.tensors[3].name = "d";
  mesh::TileStep d = program.body[1], store = program.body[1];
  d.kind = mesh::TileStep::Kind::Load;
  d.access.tensor = 3;
  d.access.operation = 2;
  store.stored = step(5);
  auto op = [](const char *name, std::vector<mesh::TileOperand> reads) {
    mesh::TileStep made;
    made.op.name = name;
    made.op.reads = std::move(reads);
    return made;
  };
  program.body = {program.body[0],
                  d,
                  op("arith.mulf", {step(0), constant(0.5)}),
                  op("arith.addf", {step(2), step(1)}),
                  op("arith.maxnumf", {step(3), constant(1)}),
                  op("arith.truncf", {step(4)}),
                  store};
  Code code = print(gemm.plan, program, gemm.machine());
  ASSERT_TRUE(code.isOk()) << name(code.refusal) << ": " << code.detail;
  PrintedProgram printed(code);
  EXPECT_EQ(printed.compile(), "");
  EXPECT_EQ(printed.run("  Matrix a(200, 100, tt::DataFormat::Float16), b(100, 150, tt::DataFormat::Float16),\n"
                        "      c(200, 150, tt::DataFormat::Float16), d(200, 150, tt::DataFormat::Float16);\n"
                        "  a.fill(1); b.fill(2); d.fill(3); a.upload(); b.upload(); d.upload();\n"
                        "  run(create_gemm(device, \".\", a.buffer(), b.buffer(), c.buffer(), d.buffer()));\n"
                        "  c.download();\n"
                        "  return compare(c, [&](size_t r, size_t q) {\n"
                        "    float sum = 0;\n"
                        "    for (size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(k, q);\n"
                        "    return std::max(sum / 2 + d.at(r, q), 1.0f);\n  });\n"),
            "");
}

/// The order of a multicast: the sender waits for slots of its receivers, and they for its signal, which follows the
/// tile.
TEST(GemmCode, OrderOfAMulticast) {
  GemmPlan gemm = twoDimensional(2, 4, kSmall, kRowBroadcast, kPerCore);
  std::string reader = print(gemm.plan, gemm.program(), gemm.machine()).reader;
  size_t at = 0;
  for (const char *next :
       {"cb_reserve_back(cb_a, 2)", "if (core_x == 0)", "read_block<2, 1, 4, 4, 2048>(tensor_a", "if (core_x != 0)",
        "noc_semaphore_inc(get_noc_addr(to0_x, to0_y, semaphore_ready_a_x), 1)", "if (core_x == 0)",
        "awaited_semaphore_ready_a_x += 3", "noc_semaphore_wait_min(", "noc_async_read_barrier()", "if (core_x != 0)",
        "awaited_semaphore_valid_a_x += 1", "noc_async_write_multicast(get_write_ptr(cb_a)", "4096, 3)",
        "noc_async_writes_flushed()", "++signalled_semaphore_valid_a_x",
        "noc_semaphore_set_multicast(semaphore_valid_a_x", "cb_push_back(cb_a, 2)"}) {
    at = reader.find(next, at);
    ASSERT_NE(at, std::string::npos) << next << "\n" << reader;
  }
}

TEST(GemmCode, SubblocksOfRegisters) {
  GemmPlan gemm = twoDimensional(2, 2, {256, 256, 128, 128, 128, 64}, kPerCore, kPerCore);
  std::string compute = print(gemm.plan, gemm.program(), gemm.machine()).compute;
  size_t at = 0;
  for (const char *next :
       {"mm_init(cb_a, cb_b, cb_accumulators_3)", "row < 4; row += 2", "column < 4; column += 2", "tile_regs_acquire",
        "if (i_k != 0)", "copy_tile(cb_accumulators_3, i, i)", "k < 2; ++k",
        "matmul_tiles(cb_a, cb_b, 2 * (row + r) + k, 4 * k + column + c, 2 * r + c)", "tile_regs_commit",
        "pack_tile(i, cb_accumulators_3)", "tile_regs_release", "pack_tile<true>(0, cb_c, tile)"}) {
    at = compute.find(next, at);
    ASSERT_NE(at, std::string::npos) << next << "\n" << compute;
  }
}

} // namespace
} // namespace tawa::metalium::tests
