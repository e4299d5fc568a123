// Matrix products whose operands are loaded through tensors of pointers: what TMA takes after raising, what the threads
// of the producer copy, in every order of the operands, alignment, mask, depth and schedule, against the reference
// evaluator.
#include "tests/conformance/Program.h"
#include "tests/conformance/TileProgram.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

namespace tawa::conformance {
namespace {

const char *const kSchedules[] = {"eager", "wgmma-late", "late-random:7"};

struct PointerGemm {
  int rows = 64, columns = 64, depth = 32; ///< Of a tile.
  bool aAlongK = true, bAlongK = true;     ///< Which way the operands are contiguous.
  bool wraps = false;                      ///< Rows and columns modulo the size, as frameworks print it; else masked.
  bool masksDepth = true;
  int alignment = 16; ///< What the text promises of sizes and strides to be multiples of, in elements.
  std::string type = "f16";

  std::string name() const {
    std::ostringstream text;
    text << rows << "x" << columns << "x" << depth << (aAlongK ? " K" : " M") << (bAlongK ? "K" : "N")
         << (wraps ? " wrapped" : "") << (masksDepth ? " masked" : "") << " aligned " << alignment << " " << type;
    return text.str();
  }
  std::string text() const;
};

/// Rows (or columns) of an operand: `prefix`_i and, without wrapping, their mask `prefix`_in.
std::string indices(const PointerGemm &gemm, const std::string &prefix, const std::string &program, int extent,
                    const std::string &bound) {
  const std::string vector = "tensor<" + std::to_string(extent) + "xi32>", n = std::to_string(extent);
  std::string text = "    %" + prefix + "_n = arith.constant " + n + " : i32\n    %" + prefix +
                     "_first = arith.muli %" + program + ", %" + prefix + "_n : i32\n    %" + prefix +
                     "_range = tt.make_range {end = " + n + " : i32, start = 0 : i32} : " + vector + "\n    %" +
                     prefix + "_splat = tt.splat %" + prefix + "_first : i32 -> " + vector + "\n    %" + prefix +
                     "_all = arith.addi %" + prefix + "_splat, %" + prefix + "_range : " + vector + "\n    %" + prefix +
                     "_bound = tt.splat %" + bound + " : i32 -> " + vector + "\n    %" + prefix +
                     "_in = arith.cmpi slt, %" + prefix + "_all, %" + prefix + "_bound : " + vector + "\n";
  if (gemm.wraps)
    return text + "    %" + prefix + "_i = arith.remsi %" + prefix + "_all, %" + prefix + "_bound : " + vector + "\n";
  return text + "    %" + prefix + "_zero = arith.constant 0 : i32\n    %" + prefix + "_zeros = tt.splat %" + prefix +
         "_zero : i32 -> " + vector + "\n    %" + prefix + "_i = arith.addi %" + prefix + "_all, %" + prefix +
         "_zeros : " + vector + "\n";
}

/// Pointers to an operand's first tile, whose dimension `depthAxis` runs along K: `p`_ptr.
std::string pointers(const PointerGemm &gemm, const std::string &p, const std::string &index, int extent,
                     const std::string &stride, bool alongK, int depthAxis) {
  auto shape = [&](int outer, int inner) {
    return depthAxis == 1 ? std::to_string(outer) + "x" + std::to_string(inner)
                          : std::to_string(inner) + "x" + std::to_string(outer);
  };
  const std::string lines = shape(extent, 1), run = shape(1, gemm.depth), tile = shape(extent, gemm.depth);
  auto i32 = [](const std::string &s) { return "tensor<" + s + "xi32>"; };
  auto ptr = [&](const std::string &s) { return "tensor<" + s + "x!tt.ptr<" + gemm.type + ">>"; };
  std::ostringstream text;
  text << "    %" << p << "_e = tt.expand_dims %" << index << "_i {axis = " << depthAxis << " : i32} : tensor<"
       << extent << "xi32> -> " << i32(lines) << "\n    %" << p << "_k = tt.expand_dims %rk {axis = " << 1 - depthAxis
       << " : i32} : tensor<" << gemm.depth << "xi32> -> " << i32(run) << "\n";
  const std::string scaled = alongK ? "e" : "k", &scaledShape = alongK ? lines : run;
  text << "    %" << p << "_s = tt.splat %" << stride << " : i32 -> " << i32(scaledShape) << "\n    %" << p << "_"
       << scaled << "s = arith.muli %" << p << "_" << scaled << ", %" << p << "_s : " << i32(scaledShape) << "\n";
  const std::string e = alongK ? "es" : "e", k = alongK ? "k" : "ks";
  text << "    %" << p << "_b = tt.splat %" << p << " : !tt.ptr<" << gemm.type << "> -> " << ptr(lines) << "\n    %"
       << p << "_pe = tt.addptr %" << p << "_b, %" << p << "_" << e << " : " << ptr(lines) << ", " << i32(lines)
       << "\n    %" << p << "_pb = tt.broadcast %" << p << "_pe : " << ptr(lines) << " -> " << ptr(tile) << "\n    %"
       << p << "_kb = tt.broadcast %" << p << "_" << k << " : " << i32(run) << " -> " << i32(tile) << "\n    %" << p
       << "_ptr = tt.addptr %" << p << "_pb, %" << p << "_kb : " << ptr(tile) << ", " << i32(tile) << "\n";
  // The tile's own mask, and how far the pointers go on in each iteration.
  if (!gemm.wraps)
    text << "    %" << p << "_im = tt.expand_dims %" << index << "_in {axis = " << depthAxis << " : i32} : tensor<"
         << extent << "xi1> -> tensor<" << lines << "xi1>\n    %" << p << "_ib = tt.broadcast %" << p << "_im : tensor<"
         << lines << "xi1> -> tensor<" << tile << "xi1>\n";
  if (alongK)
    text << "    %" << p << "_step = arith.constant dense<" << gemm.depth << "> : " << i32(tile) << "\n";
  else
    text << "    %" << p << "_far = arith.muli %" << stride << ", %kn : i32\n    %" << p << "_step = tt.splat %" << p
         << "_far : i32 -> " << i32(tile) << "\n";
  return text.str();
}

/// The masked load of an operand in the loop: `p`_x.
std::string load(const PointerGemm &gemm, const std::string &p, int extent, int depthAxis) {
  const std::string tile = depthAxis == 1 ? std::to_string(extent) + "x" + std::to_string(gemm.depth)
                                          : std::to_string(gemm.depth) + "x" + std::to_string(extent);
  const std::string run = depthAxis == 1 ? "1x" + std::to_string(gemm.depth) : std::to_string(gemm.depth) + "x1";
  const std::string ptr = "tensor<" + tile + "x!tt.ptr<" + gemm.type + ">>", i1 = "tensor<" + tile + "xi1>";
  std::ostringstream text;
  std::string mask;
  if (gemm.masksDepth) {
    text << "      %" << p << "_l = tt.splat %left : i32 -> tensor<" << run << "xi32>\n      %" << p
         << "_lm = arith.cmpi slt, %" << p << "_k, %" << p << "_l : tensor<" << run << "xi32>\n      %" << p
         << "_lb = tt.broadcast %" << p << "_lm : tensor<" << run << "xi1> -> " << i1 << "\n";
    mask = "%" + p + "_lb";
  }
  if (!gemm.wraps && gemm.masksDepth) {
    text << "      %" << p << "_m = arith.andi %" << p << "_lb, %" << p << "_ib : " << i1 << "\n";
    mask = "%" + p + "_m";
  } else if (!gemm.wraps) {
    mask = "%" + p + "_ib";
  }
  if (mask.empty())
    text << "      %" << p << "_x = tt.load %" << p << "_at : " << ptr << "\n";
  else
    text << "      %" << p << "_o = arith.constant dense<0.0> : tensor<" << tile << "x" << gemm.type << ">\n      %"
         << p << "_x = tt.load %" << p << "_at, " << mask << ", %" << p << "_o : " << ptr << "\n";
  return text.str() + "      %" + p + "_next = tt.addptr %" + p + "_at, %" + p + "_step : " + ptr + ", tensor<" + tile +
         "xi32>\n";
}

std::string PointerGemm::text() const {
  const std::string m = std::to_string(rows), n = std::to_string(columns), k = std::to_string(depth);
  const std::string hint = " {tt.divisibility = 16 : i32}",
                    sizeHint = " {tt.divisibility = " + std::to_string(alignment) + " : i32}";
  const std::string pa = "tensor<" + m + "x" + k + "x!tt.ptr<" + type + ">>",
                    pb = "tensor<" + k + "x" + n + "x!tt.ptr<" + type + ">>";
  const std::string acc = "tensor<" + m + "x" + n + "xf32>", i32 = "tensor<" + m + "x" + n + "xi32>",
                    i1 = "tensor<" + m + "x" + n + "xi1>";
  const std::string pc = "tensor<" + m + "x" + n + "x!tt.ptr<f32>>";
  std::ostringstream text;
  text << "module {\n  tt.func public @pointer_gemm(%a: !tt.ptr<" << type << ">" << hint << ", %b: !tt.ptr<" << type
       << ">" << hint << ", %c: !tt.ptr<f32>" << hint << ", %M: i32" << sizeHint << ", %N: i32" << sizeHint
       << ", %K: i32" << sizeHint << ", %sa: i32" << sizeHint << ", %sb: i32" << sizeHint
       << ", %sc: i32) {\n    %pm = tt.get_program_id x : i32\n    %pn = tt.get_program_id y : i32\n"
       << "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %kn = arith.constant " << k
       << " : i32\n    %km = arith.constant " << depth - 1 << " : i32\n"
       << "    %rk = tt.make_range {end = " << k << " : i32, start = 0 : i32} : tensor<" << k << "xi32>\n"
       << indices(*this, "rm", "pm", rows, "M") << indices(*this, "rn", "pn", columns, "N")
       << pointers(*this, "a", "rm", rows, "sa", aAlongK, 1) << pointers(*this, "b", "rn", columns, "sb", bAlongK, 0)
       << "    %zero = arith.constant dense<0.0> : " << acc << "\n    %up = arith.addi %K, %km : i32\n"
       << "    %trips = arith.divsi %up, %kn : i32\n"
       << "    %r:3 = scf.for %it = %c0 to %trips step %c1 iter_args(%a_at = %a_ptr, %b_at = %b_ptr, %sum = %zero) -> ("
       << pa << ", " << pb << ", " << acc
       << ") : i32 {\n      %done = arith.muli %it, %kn : i32\n      %left = arith.subi %K, %done : i32\n"
       << load(*this, "a", rows, 1) << load(*this, "b", columns, 0) << "      %d = tt.dot %a_x, %b_x, %sum : tensor<"
       << m << "x" << k << "x" << type << "> * tensor<" << k << "x" << n << "x" << type << "> -> " << acc
       << "\n      scf.yield %a_next, %b_next, %d : " << pa << ", " << pb << ", " << acc << "\n    }\n";
  // C is row major, and masked in any case.
  text << "    %cm = tt.expand_dims %rm_all {axis = 1 : i32} : tensor<" << m << "xi32> -> tensor<" << m << "x1xi32>\n"
       << "    %cn = tt.expand_dims %rn_all {axis = 0 : i32} : tensor<" << n << "xi32> -> tensor<1x" << n << "xi32>\n"
       << "    %cs = tt.splat %sc : i32 -> tensor<" << m << "x1xi32>\n    %co = arith.muli %cm, %cs : tensor<" << m
       << "x1xi32>\n"
       << "    %cob = tt.broadcast %co : tensor<" << m << "x1xi32> -> " << i32
       << "\n    %cnb = tt.broadcast %cn : tensor<1x" << n << "xi32> -> " << i32
       << "\n    %cx = arith.addi %cob, %cnb : " << i32 << "\n    %cp = tt.splat %c : !tt.ptr<f32> -> " << pc
       << "\n    %cq = tt.addptr %cp, %cx : " << pc << ", " << i32 << "\n"
       << "    %mm = tt.expand_dims %rm_in {axis = 1 : i32} : tensor<" << m << "xi1> -> tensor<" << m << "x1xi1>\n"
       << "    %mn = tt.expand_dims %rn_in {axis = 0 : i32} : tensor<" << n << "xi1> -> tensor<1x" << n << "xi1>\n"
       << "    %mmb = tt.broadcast %mm : tensor<" << m << "x1xi1> -> " << i1
       << "\n    %mnb = tt.broadcast %mn : tensor<1x" << n << "xi1> -> " << i1
       << "\n    %cmask = arith.andi %mmb, %mnb : " << i1 << "\n    tt.store %cq, %r#2, %cmask : " << pc
       << "\n    tt.return\n  }\n}\n";
  return text.str();
}

/// Sizes of one launch.
struct Sizes {
  int64_t rows, columns, depth;
};

class PointerGemmTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::string why;
    runtime = openPlace({"emulator", GetParam()}, why);
    if (!runtime)
      GTEST_SKIP() << why;
  }

