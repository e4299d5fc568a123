// Atomics, scans, descriptors, block pointers, scaled products, calls and the other operations that move or combine
// elements, compared with values computed by hand; and perturbed runs.
#include "tests/unit/reference/ReferenceTestSupport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tawa::reference {
namespace {

Ints countTo(int32_t end) {
  Ints values(end);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

const std::string kAdd = " ({\n^bb0(%a: i32, %b: i32):\n%s = arith.addi %a, %b : i32\ntt.scan.return %s : i32\n})";

TEST(TilesTest, ScansRunAlongTheAxis) {
  auto scan = [&](int axis, const char *reverse) {
    return run<int32_t>("i32",
                        "%t = tt.reshape %x : tensor<8xi32> -> tensor<2x4xi32>\n%c = \"tt.scan\"(%t) <{axis = " +
                            std::to_string(axis) + " : i32, reverse = " + reverse + "}>" + kAdd +
                            " : (tensor<2x4xi32>) -> tensor<2x4xi32>\n"
                            "%r = tt.reshape %c : tensor<2x4xi32> -> tensor<8xi32>",
                        {1, 2, 3, 4, 5, 6, 7, 8});
  };
  EXPECT_EQ(scan(1, "false"), (Ints{1, 3, 6, 10, 5, 11, 18, 26}));
  EXPECT_EQ(scan(1, "true"), (Ints{10, 9, 7, 4, 26, 21, 15, 8}));
  EXPECT_EQ(scan(0, "false"), (Ints{1, 2, 3, 4, 6, 8, 10, 12}));
}

/// First arguments of the region are the combination so far: keeping the second gives the element itself.
TEST(TilesTest, ScansTellOldFromNew) {
  EXPECT_EQ(run<int32_t>("i32",
                         "%r = \"tt.scan\"(%x) <{axis = 0 : i32, reverse = false}> ({\n^bb0(%a: i32, %b: i32):\n"
                         "%d = arith.subi %b, %a : i32\ntt.scan.return %d : i32\n}) : (tensor<4xi32>) -> tensor<4xi32>",
                         {1, 5, 6, 10}),
            (Ints{1, 4, 2, 8}));
}

TEST(TilesTest, ReducesSeveralOperandsWithControlFlow) {
  // The larger value and its place, by an scf.if: a region that cannot run in lanes.
  EXPECT_EQ(run<int32_t>("i32",
                         "%p:2 = \"tt.reduce\"(%x, %i) <{axis = 0 : i32}> ({\n"
                         "^bb0(%a: i32, %ia: i32, %b: i32, %ib: i32):\n%g = arith.cmpi sge, %a, %b : i32\n"
                         "%q:2 = scf.if %g -> (i32, i32) {\nscf.yield %a, %ia : i32, i32\n} else {\n"
                         "scf.yield %b, %ib : i32, i32\n}\ntt.reduce.return %q#0, %q#1 : i32, i32\n"
                         "}) : (tensor<4xi32>, tensor<4xi32>) -> (i32, i32)\n%k = arith.constant 100 : i32\n"
                         "%h = arith.muli %p#0, %k : i32\n%s = arith.addi %h, %p#1 : i32\n"
                         "%r = tt.splat %s : i32 -> tensor<4xi32>",
                         {3, 9, 9, 1}),
            Ints(4, 901));
}

TEST(TilesTest, MapsAScalarFunctionWithBranches) {
  EXPECT_EQ(run<int32_t>("i32",
                         "%r = \"tt.map_elementwise\"(%x) <{pack = 2 : i32}> ({\n^bb0(%a: i32, %b: i32):\n"
                         "%c = arith.cmpi slt, %a, %b : i32\ncf.cond_br %c, ^bb1(%a, %b : i32, i32), ^bb1(%b, %a : "
                         "i32, i32)\n^bb1(%lo: i32, %hi: i32):\ntt.map_elementwise.return %lo, %hi : i32, i32\n"
                         "}) : (tensor<4xi32>) -> tensor<4xi32>",
                         {7, 3, 1, 2}),
            (Ints{3, 7, 1, 2}));
}

TEST(TilesTest, MovesElementsByValue) {
  EXPECT_EQ(run<int32_t>("i32",
                         "%t = tt.reshape %x : tensor<8xi32> -> tensor<4x2xi32>\n"
                         "%n = arith.constant dense<3> : tensor<4x2xi32>\n%k = arith.subi %n, %t : tensor<4x2xi32>\n"
                         "%m = arith.andi %k, %n : tensor<4x2xi32>\n"
                         "%g = tt.gather %t[%m] {axis = 0 : i32} : (tensor<4x2xi32>, tensor<4x2xi32>) -> "
                         "tensor<4x2xi32>\n%r = tt.reshape %g : tensor<4x2xi32> -> tensor<8xi32>",
                         countTo(8)),
            (Ints{6, 5, 2, 1, 6, 5, 2, 1}));
  EXPECT_EQ(run<int32_t>("i32",
                         "%p = tt.reshape %x : tensor<8xi32> -> tensor<4x2xi32>\n"
                         "%a, %b = tt.split %p : tensor<4x2xi32> -> tensor<4xi32>\n"
                         "%r = tt.cat %b, %a : tensor<4xi32> -> tensor<8xi32>",
                         countTo(8)),
            (Ints{1, 3, 5, 7, 0, 2, 4, 6}));
  // Values that are no bin, and masked ones, are not counted.
  EXPECT_EQ(run<int32_t>("i32",
                         "%z = arith.constant dense<9> : tensor<8xi32>\n%m = arith.cmpi ne, %i, %z : tensor<8xi32>\n"
                         "%h = tt.histogram %x, %m : tensor<8xi32> -> tensor<4xi32>\n"
                         "%r = tt.cat %h, %h : tensor<4xi32> -> tensor<8xi32>",
                         {0, 3, 3, 3, -1, 4, 1, 0}),
            (Ints{2, 1, 0, 3, 2, 1, 0, 3}));
  EXPECT_EQ(run<int32_t>("i32", "%u = tt.unsplat %x : tensor<1xi32>\n%r = tt.splat %u : i32 -> tensor<1xi32>", {5}),
            Ints{5});
}

//===--- Functions ------------------------------------------------------------------------------------------------===//

Floats calls(const std::string &symbol, const Floats &input) {
  std::string tile = "tensor<" + std::to_string(input.size()) + "xf32>";
  return run<float>("f32",
                    "%r = tt.extern_elementwise %x {libname = \"\", libpath = \"\", pure = true, symbol = \"" + symbol +
                        "\"} : (" + tile + ") -> " + tile,
                    input);
}

TEST(TilesTest, CallsLibdevice) {
  EXPECT_EQ(calls("__nv_tanhf", {0, 1}), (Floats{0, static_cast<float>(std::tanh(1.0))}));
  EXPECT_EQ(calls("__nv_rintf", {0.5f, 1.5f}), (Floats{0, 2}));
  EXPECT_EQ(calls("__nv_roundf", {0.5f, -1.5f}), (Floats{1, -2}));
  EXPECT_EQ(calls("__nv_rsqrtf", {4, 16}), (Floats{0.5f, 0.25f}));
  EXPECT_EQ(calls("__nv_frcp_rd", {3, 2}), (Floats{std::nextafter(1 / 3.0f, 0.0f), 0.5f}));
  EXPECT_EQ(
      calls("__nv_fsqrt_rz", {2, 9}),
      (Floats{std::sqrt(2.0f) * std::sqrt(2.0f) > 2 ? std::nextafter(std::sqrt(2.0f), 0.0f) : std::sqrt(2.0f), 3}));
  EXPECT_NEAR(calls("__nv_erfinvf", {0.5f})[0], 0.47693628, 1e-6);
  EXPECT_NEAR(calls("__nv_erfcinvf", {0.1f})[0], 1.1630871, 1e-6);
}

Ints integerCalls(const std::string &symbol, const Ints &input) {
  std::string tile = "tensor<" + std::to_string(input.size()) + "xi32>";
  return run<int32_t>("i32",
                      "%r = tt.extern_elementwise %x {libname = \"\", libpath = \"\", pure = true, symbol = \"" +
                          symbol + "\"} : (" + tile + ") -> " + tile,
                      input);
}

TEST(TilesTest, CallsLibdeviceOnIntegers) {
  EXPECT_EQ(integerCalls("__nv_popc", {-1, 5}), (Ints{32, 2}));
  EXPECT_EQ(integerCalls("__nv_clz", {1, 0}), (Ints{31, 32}));
  EXPECT_EQ(integerCalls("__nv_ffs", {0, 12}), (Ints{0, 3}));
  EXPECT_EQ(integerCalls("__nv_brev", {1, 2}), (Ints{INT32_MIN, 0x40000000}));
}

TEST(TilesTest, ClampsAndMultipliesHigh) {
  auto clamp = [](const char *nan) {
    return run<float>("f32",
                      "%z = arith.constant dense<0x7FC00000> : tensor<2xf32>\n%o = arith.constant dense<1.0> : "
                      "tensor<2xf32>\n%m = arith.constant dense<-1.0> : tensor<2xf32>\n"
                      "%c = arith.cmpf olt, %x, %m : tensor<2xf32>\n"
                      "%y = arith.select %c, %z, %x : tensor<2xi1>, tensor<2xf32>\n"
                      "%r = tt.clampf %y, %m, %o, propagateNan = " +
                          std::string(nan) + " : tensor<2xf32>",
                      {-7, 5});
  };
  EXPECT_EQ(clamp("none"), (Floats{-1, 1}));
  EXPECT_TRUE(std::isnan(clamp("all")[0]));
  EXPECT_EQ(run<int32_t>("i32", "%r = tt.mulhiui %x, %x : tensor<2xi32>", {-1, 65536}), (Ints{-2, 1}));
}

//===--- Memory ---------------------------------------------------------------------------------------------------===//

const std::string kPointers = R"(
    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %a = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %b = tt.splat %q : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %at = tt.addptr %a, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %to = tt.addptr %b, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
)";

/// A kernel of two integer tensors.
std::string kernelOf(const std::string &body) {
  return "tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {\n" + kPointers + body + "\ntt.return\n}";
}

TEST(TilesTest, AtomicsReturnWhatWasThere) {
  Ints memory{1, 2, 3, 4}, old(4, -1);
  std::string text = kernelOf(R"(
    %zero = arith.constant dense<0> : tensor<4xi32>
    %one = arith.constant dense<1> : tensor<4xi32>
    %same = tt.addptr %a, %zero : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %m = arith.cmpi sge, %i, %one : tensor<4xi32>
    %o = tt.atomic_rmw add, acq_rel, gpu, %same, %one, %m : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
    tt.store %to, %o : tensor<4x!tt.ptr<i32>>)");
  EXPECT_EQ(evaluateText(text, {tensorOf(memory), tensorOf(old)}).message(), "");
  EXPECT_EQ(memory, (Ints{4, 2, 3, 4}));
  EXPECT_EQ(old, (Ints{0, 1, 2, 3}));
  // In a perturbed run the lanes go the other way round.
  memory[0] = 1;
  EXPECT_EQ(evaluateText(text, {tensorOf(memory), tensorOf(old)}, {1, 1, 1}, 1 << 20, {1}).message(), "");
  EXPECT_EQ(memory[0], 4);
  EXPECT_EQ(old, (Ints{0, 3, 2, 1}));
}

TEST(TilesTest, AtomicKinds) {
  struct Case {
    const char *kind;
    int32_t result;
  };
  for (auto [kind, result] : std::initializer_list<Case>{
           {"and", 4}, {"or", -1}, {"xor", -5}, {"max", 4}, {"min", -1}, {"umax", -1}, {"umin", 4}, {"exch", 4}}) {
    Ints memory(4, -1), unused(4);
    std::string text =
        kernelOf("%v = arith.constant dense<4> : tensor<4xi32>\n%o = tt.atomic_rmw " + std::string(kind) +
                 ", relaxed, gpu, %at, %v : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>) -> tensor<4xi32>");
    EXPECT_EQ(evaluateText(text, {tensorOf(memory), tensorOf(unused)}).message(), "");
    EXPECT_EQ(memory, Ints(4, result)) << kind;
  }
  Ints memory{5, 6, 5, 5}, old(4);
  std::string text = kernelOf(R"(
    %five = arith.constant dense<5> : tensor<4xi32>
    %o = tt.atomic_cas acq_rel, gpu, %at, %five, %i : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tt.store %to, %o : tensor<4x!tt.ptr<i32>>)");
  EXPECT_EQ(evaluateText(text, {tensorOf(memory), tensorOf(old)}).message(), "");
  EXPECT_EQ(memory, (Ints{0, 6, 2, 3}));
  EXPECT_EQ(old, (Ints{5, 6, 5, 5}));
}

TEST(TilesTest, PointersAreNumbersAndBack) {
  Ints first{1, 2, 3, 4}, second(4);
  Longs table{0};
  table[0] = reinterpret_cast<int64_t>(first.data());
  std::string text = R"(tt.func public @k(%t: !tt.ptr<i64>, %p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %n = tt.load %t : !tt.ptr<i64>
    %base = tt.int_to_ptr %n : i64 -> !tt.ptr<i32>
    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %a = tt.splat %base : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %at = tt.addptr %a, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %x = tt.load %at : tensor<4x!tt.ptr<i32>>
    %b = tt.splat %q : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %to = tt.addptr %b, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    tt.store %to, %x : tensor<4x!tt.ptr<i32>>
    tt.return
  })";
  EXPECT_EQ(evaluateText(text, {tensorOf(table), tensorOf(first), tensorOf(second)}).message(), "");
  EXPECT_EQ(second, first);
  table[0] = 64;
  EXPECT_EQ(evaluateText(text, {tensorOf(table), tensorOf(first), tensorOf(second)}).message(),
            "'tt.load' accesses address 64, which is no argument's");
}