  /// Empty, or what is wrong.
  std::string check(TileProgram program, const std::string &launch) {
    if (Status status = readLaunch(launch, /*seed=*/3, program); !status)
      return status.message();
    Expectation expected(program);
    if (!expected.status())
      return "the evaluator: " + expected.status().message();
    Tally tally;
    try {
      return expected.compare(runOn(*runtime, program, GetParam()), tally);
    } catch (const Error &error) {
      return error.what();
    }
  }

  std::string check(const PointerGemm &gemm, const Sizes &sizes, const std::string &config) {
    // Strides are what the text promises of them: longer than the rows where these are no multiple.
    auto padded = [&](int64_t size) {
      return (std::max<int64_t>(size, 1) + gemm.alignment - 1) / gemm.alignment * gemm.alignment;
    };
    auto tiles = [](int64_t size, int tile) { return (size + tile - 1) / tile; };
    // Without a mask along K the text reads whole tiles.
    int64_t stored = gemm.masksDepth ? sizes.depth : tiles(sizes.depth, gemm.depth) * gemm.depth;
    int64_t sa = padded(gemm.aAlongK ? stored : sizes.rows), sb = padded(gemm.bAlongK ? stored : sizes.columns);
    std::ostringstream launch;
    launch << "grid=" << tiles(sizes.rows, gemm.rows) << "," << tiles(sizes.columns, gemm.columns) << " config=\""
           << config << "\" args=" << gemm.type << "[" << std::max<int64_t>(gemm.aAlongK ? sizes.rows : stored, 1)
           << "," << sa << "] " << gemm.type << "[" << std::max<int64_t>(gemm.bAlongK ? sizes.columns : stored, 1)
           << "," << sb << "] f32[" << sizes.rows << "," << sizes.columns << "] i32:" << sizes.rows
           << " i32:" << sizes.columns << " i32:" << sizes.depth << " i32:" << sa << " i32:" << sb
           << " i32:" << sizes.columns;
    TileProgram program;
    program.name = "pointer_gemm.mlir";
    program.text = gemm.text();
    return check(program, launch.str());
  }