TEST(TilesTest, BlockPointersCheckTheDimensionsTheyAreTold) {
  Ints input = countTo(12), output(16, -1);
  std::string text = R"(tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %l1 = arith.constant 1 : i64
    %l3 = arith.constant 3 : i64
    %l4 = arith.constant 4 : i64
    %b = tt.make_tensor_ptr %p, [%l3, %l4], [%l4, %l1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<2x4xi32>>
    %m = tt.advance %b, [%c2, %c0] : <tensor<2x4xi32>>
    %x = tt.load %m {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<2x4xi32>>
    %o = tt.make_tensor_ptr %q, [%l4, %l4], [%l4, %l1], [%c2, %c0] {order = array<i32: 1, 0>} : <tensor<2x4xi32>>
    tt.store %o, %x {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<2x4xi32>>
    tt.return
  })";
  EXPECT_EQ(evaluateText(text, {tensorOf(input), tensorOf(output)}).message(), "");
  EXPECT_EQ(output, (Ints{-1, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 0, 0, 0, 0}));
}

TEST(TilesTest, DescriptorsGatherScatterAndReduce) {
  Ints input = countTo(12), output(12, 100);
  std::string text =
      R"(tt.func public @k(%in: !tt.tensordesc<tensor<1x4xi32>>, %out: !tt.tensordesc<tensor<1x4xi32>>, %p: !tt.ptr<i32>) {
    %rows = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %three = arith.constant dense<3> : tensor<4xi32>
    %down = arith.subi %three, %rows : tensor<4xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.descriptor_gather %in[%down, %c1] : (!tt.tensordesc<tensor<1x4xi32>>, tensor<4xi32>, i32) -> tensor<4x4xi32>
    tt.descriptor_scatter %out[%rows, %c0], %x : !tt.tensordesc<tensor<1x4xi32>>, tensor<4xi32>, i32, tensor<4x4xi32>
    %row = tt.descriptor_load %in[%c0, %c0] : !tt.tensordesc<tensor<1x4xi32>> -> tensor<1x4xi32>
    tt.descriptor_reduce add, %out[%c0, %c0], %row : !tt.tensordesc<tensor<1x4xi32>>, tensor<1x4xi32>
    tt.return
  })";
  Ints unused(1);
  EXPECT_EQ(evaluateText(text, {tensorOf(input, {3, 4}), tensorOf(output, {3, 4}), tensorOf(unused)}).message(), "");
  // Row 3 lies outside: zeros. Then rows 2 and 1 from column 1 on, and row 0 of the input added to row 0.
  EXPECT_EQ(output, (Ints{0, 1, 2, 3, 9, 10, 11, 0, 5, 6, 7, 0}));
}