  std::optional<Runtime> runtime;
};

TEST_P(PointerGemmTest, EveryOrderMaskAndAlignment) {
  for (bool aAlongK : {true, false})
    for (bool bAlongK : {true, false})
      for (bool wraps : {true, false})
        for (int alignment : {16, 4, 2}) {
          PointerGemm gemm;
          gemm.aAlongK = aAlongK;
          gemm.bAlongK = bAlongK;
          gemm.wraps = wraps;
          gemm.alignment = alignment;
          EXPECT_EQ(check(gemm, {80, 80, 80}, "D=2 P=2 consumers=1"), "") << gemm.name();
        }
}

TEST_P(PointerGemmTest, EveryDepthAndTripCount) {
  for (bool wraps : {true, false})
    for (int depth = 1; depth <= 3; ++depth)
      for (int inFlight = 1; inFlight <= depth; ++inFlight)
        for (int64_t trips : {0, 1, 2, depth, depth + 1, 2 * depth + 1}) {
          PointerGemm gemm;
          gemm.wraps = wraps;
          std::string config = "D=" + std::to_string(depth) + " P=" + std::to_string(inFlight) + " consumers=2";
          EXPECT_EQ(check(gemm, {64, 128, trips * gemm.depth}, config), "")
              << gemm.name() << " " << config << " " << trips;
        }
}