//===--- Products -------------------------------------------------------------------------------------------------===//

/// 16x16 by 16x16 of ones; the f32 accumulator's first element.
TEST(TilesTest, ScaledProducts) {
  // a: e2m1, both nibbles 0x4 (2.0) in every byte; scales 2^1. b: e4m3 1.0 (0x38), scales 2^-1 and NaN.
  auto product = [](int scale) {
    return run<float>("f32",
                      "%a = arith.constant dense<68> : tensor<16x16xi8>\n%b = arith.constant dense<56> : "
                      "tensor<32x16xi8>\n%sa = arith.constant dense<-128> : tensor<16x1xi8>\n"
                      "%sb = arith.constant dense<" +
                          std::to_string(scale) +
                          "> : tensor<16x1xi8>\n%c = arith.constant dense<1.0> : tensor<16x16xf32>\n"
                          "%d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e2m1 rhs = e4m3 {fastMath = false} "
                          ": tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xi8>, tensor<16x1xi8> -> "
                          "tensor<16x16xf32>\n%r = tt.reshape %d : tensor<16x16xf32> -> tensor<256xf32>",
                      Floats(256))[17];
  };
  EXPECT_EQ(product(126), 1 + 32 * 2 * 2 * 0.5f);
  EXPECT_TRUE(std::isnan(product(-1)));
}