TEST_P(PointerGemmTest, SizesThatAreNoMultiples) {
  for (bool wraps : {true, false})
    for (const Sizes &sizes : {Sizes{8, 8, 8}, Sizes{72, 88, 40}, Sizes{136, 56, 200}, Sizes{65, 60, 7}}) {
      PointerGemm gemm;
      gemm.wraps = wraps;
      gemm.alignment = sizes.depth % 8 == 0 ? 8 : 1; // the last one is no kernel for roles
      EXPECT_EQ(check(gemm, sizes, "D=3 P=2 consumers=1"), "")
          << gemm.name() << " " << sizes.rows << " " << sizes.depth;
    }
}

TEST_P(PointerGemmTest, TilesAndTypes) {
  for (const char *type : {"f16", "bf16"})
    for (auto [rows, columns, depth] :
         {std::array{128, 128, 64}, std::array{128, 64, 64}, std::array{64, 256, 32}, std::array{64, 32, 16}})
      for (bool wraps : {true, false}) {
        PointerGemm gemm;
        gemm.rows = rows, gemm.columns = columns, gemm.depth = depth;
        gemm.wraps = wraps;
        gemm.type = type;
        EXPECT_EQ(check(gemm, {rows + 16, columns, 2 * depth + 16}, "D=3 P=2 consumers=1"), "") << gemm.name();
      }
}

/// What frameworks print: rows and columns modulo the size, sizes compiled in. Where these are multiples of the tile,
/// the remainders are no obstacle to TMA; else one operand or both are copied.
TEST_P(PointerGemmTest, FrameworkTemplate) {
  TileProgram program;
  program.name = "framework/gemm_mm_template.mlir";
  program.text = readKernel("framework/gemm_mm_template");
  for (const Sizes &sizes : {Sizes{128, 128, 96}, Sizes{136, 128, 72}, Sizes{72, 64, 40}, Sizes{130, 136, 100}}) {
    auto tiles = [](int64_t size) { return (size + 63) / 64; };
    std::ostringstream launch;
    launch << "grid=" << tiles(sizes.rows) * tiles(sizes.columns) << " config=\"D=3 P=2 consumers=1\" args=f16["
           << sizes.rows * sizes.depth << "] f16[" << sizes.columns * sizes.depth << "] f16["
           << sizes.rows * sizes.columns << "] i32:const:" << sizes.rows << " i32:const:" << sizes.columns
           << " i32:const:" << sizes.depth;
    EXPECT_EQ(check(program, launch.str()), "") << launch.str();
  }
}

TEST_P(PointerGemmTest, PrintedKernels) {
  for (const char *kernel : {"gemm_ptr", "gemm_ptr_masked"})
    for (const char *config : {"D=3 P=2", "D=2 P=1", "D=1 P=1"}) {
      TileProgram program;
      program.name = std::string(kernel) + ".mlir";
      program.text = readKernel(kernel);
      std::string launch =
          "grid=2 config=\"" + std::string(config) +
          "\" args=f16[256,192] f16[256,192] f16[256,256] i32:256 i32:256 i32:192 i32:192 i32:192 i32:256";
      EXPECT_EQ(check(program, launch), "") << kernel << " " << config;
    }
}

INSTANTIATE_TEST_SUITE_P(Schedules, PointerGemmTest, testing::ValuesIn(kSchedules), [](const auto &info) {
  std::string name = info.param;
  for (char &c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

} // namespace
} // namespace tawa::conformance