TEST(TilesTest, BatchedProducts) {
  Floats product =
      run<float>("f32",
                 "%t = tt.reshape %x : tensor<512xf32> -> tensor<2x16x16xf32>\n"
                 "%z = arith.constant dense<0.0> : tensor<2x16x16xf32>\n"
                 "%d = tt.dot %t, %t, %z : tensor<2x16x16xf32> * tensor<2x16x16xf32> -> tensor<2x16x16xf32>\n"
                 "%r = tt.reshape %d : tensor<2x16x16xf32> -> tensor<512xf32>",
                 [] {
                   Floats values(512, 1);
                   std::fill(values.begin() + 256, values.end(), 2.0f);
                   return values;
                 }());
  EXPECT_EQ(product[0], 16);
  EXPECT_EQ(product[511], 64);
}

//===--- Control flow ---------------------------------------------------------------------------------------------===//

TEST(TilesTest, CallsAndBranches) {
  Ints input{4, 5, 6, 7}, output(4);
  std::string text = R"(module {
    tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {)" +
                     kPointers + R"(
      %x = tt.load %at : tensor<4x!tt.ptr<i32>>
      %c3 = arith.constant 3 : i32
      %y = tt.call @grow(%x, %c3) : (tensor<4xi32>, i32) -> tensor<4xi32>
      tt.store %to, %y : tensor<4x!tt.ptr<i32>>
      tt.return
    }
    tt.func private @grow(%x: tensor<4xi32>, %n: i32) -> tensor<4xi32> attributes {noinline = true} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      cf.br ^head(%n, %x : i32, tensor<4xi32>)
    ^head(%left: i32, %v: tensor<4xi32>):
      %more = arith.cmpi sgt, %left, %c0 : i32
      cf.cond_br %more, ^body, ^done
    ^body:
      %w = arith.addi %v, %v : tensor<4xi32>
      %less = arith.subi %left, %c1 : i32
      cf.br ^head(%less, %w : i32, tensor<4xi32>)
    ^done:
      tt.return %v : tensor<4xi32>
    }
  })";
  EXPECT_EQ(evaluateText(text, {tensorOf(input), tensorOf(output)}).message(), "");
  EXPECT_EQ(output, (Ints{32, 40, 48, 56}));
}

TEST(TilesTest, AssertionsAndAssumptions) {
  Ints values{4, 5, 6, 7}, output(4);
  auto message = [&](const std::string &line) {
    return evaluateText(kernelOf("%c5 = arith.constant dense<3> : tensor<4xi32>\n"
                                 "%c = arith.cmpi slt, %i, %c5 : tensor<4xi32>\n"
                                 "%f = arith.constant false\n" +
                                 line),
                        {tensorOf(values), tensorOf(output)})
        .message();
  };
  EXPECT_EQ(message("tt.assert %c, \"too far\" : tensor<4xi1>"), "'tt.assert' fails: too far");
  EXPECT_EQ(message("llvm.intr.assume %f : i1"), "'llvm.intr.assume' assumes what is not so");
  EXPECT_EQ(message("tt.print \" c: \" {hex = false, isSigned = array<i32: 0>} : %c : tensor<4xi1>"), "");
  EXPECT_EQ(message("gpu.barrier"), "");
}

//===--- Perturbed runs -------------------------------------------------------------------------------------------===//

TEST(TilesTest, PerturbationsMoveWhatIsRoundedAndNothingElse) {
  Floats input{1, 2, 3, 0.1f};
  std::string square = "%r = arith.mulf %x, %x : tensor<4xf32>";
  Floats output = run<float>("f32", square, input), other = run<float>("f32", square, input, nullptr, {2});
  EXPECT_EQ((Floats{other.begin(), other.begin() + 3}), (Floats{1, 4, 9}));
  EXPECT_NE(other[3], output[3]);
  EXPECT_NEAR(other[3], output[3], 2e-9);
}

// Parts of a product may be scaled apart from each other: infinite ones of both signs add up to a NaN.
TEST(TilesTest, InfiniteMultiplesOfAProductMayBeNaN) {
  Floats input(256, 0.1f);
  std::string scaled = "%t = tt.reshape %x : tensor<256xf32> -> tensor<16x16xf32>\n"
                       "%z = arith.constant dense<0.0> : tensor<16x16xf32>\n"
                       "%f = arith.constant dense<0x7f800000> : tensor<16x16xf32>\n"
                       "%d = tt.dot %t, %t, %z : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>\n"
                       "%s = arith.mulf OPERANDS : tensor<16x16xf32>\n"
                       "%r = tt.reshape %s : tensor<16x16xf32> -> tensor<256xf32>";
  auto countNaNs = [&](const std::string &operands, Perturbation perturbation) {
    std::string text = scaled;
    Floats output = run<float>("f32", text.replace(text.find("OPERANDS"), 8, operands), input, nullptr, perturbation);
    return std::count_if(output.begin(), output.end(), [](float number) { return std::isnan(number); });
  };
  EXPECT_EQ(countNaNs("%d, %f", {}), 0);
  auto some = countNaNs("%d, %f", {2});
  EXPECT_GT(some, 64);
  EXPECT_LT(some, 192);
  EXPECT_EQ(countNaNs("%t, %f", {2}), 0) << "not a product of matrices";
}

// As on a device, which adds the terms of all of them in one order.
TEST(TilesTest, EqualSumsOfAProductMoveAlike) {
  Floats input(256, 0.1f);
  std::string product = "%t = tt.reshape %x : tensor<256xf32> -> tensor<16x16xf32>\n"
                        "%z = arith.constant dense<0.0> : tensor<16x16xf32>\n"
                        "%d = tt.dot %t, %t, %z : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>\n"
                        "%r = tt.reshape %d : tensor<16x16xf32> -> tensor<256xf32>";
  Floats output = run<float>("f32", product, input), other = run<float>("f32", product, input, nullptr, {2});
  EXPECT_NE(other[0], output[0]);
  EXPECT_EQ(other, Floats(256, other[0]));
}

} // namespace
} // namespace tawa::reference
